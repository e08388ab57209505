"""Runs from and to files of other tools."""
