"""Facts to questions by rules: one module for each sort of question, and the index they share."""
