"""References of several figures: which of them a question asks for, and whose each is."""
