"""The facts that a run failed at, and the search for the documents' evidence on each."""
