"""Weakness of runs in the store and of files: cases as a table, scores, topics, next steps."""
