"""The validator's database, read-only to us."""
