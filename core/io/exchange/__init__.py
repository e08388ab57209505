"""A peer's file: its format, its columns, its rows in our words."""
