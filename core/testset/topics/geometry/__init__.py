"""Chunks as points: their nearest neighbours, few dimensions, and groups."""
