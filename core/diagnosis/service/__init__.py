"""Diagnoses of runs that are in the store."""
