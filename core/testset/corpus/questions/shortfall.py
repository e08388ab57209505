"""Which topics and kinds of a batch got fewer questions than requested, and why, for one line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from core.domain.testset.question_drafts import QuestionBatch
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.kinds import KIND_RULES
from core.testset.corpus.questions.plan import QuestionPlan
from core.testset.corpus.selection.selecting import Check

WORDS: Final[Mapping[Check, str]] = {
    Check.FORM: "is not a sentence",
    Check.WORDING: "not worded as a person asks",
    Check.READING: "second reading",
    Check.SUPPORT: "no support",
    Check.ANSWER: "answer not stated",
    Check.GIVEN_AWAY: "gives its answer away",
    Check.LANGUAGE: "other language",
    Check.COPY: "copied",
    Check.SIMILARITY: "too far from its passage",
    Check.DUPLICATE: "repeats another",
    Check.ANSWERABLE: "not answered as expected",
    Check.KNOWN: "known without documents",
}
"""Each check as a reason in a word or two."""
NONE_MADE: Final = "the passages gave none"
NO_MORE: Final = "the passages gave no more"
NO_MODEL: Final = "needs a model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """A topic or a kind with fewer questions than requested.

    Attributes:
        name: As people call it.
        requested: How many were requested.
        delivered: How many passed the checks, those that make up for others included.
        why: The reason for most of the missing ones.
    """

    name: str
    requested: int
    delivered: int
    why: str

    @property
    def sentence(self) -> str:
        """Name, counts and reason.

        >>> Shortfall(name="Trend", requested=9, delivered=0, why=NONE_MADE).sentence
        'Trend: 0 of 9 (the passages gave none)'
        """
        of = f"{self.delivered:,} of {self.requested:,}" if self.requested else "none"
        return f"{self.name}: {of} ({self.why})"


def short_topics(batch: QuestionBatch) -> tuple[Shortfall, ...]:
    """The strata with fewer questions than requested, those that lack most first."""
    return _shortfalls((str(row["stratum"]), row) for row in batch.delivered)


def short_kinds(batch: QuestionBatch) -> tuple[Shortfall, ...]:
    """The kinds with a weight and fewer questions than requested, those that lack most first.

    Kinds that only a model writes are requested of no rules, and come last.
    """
    plan = QuestionPlan.of(batch.plan)
    unwritten = [kind for kind, part in plan.kinds.items() if part and kind not in plan.written]
    rows = ((KIND_RULES[QuestionKind(str(row["kind"]))].name, row) for row in batch.delivered)
    left_out = (Shortfall(name=KIND_RULES[kind].name, requested=0, delivered=0, why=NO_MODEL) for kind in unwritten)
    return (*_shortfalls(rows), *left_out)


def _shortfalls(rows: Iterable[tuple[str, Mapping[str, object]]]) -> tuple[Shortfall, ...]:
    requested: Counter[str] = Counter()
    delivered: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = {}
    for name, row in rows:
        missing = _count(row, "requested") - _count(row, "delivered")
        requested[name] += _count(row, "requested")
        delivered[name] += _count(row, "delivered")
        if missing > 0:
            reasons.setdefault(name, Counter())[_reason(row)] += missing
    return tuple(
        sorted(
            (
                Shortfall(name=name, requested=n, delivered=delivered[name], why=_why(reasons[name], delivered[name]))
                for name, n in requested.items()
                if delivered[name] < n
            ),
            key=lambda item: item.delivered - item.requested,
        )
    )


def _reason(row: Mapping[str, object]) -> str:
    turned_down = row.get("turned_down")
    if isinstance(turned_down, Mapping) and turned_down:
        check = max(turned_down, key=lambda name: int(str(turned_down[name])))
        return f"turned down: {WORDS[Check(str(check))]}"
    return NONE_MADE


def _why(reasons: Counter[str], delivered: int) -> str:
    (reason, _), *_ = reasons.most_common(1)
    return NO_MORE if reason == NONE_MADE and delivered else reason


def _count(row: Mapping[str, object], name: str) -> int:
    return int(str(row[name]))
