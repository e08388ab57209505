"""A run's scores: measured, summarised, compared, edited by people."""
