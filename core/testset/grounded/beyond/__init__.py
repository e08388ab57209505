"""Templates beyond look-ups: counts, extremes, totals, lists, comparisons, dates, negation and existence."""
