"""What documents call the records that a question names by a code or a key."""
