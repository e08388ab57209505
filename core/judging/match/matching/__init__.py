"""Whether a value of an answer is the reference's: one file a kind of value."""
