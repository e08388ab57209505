"""Commands about questions from documents."""
