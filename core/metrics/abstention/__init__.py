"""Abstention: whether an answer declines, and whether it should."""
