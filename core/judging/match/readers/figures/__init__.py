"""Numbers with their units, scales and magnitudes, in figures and in words."""
