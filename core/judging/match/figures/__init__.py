"""Figures: when two are the same, which of an answer's is its answer, and what a reference in prose asks for."""
