"""A call and what becomes of it: attempts, replies, outcomes, the ledger."""
