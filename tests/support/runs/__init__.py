"""Finished runs, each with what one kind of test needs, and projects that have one."""
