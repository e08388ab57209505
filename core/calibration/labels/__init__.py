"""What few labels can say: estimates, budgets, which metric to trust."""
