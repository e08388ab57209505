"""Projects, the roles actors have in them, and the only way to make one."""
