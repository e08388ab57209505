"""The audit trail: its entries, what they tell, and the key that seals them."""
