"""Differences between samples: tests of them, their multiplicity, and the least that could have been shown."""
