"""Pages that take results out of the project and bring others in."""
