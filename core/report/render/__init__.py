"""A report drawn: as HTML, as PDF, as a document and as tables."""
