"""Findings as they are first written: from slices, clusters and what holds, with facts, words and severity."""
