"""What is weak, in words: one finding for each set of cases, with its figures and its severity."""
