"""Input that misleads, is unclear or lies outside the collection, and plain repeats; each file is one kind."""
