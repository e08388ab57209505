"""Probes: questions that try to elicit what an answer must not give, and whether the answer gave it."""
