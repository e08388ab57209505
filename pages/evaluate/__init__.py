"""Runs and their answers."""
