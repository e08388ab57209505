"""What is asked of whoever writes questions from documents, and how it is divided among strata and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.errors import Forbidden, InvalidInput
from core.domain.questions import QuestionKind
from core.llm.budgets import Limits as SpendingLimits
from core.testset.corpus.allocation import Allocation, Share
from core.testset.corpus.question_passages import most_answered, most_passages
from core.testset.corpus.selecting import Limits
from core.testset.corpus.strata import Crossing, Stratum
from core.testset.corpus.writing import Request

MOST_QUESTIONS = 20_000
"""More than anybody reviews."""

EVEN: Mapping[QuestionKind, int] = {
    QuestionKind.SIMPLE: 3,
    QuestionKind.MULTI_HOP: 1,
    QuestionKind.INFERENCE: 1,
    QuestionKind.YES_NO: 2,
    QuestionKind.MULTIPLE_CHOICE: 1,
    QuestionKind.OUT_OF_SCOPE: 2,
}
"""Of ten questions, how many of each kind unless somebody says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPlan:
    """What is to be written.

    Attributes:
        questions: How many in all.
        kinds: Parts of each kind; a kind that is not named, or has 0, is not written.
        allocation: What the strata's shares are in proportion to.
        weights: Importance or usage counts of topics by number, for `WEIGHTED`.
        minimum: Questions of a stratum at least.
        crossing: What topics are crossed with.
        outliers: Whether chunks without a topic are a stratum too.
        seed: Of every random choice.
        limits: From where on a question is turned down.
        model: ``MODEL@BASE_URL``; empty for the built-in rules.
        send_documents: A person's consent to send passages to the models of the plan.
        probe: Whether the model that writes answers each question with its passages and without; what it cannot answer
            with them, or can without, is turned down.
        checker: ``MODEL@BASE_URL`` of a model that does so in its place, for questions by rules too; empty for none.
        spending: What may be spent on the models.
    """

    questions: int = 60
    kinds: Mapping[QuestionKind, int] = field(default_factory=lambda: dict(EVEN))
    allocation: Allocation = Allocation.PROPORTIONAL
    weights: Mapping[int, float] = field(default_factory=dict)
    minimum: int = 0
    crossing: Crossing = Crossing.NONE
    outliers: bool = False
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    model: str = ""
    send_documents: bool = False
    probe: bool = True
    checker: str = ""
    spending: SpendingLimits = field(default_factory=SpendingLimits)

    @property
    def answered_by(self) -> str:
        """The model that answers the questions before a person reviews them; empty where none does."""
        return self.checker or (self.model if self.probe else "")

    @property
    def models(self) -> tuple[str, ...]:
        """The models that passages are sent to."""
        return tuple(dict.fromkeys(spec for spec in (self.model, self.checker) if spec))

    def check(self) -> None:
        """Refuses what cannot be written.

        Raises:
            InvalidInput: Their number is out of bounds, or no kind is wanted.
            Forbidden: A model is to write or to answer, and nobody agreed to send it passages.
        """
        if not 1 <= self.questions <= MOST_QUESTIONS:
            raise InvalidInput(f"{self.questions:,} questions cannot be written.", f"Give 1 to {MOST_QUESTIONS:,}.")
        if any(part < 0 for part in self.kinds.values()) or not any(self.kinds.values()):
            raise InvalidInput("No kind of question is wanted.", "Give at least one kind a part above 0.")
        if self.models and not self.send_documents:
            does = "writes" if self.model else "answers"
            raise Forbidden(
                f"A model that {does} questions reads passages of the documents, and nobody agreed to send them.",
                "Agree to it, or let the built-in rules write and no model answer.",
            )

    @classmethod
    def of(cls, given: Mapping[str, object]) -> QuestionPlan:
        """The plan that a job's parameters describe.

        Raises:
            InvalidInput: A name or figure is none.
        """
        kinds, weights, limits = (_mapping(given.get(name)) for name in ("kinds", "weights", "limits"))
        try:
            return cls(
                questions=int(str(given.get("questions", 60))),
                kinds={QuestionKind(kind): int(str(part)) for kind, part in kinds.items()} or dict(EVEN),
                allocation=Allocation(str(given.get("allocation", Allocation.PROPORTIONAL))),
                weights={int(topic): float(str(weight)) for topic, weight in weights.items()},
                minimum=int(str(given.get("minimum", 0))),
                crossing=Crossing(str(given.get("crossing", Crossing.NONE))),
                outliers=given.get("outliers") is True,
                seed=int(str(given.get("seed", 0))),
                limits=Limits(**{name: float(str(value)) for name, value in limits.items()}),
                model=str(given.get("model", "")),
                send_documents=given.get("send_documents") is True,
                probe=given.get("probe") is not False,
                checker=str(given.get("checker", "")),
                spending=SpendingLimits.of(given),
            )
        except (ValueError, TypeError) as error:
            raise InvalidInput(f"The plan cannot be read: {error}.", "Write it again on the Test set page.") from error

    def as_params(self) -> dict[str, object]:
        """Plain JSON, for a job and for the audit trail."""
        return {
            "questions": self.questions,
            "kinds": {kind.value: part for kind, part in self.kinds.items()},
            "allocation": self.allocation.value,
            "weights": {str(topic): weight for topic, weight in self.weights.items()},
            "minimum": self.minimum,
            "crossing": self.crossing.value,
            "outliers": self.outliers,
            "seed": self.seed,
            "limits": {
                "similarity": self.limits.similarity, "copy": self.limits.copy, "duplicate": self.limits.duplicate,
            },
            "model": self.model,
            "send_documents": self.send_documents,
            "probe": self.probe,
            "checker": self.checker,
            **self.spending.as_params(),
        }  # fmt: skip


def dealt(kinds: Mapping[QuestionKind, int], n: int) -> list[QuestionKind]:
    """So many kinds in their proportions, evenly mixed: any stretch of the list has about the same proportions.

    >>> [kind.value for kind in dealt({QuestionKind.SIMPLE: 2, QuestionKind.YES_NO: 1}, 6)]
    ['simple', 'yes_no', 'simple', 'simple', 'yes_no', 'simple']
    """
    wanted = {kind: kinds.get(kind, 0) for kind in QuestionKind if kinds.get(kind, 0) > 0}
    total = sum(wanted.values())
    standing = dict.fromkeys(wanted, 0)
    found = []
    for _ in range(n):
        for kind, part in wanted.items():
            standing[kind] += part
        first = max(standing, key=lambda kind: standing[kind])
        standing[first] -= total
        found.append(first)
    return found


def requests_of(
    plan: QuestionPlan, shares: Sequence[Share], chunk_ids: Mapping[Stratum, Sequence[str]]
) -> tuple[tuple[Stratum, Request], ...]:
    """The questions wanted of each stratum in each kind; what is wanted in all kinds is the stratum's share."""
    deck = iter(dealt(plan.kinds, sum(share.requested for share in shares)))
    found = []
    for share in shares:
        counts: dict[QuestionKind, int] = {}
        for _ in range(share.requested):
            kind = next(deck)
            counts[kind] = counts.get(kind, 0) + 1
        name = f"{share.stratum.topic}/{share.stratum.value}"
        found += [
            (
                share.stratum,
                Request(
                    stratum=name,
                    kind=kind,
                    n=counts[kind],
                    chunk_ids=tuple(chunk_ids[share.stratum]),
                    most_passages=most_passages(counts[kind]) if plan.model else None,
                    most_answered=most_answered(counts[kind]) if plan.answered_by else None,
                ),
            )
            for kind in QuestionKind
            if kind in counts
        ]
    return tuple(found)


def _mapping(value: object) -> dict[str, object]:
    return {str(name): item for name, item in value.items()} if isinstance(value, Mapping) else {}
