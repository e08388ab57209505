"""What the built-in targets share: passages, fusion of rankings, reading an answer."""
