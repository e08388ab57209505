"""Commands about what is decided: acceptance criteria, and findings over runs."""
