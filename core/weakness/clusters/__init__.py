"""Failure clusters: places on the topic map around which cases fail."""
