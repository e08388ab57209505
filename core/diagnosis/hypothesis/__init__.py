"""Tests of what makes questions fail."""
