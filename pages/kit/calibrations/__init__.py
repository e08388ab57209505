"""Calibrations on screens: reads, words, charts."""
