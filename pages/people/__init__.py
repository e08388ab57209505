"""Pages where people come in: they label answers, and their labels calibrate scores."""
