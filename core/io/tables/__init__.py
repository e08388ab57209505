"""Rows of any data file: how they are read, what columns are called and laid out, what stands in a cell."""
