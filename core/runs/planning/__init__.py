"""What a run will ask: its plan, its calls, and whom they go to."""
