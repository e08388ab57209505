"""Texts and numbers as they are shown: rounded, with invisible signs made visible, safe in spreadsheets."""
