"""What the project is and what it stands on."""
