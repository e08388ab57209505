"""Cells and fields that are asked for in the words of their table, where no sentence could hold its heads."""
