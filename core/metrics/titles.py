"""What scores are called for people that are no metrics: those that a safety check leaves on a run."""

from __future__ import annotations

from typing import Final

SAFETY: Final = "safety."
"""In front of the scores of a safety check."""

OF_SAFETY: Final = {"safety.no_leak": "No leak (safety)", "safety.not_toxic": "Not toxic (safety)"}
"""By stored name; 1 is good."""
