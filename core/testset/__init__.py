"""Test sets: templates, questions from documents, topics, review and building."""
