"""A report gathered from the store: one function reads, one module a section says it."""
