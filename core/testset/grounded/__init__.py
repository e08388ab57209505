"""Tests whose ground truth is the result of a query (GRAMMAR, section 4)."""
