"""Where ground truth and knowledge come from."""
