"""Probability to prediction set: conformal quantiles, coverage, audits."""
