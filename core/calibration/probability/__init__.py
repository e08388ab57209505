"""Score to probability: models, their inputs, the choice among them, their quality."""
