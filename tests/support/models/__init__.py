"""Models of tests: scripted, trained here and very small, or a real one."""
