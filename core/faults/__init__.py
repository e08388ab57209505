"""Faults planted in copies of a working set-up, to prove the diagnosis on a person's own data before it is trusted."""
