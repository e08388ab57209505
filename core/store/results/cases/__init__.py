"""The cases of a run: their inputs and outcomes read by column, and the order in which they are listed."""
