"""Input variations: other wordings that ask the same; each file is one kind."""
