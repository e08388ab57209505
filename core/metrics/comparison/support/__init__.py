"""What in the passages supports a claim: its statements word by word, what contradicts them, the best sentences."""
