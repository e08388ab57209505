"""Long work in processes of its own, with heartbeat, progress, stop and resume."""
