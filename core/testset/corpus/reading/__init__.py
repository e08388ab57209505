"""Passages to facts: the names of documents, tables with their heads, fields of forms, plain sentences."""
