"""Functions, chains, engines and retrievers of a person's own code: found, asked, and read."""
