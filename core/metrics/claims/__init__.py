"""Metrics of claims: an answer taken apart into facts, each checked against a text by a judging model."""
