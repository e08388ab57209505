"""From templates to a frozen test set."""
