"""Which questions from documents are good enough: checks by rules and by a model, and other readings."""
