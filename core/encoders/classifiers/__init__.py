"""Models that classify texts: pairs of them, whole ones, and spans; each is loaded once."""
