"""What the systems of others reply, read as it is: passages, answers, streams."""
