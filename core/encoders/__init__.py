"""Models of sentences, found, opened and remembered: vectors, inference, tokens."""
