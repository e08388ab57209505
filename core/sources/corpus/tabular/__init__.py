"""Rows and columns of documents, as lines that name their heads."""
