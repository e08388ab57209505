"""GRAMMAR's files: templates, recorded runs, verdicts."""
