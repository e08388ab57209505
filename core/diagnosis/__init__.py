"""Which module is broken: groups, accuracies, context comparison, hypothesis tests (GRAMMAR, section 4.3)."""
