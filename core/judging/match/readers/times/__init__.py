"""Dates, times of day, periods, and how often."""
