"""Judging models: their families, the form of their replies, and the verdict of their majority."""
