"""Files as other programs write them, whole and damaged."""
