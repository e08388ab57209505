"""Verdicts by the kind of reference, as the match judge words them."""

from core.judging.match.verdicts.on_figures import judge_figures, unnamed
from core.judging.match.verdicts.on_lists import judge_list
from core.judging.match.verdicts.on_silence import is_none, judge_silence
from core.judging.match.verdicts.on_truth import judge_truth
from core.judging.match.verdicts.wording import (
    UNPROVEN,
    correct,
    found,
    incorrect,
    listed,
    longer,
    missed,
    undecided,
    unproved,
)

__all__ = [
    "UNPROVEN",
    "correct",
    "found",
    "incorrect",
    "is_none",
    "judge_figures",
    "judge_list",
    "judge_silence",
    "judge_truth",
    "listed",
    "longer",
    "missed",
    "undecided",
    "unnamed",
    "unproved",
]
