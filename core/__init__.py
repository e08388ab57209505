"""The engine: every function takes records and returns records, and knows nothing of the screens."""

__version__ = "0.1.0"
