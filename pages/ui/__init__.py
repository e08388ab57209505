"""What every page stands on: frame, state, readers, charts, tables, job panel; the server and its launcher."""
