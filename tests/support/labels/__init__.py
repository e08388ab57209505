"""Runs with labels, and raters who give them."""
