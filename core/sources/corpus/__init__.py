"""The documents the system under test searches."""
