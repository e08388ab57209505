"""Models in the store: endpoints, prices, prompts, calls, encodings."""
