"""Texts: one spelling for what says the same, versions, and where something was found."""
