"""Frozen records and the error tree; imports nothing else of the project."""
