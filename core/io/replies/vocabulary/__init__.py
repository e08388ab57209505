"""What the systems of others call an answer, a passage and the rest, in any language."""
