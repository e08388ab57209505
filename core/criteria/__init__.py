"""Acceptance criteria: what a system must reach, set before a run; and how many questions it takes to show it."""
