"""Judges: what decides whether an answer is right."""
