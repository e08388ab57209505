"""Questions from documents: planned, written, checked, reviewed."""
