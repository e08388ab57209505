"""Runs that are weak where somebody made them so, and their cases as a table."""
