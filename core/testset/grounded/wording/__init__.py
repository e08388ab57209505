"""Wordings of SQL templates: what a template asks, in the phrases people use."""
