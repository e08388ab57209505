"""What a write leaves: rows over existing ones, the tables it changed, and the versions that grow with them."""
