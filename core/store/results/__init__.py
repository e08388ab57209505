"""Runs and their scores in the store."""
