"""The slice finder: conjunctions of up to three attributes, found on one half of the cases and shown on the other."""
