"""Sentences and words: what every reader of text here agrees on."""
