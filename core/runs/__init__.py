"""Runs: planned, executed, resumed; the only place where cases are run."""
