"""Precision and recall of a judge in words: optimism and cynicism (GRAMMAR, section 3)."""

from __future__ import annotations

from enum import StrEnum

from core.domain.estimates import Estimate, Proportion

LEAST = 0.8
"""The lowest precision and recall of a trusted judge; a judge with a whole interval below it is biased."""


class Tendency(StrEnum):
    """How a judge errs."""

    TRUSTED = "trusted"
    OPTIMISTIC = "optimistic"
    CYNICAL = "cynical"
    BOTH = "optimistic and cynical"
    CHANCE = "no better than chance"
    UNSETTLED = "not settled"
    NOTHING = "nothing to tell"


def tendency(precision: Proportion, recall: Proportion, kappa: Estimate) -> Tendency:
    """Whether a judge is too lenient, too strict, both, or neither; only where the interval is conclusive.

    Optimistic is a judge whose precision is below `LEAST` with all of its interval: it calls wrong answers correct.
    Cynical is one whose recall is: it calls correct answers wrong. Trusted is one with both above it that also tells
    right from wrong: where most answers are correct, calling everything correct has both above it, so the interval of
    kappa must lie above 0.

    >>> kappa = Estimate(value=0.3, low=0.1, high=0.5, n=198)
    >>> high = Proportion(num=92, den=100, low=0.85, high=0.96)
    >>> str(tendency(Proportion(num=19, den=100, low=0.12, high=0.28), high, kappa)), str(tendency(high, high, kappa))
    ('optimistic', 'trusted')
    """
    if not precision.den and not recall.den:
        return Tendency.NOTHING
    kind = precision.high is not None and precision.high < LEAST
    harsh = recall.high is not None and recall.high < LEAST
    if kind and harsh:
        return Tendency.BOTH
    if kind or harsh:
        return Tendency.OPTIMISTIC if kind else Tendency.CYNICAL
    sure = all(share.low is not None and share.low >= LEAST for share in (precision, recall))
    if not sure or kappa.low is None:
        return Tendency.UNSETTLED
    return Tendency.TRUSTED if kappa.low > 0.0 else Tendency.CHANCE


def reading(precision: Proportion, recall: Proportion, kappa: Estimate) -> str:
    """A judge's figures in two or three sentences with their counts.

    Args:
        precision: Correct answers among those it calls correct.
        recall: Answers it calls correct among the correct ones.
        kappa: Its agreement with the reference beyond chance.
    """
    result = tendency(precision, recall, kappa)
    if result is Tendency.NOTHING:
        if not kappa.n:
            return "No comparison: no answer has verdicts of two independent judges."
        return "Neither this judge nor the reference calls any answer correct."
    sentences = {
        Tendency.TRUSTED: f"Neither too lenient nor too strict: precision and recall are both at least {LEAST:g}.",
        Tendency.CHANCE: "No better than chance: precision and recall are high because most answers are correct.",
        Tendency.OPTIMISTIC: "Optimistic: it calls wrong answers correct.",
        Tendency.CYNICAL: "Cynical: it calls correct answers wrong.",
        Tendency.BOTH: "Optimistic and cynical at once: it errs both ways.",
        Tendency.UNSETTLED: _unsettled(precision, recall, kappa),
    }[result]
    parts = [sentences]
    if precision.den:
        parts.append(
            f"Of the {precision.den:,} answers it calls correct, {precision.den - precision.num:,} "
            f"{'is' if precision.den - precision.num == 1 else 'are'} wrong."
        )
    else:
        parts.append("It calls no answer correct, so it has no precision.")
    if recall.den:
        parts.append(f"It finds {recall.num:,} of the {recall.den:,} correct ones.")
    else:
        parts.append("No answer is correct, so it has no recall.")
    if kappa.low is not None and kappa.low <= 0.0:
        parts.append("Its agreement with the reference is not distinguishable from chance.")
    return " ".join(parts)


def _unsettled(precision: Proportion, recall: Proportion, kappa: Estimate) -> str:
    if kappa.value is None and precision.value == recall.value == 1.0:
        return "Not settled: by the reference no answer is wrong, so its ability to detect one is not known."
    return f"Not settled: the intervals include {LEAST:g}."
