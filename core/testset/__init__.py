"""Tests and where they come from."""
