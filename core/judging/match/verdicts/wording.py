"""Judgements as the match judge words them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.results.responses import Judgement, Verdict
from core.judging.match.matching.dates import COARSER
from core.judging.match.settings import CoarseDates, MatchSettings
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.judging.match.values import Hit

PARTLY = 0.5
"""What a partly correct answer counts for in the detail of its verdict."""


def correct(reference: str, rule: str, reason: str) -> Judgement:
    """A correct verdict by a rule."""
    return Judgement(verdict=Verdict.CORRECT, rule=rule, reason=reason, detail={"reference": reference})


def incorrect(reference: str, rule: str, reason: str, detail: dict[str, object] | None = None) -> Judgement:
    """An incorrect verdict by a rule."""
    return Judgement(
        verdict=Verdict.INCORRECT, rule=rule, reason=reason, detail={"reference": reference, **(detail or {})}
    )


def undecided(reference: str, why: str) -> Judgement:
    """No verdict: words do not decide."""
    return Judgement(
        verdict=Verdict.NOT_JUDGED,
        rule=NEEDS_A_JUDGE,
        reason=f"{why} This needs a judge or a person.",
        detail={"reference": reference},
    )


UNPROVEN = "no other value"
"""In the detail of a verdict that was left to a judge because nothing shows that the answer gives another value."""


def unproved(reference: str, why: str) -> Judgement:
    """No verdict: the value is not there, and nothing shows that another one is."""
    judgement = undecided(reference, why)
    return replace(judgement, detail={**judgement.detail, UNPROVEN: True})


def listed(parts: Sequence[str]) -> str:
    """The first five parts, and how many more there are."""
    listing = ", ".join(parts[:5])
    return listing if len(parts) <= 5 else f"{listing} and {len(parts) - 5} more"


def longer(reference: str, more: str) -> Judgement:
    """Incorrect, since an answer lists something besides all that a reference lists."""
    return incorrect(reference, "longer list", f'The answer lists "{more}" besides what the reference lists.')


def missed(reference: str, outcome: Objection, silence: str) -> Judgement:
    """Why a value is not stated; an answer that says it has none abstains.

    Args:
        reference: As given.
        outcome: Why no place counts.
        silence: The words with which the answer declines, or empty.
    """
    if outcome.rule == NEEDS_A_JUDGE:
        return undecided(reference, outcome.reason)
    if silence and outcome.rule in {"no match", "other value", "echo", "question"}:
        return incorrect(reference, "abstained", f'The answer says "{silence}".')
    return incorrect(reference, outcome.rule, outcome.reason)


def found(reference: str, hit: Hit, settings: MatchSettings) -> Judgement:
    """Correct, unless the value says less than the reference and the project counts that as partly correct."""
    if hit.rule != COARSER:
        return correct(reference, hit.rule, hit.reason)
    if settings.coarse_dates is CoarseDates.PARTLY:
        reason = f"{hit.reason}; the project counts a coarser date as partly correct."
        return incorrect(reference, "partly correct", reason, {"credit": PARTLY})
    return correct(reference, COARSER, f"{hit.reason}; the project accepts a coarser date.")
