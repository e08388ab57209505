"""Models on screens: which one, what it costs, what a job may spend."""
