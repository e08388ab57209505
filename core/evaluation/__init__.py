"""Planning, running and resuming; the only place where cases are run."""
