"""Intervals, resampling, paired tests and multiplicity: arrays in, estimates out."""
