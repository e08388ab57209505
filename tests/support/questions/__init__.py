"""Questions that rules make or that were recorded."""
