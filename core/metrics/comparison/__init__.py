"""What texts are compared by: similarity, words, entailment, values."""
