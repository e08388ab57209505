"""The command weakness."""
