"""Test sets from documents: facts, questions, topics, strata and what is selected."""
