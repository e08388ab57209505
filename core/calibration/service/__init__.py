"""Calibrations of runs: made, stored, applied to cases, checked later."""
