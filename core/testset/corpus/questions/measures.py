"""The measures of one batch of questions beside their limits, for choosing the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain.testset.question_drafts import QuestionDraft
from core.testset.corpus.selection.selecting import Check, Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A check that gives a number.

    Attributes:
        check: The check.
        limit: The limit from which a question is turned down.
        too_high: Whether a question is turned down above the limit; below it otherwise.
        passed: Values of the questions that this check let pass.
        turned_down: Values of those it turned down.
        unmeasured: Questions without a value: an earlier check turned them down, or they have nothing to measure.
    """

    check: Check
    limit: float
    too_high: bool
    passed: tuple[float, ...]
    turned_down: tuple[float, ...]
    unmeasured: int

    @property
    def n(self) -> int:
        """Questions with a value."""
        return len(self.passed) + len(self.turned_down)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckCount:
    """How many questions a check examined, and how many it turned down.

    Attributes:
        check: The check.
        looked_at: Questions that reached it and that it can examine.
        turned_down: Questions that failed it.
    """

    check: Check
    looked_at: int
    turned_down: int

    @property
    def passed(self) -> int:
        """Questions that passed it."""
        return self.looked_at - self.turned_down


def measures(drafts: Sequence[QuestionDraft], limits: Limits) -> tuple[Measure, ...]:
    """Similarity, copied words and the nearest other question, against the limits they were examined with.

    Args:
        drafts: The questions of one batch. Later decisions by people do not matter here.
        limits: The limits of that batch.
    """
    return (
        _measure(drafts, Check.SIMILARITY, lambda draft: draft.similarity, limits.similarity, too_high=False),
        _measure(drafts, Check.COPY, lambda draft: draft.copied, limits.copy, too_high=True),
        _measure(drafts, Check.DUPLICATE, lambda draft: draft.nearest, limits.duplicate, too_high=True),
    )


def check_counts(drafts: Sequence[QuestionDraft]) -> tuple[CheckCount, ...]:
    """Every check in its order; a question is examined up to the first check it fails."""
    remaining, counts = list(drafts), []
    for check in Check:
        applies = _APPLIES.get(check, _always)
        down = sum(draft.failed == check.value for draft in remaining)
        counts.append(CheckCount(check=check, looked_at=sum(map(applies, remaining)), turned_down=down))
        remaining = [draft for draft in remaining if draft.failed != check.value]
    return tuple(counts)


def _always(draft: QuestionDraft) -> bool:
    return True


_APPLIES: dict[Check, Callable[[QuestionDraft], bool]] = {
    Check.COPY: lambda draft: draft.copied is not None,
    Check.SIMILARITY: lambda draft: draft.similarity is not None,
    Check.ANSWERABLE: lambda draft: draft.answered is not None,
    Check.KNOWN: lambda draft: draft.known is not None,
}
"""Checks that cannot examine every question that reaches them."""


def _measure(
    drafts: Sequence[QuestionDraft],
    check: Check,
    value_of: Callable[[QuestionDraft], float | None],
    limit: float,
    *,
    too_high: bool,
) -> Measure:
    values = [(value, draft.failed == check.value) for draft in drafts if (value := value_of(draft)) is not None]
    return Measure(
        check=check,
        limit=limit,
        too_high=too_high,
        passed=tuple(value for value, down in values if not down),
        turned_down=tuple(value for value, down in values if down),
        unmeasured=len(drafts) - len(values),
    )
