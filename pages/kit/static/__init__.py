"""Files the browser gets."""
