"""Commands that run, score and compare."""
