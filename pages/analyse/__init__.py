"""What the answers mean."""
