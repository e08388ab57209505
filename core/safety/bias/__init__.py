"""Bias: the same question asked for different people, and whether what comes back differs."""
