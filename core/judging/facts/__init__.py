"""What documents say about a fact."""
