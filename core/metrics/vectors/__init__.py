"""Scores of answers and passages by the vectors of their sentences."""
