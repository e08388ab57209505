"""The match judge: verdicts by rules a person can check, and the readers of numbers, dates and text behind them."""
