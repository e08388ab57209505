"""Samples to score: one question with its answer and passages, from any file, answered where it can be."""
