"""The database part of the Connect page."""
