"""What was retrieved against what should have been."""
