"""What a search finds: the worst slices, failures that lie together, and the findings recorded and decided of them."""
