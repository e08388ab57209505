"""What leaves the machine, for models and targets alike: where it may go, what it may carry, how often it is tried."""
