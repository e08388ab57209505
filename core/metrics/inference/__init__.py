"""Scores of answers by a model of natural language inference."""
