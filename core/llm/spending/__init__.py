"""What calls cost: prices, estimates, budgets."""
