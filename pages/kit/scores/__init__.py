"""Scores on screens: names, reads, charts, lit sentences, the panel that starts a scoring."""
