"""SQL templates: generated, bound, checked, filled."""
