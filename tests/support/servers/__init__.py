"""Servers that a test asks: a system under test, a language model, one that takes down all it is sent."""
