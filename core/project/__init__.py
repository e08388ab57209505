"""Projects, roles and who may do what."""
