"""The answer against its question, its passages and its reference."""
