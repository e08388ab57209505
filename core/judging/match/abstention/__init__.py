"""Abstention: whether an answer answers, declines, does both, or asks back. One model for every reader of answers."""

from core.judging.match.abstention.blanks import says_nothing
from core.judging.match.abstention.clauses import Clause, Move, clauses_of, makes_no_claim, moves
from core.judging.match.abstention.gaps import find_gap
from core.judging.match.abstention.outcome import Outcome, Reading
from core.judging.match.abstention.reading import (
    MAX_READ,
    abstains,
    counts_none,
    read_ahead,
    read_answer,
    without_model,
)

__all__ = [
    "MAX_READ",
    "Clause",
    "Move",
    "Outcome",
    "Reading",
    "abstains",
    "clauses_of",
    "counts_none",
    "find_gap",
    "makes_no_claim",
    "moves",
    "read_ahead",
    "read_answer",
    "says_nothing",
    "without_model",
]
