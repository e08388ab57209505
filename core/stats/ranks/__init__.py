"""How well scores order cases: areas under ROC curves, and rank correlation."""
