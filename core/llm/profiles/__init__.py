"""What each model takes and how it replies: learnt from refusals, asked for on demand, set by people, shared."""
