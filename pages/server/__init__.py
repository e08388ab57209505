"""The server and its launcher."""
