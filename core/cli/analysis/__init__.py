"""Commands that say what is wrong: causes, planted faults, robustness, safety, judges."""
