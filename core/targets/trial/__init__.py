"""A target before it is run: what was entered for it, one question put to it, and what looks misread."""
