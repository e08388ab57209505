"""Documents to chunks."""
