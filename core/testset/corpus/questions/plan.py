"""The plan of questions from documents, and its division among strata and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.errors import Forbidden, InvalidInput
from core.domain.llm import PromptVariant
from core.domain.testset.questions import QuestionKind
from core.llm.spending.budgets import Limits as SpendingLimits
from core.llm.variants import asked_variant
from core.testset.corpus.allocation import Allocation, Share
from core.testset.corpus.questions.kinds import NEEDS_MODEL
from core.testset.corpus.questions.passages import most_answered, most_passages
from core.testset.corpus.selection.selecting import Limits
from core.testset.corpus.writing import Request
from core.testset.topics.strata import Crossing, Stratum

MOST_QUESTIONS = 20_000
"""The most questions of a plan; nobody would review more."""

EVEN: Mapping[QuestionKind, int] = {
    QuestionKind.SIMPLE: 3,
    QuestionKind.TABLE: 3,
    QuestionKind.COMPARISON: 1,
    QuestionKind.TREND: 2,
    QuestionKind.MULTI_HOP: 1,
    QuestionKind.MULTI_DOCUMENT: 2,
    QuestionKind.INFERENCE: 1,
    QuestionKind.YES_NO: 2,
    QuestionKind.MULTIPLE_CHOICE: 1,
    QuestionKind.OUT_OF_SCOPE: 2,
}
"""By default, the parts of each kind; a kind that the documents do not give stays undelivered, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPlan:
    """The questions to be written.

    Attributes:
        questions: How many in all.
        kinds: Parts of each kind; a kind that is not named, or has 0, is not written.
        allocation: The basis of the strata's shares.
        weights: Importance or usage counts of topics by number, for `WEIGHTED`.
        minimum: Questions of a stratum at least.
        crossing: What topics are crossed with.
        outliers: Whether chunks without a topic are a stratum too.
        seed: Of every random choice.
        limits: The limits from which a question is turned down.
        model: ``MODEL@BASE_URL``; empty for the built-in rules.
        send_documents: A person's consent to send passages to the models of the plan.
        probe: Whether the model that writes answers each question with its passages and without; what it cannot answer
            with them, or can without, is turned down.
        checker: ``MODEL@BASE_URL`` of a model that does so in its place, for questions by rules too; empty for none.
        prompts: The variant of the prompts for the models; None leaves it to what is known of them.
        spending: The spending limits for the models.
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
    prompts: PromptVariant | None = None
    spending: SpendingLimits = field(default_factory=SpendingLimits)

    @property
    def answered_by(self) -> str:
        """The model that answers the questions before a person reviews them; empty where none does."""
        return self.checker or (self.model if self.probe else "")

    @property
    def written(self) -> Mapping[QuestionKind, int]:
        """The parts of the kinds that are written: without a model, not those that only a model writes."""
        return {kind: part for kind, part in self.kinds.items() if self.model or kind not in NEEDS_MODEL}

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why kinds of the plan are not written; empty where all are."""
        return tuple(NEEDS_MODEL[kind] for kind, part in self.kinds.items() if part and kind not in self.written)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that passages are sent to."""
        return tuple(dict.fromkeys(spec for spec in (self.model, self.checker) if spec))

    def check(self) -> None:
        """Refuses a plan that cannot be carried out.

        Raises:
            InvalidInput: The number of questions is out of bounds, or no kind is requested.
            Forbidden: A model is to write or to answer, and there is no consent to send it passages.
        """
        if not 1 <= self.questions <= MOST_QUESTIONS:
            raise InvalidInput(f"{self.questions:,} questions cannot be written.", f"Give 1 to {MOST_QUESTIONS:,}.")
        if any(part < 0 for part in self.kinds.values()) or not any(self.kinds.values()):
            raise InvalidInput("No kind of question is wanted.", "Give at least one kind a part above 0.")
        if not self.model and not any(self.written.values()):
            reason = next(reason for kind, reason in NEEDS_MODEL.items() if self.kinds.get(kind))
            raise InvalidInput(reason, "Name a model that writes them, or choose other kinds.")
        if self.models and not self.send_documents:
            does = "writes" if self.model else "answers"
            raise Forbidden(
                f"A model that {does} questions reads passages of the documents, and nobody agreed to send them.",
                "Give your consent, or use the built-in rules without a model.",
            )

    @classmethod
    def of(cls, params: Mapping[str, object]) -> QuestionPlan:
        """The plan that a job's parameters describe.

        Raises:
            InvalidInput: A name or figure is not valid.
        """
        kinds, weights, limits = (_mapping(params.get(name)) for name in ("kinds", "weights", "limits"))
        try:
            return cls(
                questions=int(str(params.get("questions", 60))),
                kinds={QuestionKind(kind): int(str(part)) for kind, part in kinds.items()} or dict(EVEN),
                allocation=Allocation(str(params.get("allocation", Allocation.PROPORTIONAL))),
                weights={int(topic): float(str(weight)) for topic, weight in weights.items()},
                minimum=int(str(params.get("minimum", 0))),
                crossing=Crossing(str(params.get("crossing", Crossing.NONE))),
                outliers=params.get("outliers") is True,
                seed=int(str(params.get("seed", 0))),
                limits=Limits(**{name: float(str(value)) for name, value in limits.items()}),
                model=str(params.get("model", "")),
                send_documents=params.get("send_documents") is True,
                probe=params.get("probe") is not False,
                checker=str(params.get("checker", "")),
                prompts=asked_variant(params.get("prompts")),
                spending=SpendingLimits.of(params),
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
                "similarity": self.limits.similarity,
                "copy": self.limits.copy,
                "duplicate": self.limits.duplicate,
            },
            "model": self.model,
            "send_documents": self.send_documents,
            "probe": self.probe,
            "checker": self.checker,
            **({"prompts": self.prompts.value} if self.prompts else {}),
            **self.spending.as_params(),
        }


def dealt(kinds: Mapping[QuestionKind, int], n: int) -> list[QuestionKind]:
    """A list of `n` kinds in their proportions, evenly mixed: any stretch of it has about the same proportions.

    >>> [kind.value for kind in dealt({QuestionKind.SIMPLE: 2, QuestionKind.YES_NO: 1}, 6)]
    ['simple', 'yes_no', 'simple', 'simple', 'yes_no', 'simple']
    """
    parts = {kind: kinds.get(kind, 0) for kind in QuestionKind if kinds.get(kind, 0) > 0}
    total = sum(parts.values())
    standing = dict.fromkeys(parts, 0)
    kinds_in_turn = []
    for _ in range(n):
        for kind, part in parts.items():
            standing[kind] += part
        first = max(standing, key=lambda kind: standing[kind])
        standing[first] -= total
        kinds_in_turn.append(first)
    return kinds_in_turn


def requests_of(
    plan: QuestionPlan, shares: Sequence[Share], chunk_ids: Mapping[Stratum, Sequence[str]]
) -> tuple[tuple[Stratum, Request], ...]:
    """The questions requested of each stratum in each kind; over all kinds they sum to the stratum's share."""
    deck = iter(dealt(plan.written, sum(share.requested for share in shares)))
    requests = []
    for share in shares:
        counts: dict[QuestionKind, int] = {}
        for _ in range(share.requested):
            kind = next(deck)
            counts[kind] = counts.get(kind, 0) + 1
        name = f"{share.stratum.topic}/{share.stratum.value}"
        requests += [
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
    return tuple(requests)


def _mapping(value: object) -> dict[str, object]:
    return {str(name): item for name, item in value.items()} if isinstance(value, Mapping) else {}
