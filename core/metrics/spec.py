"""What a metric is: everything a screen, the command line and the report say about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from core.domain.status import Status

if TYPE_CHECKING:
    from core.metrics.prepared import Prepared


class Family(StrEnum):
    """Which part of a RAG system a metric looks at."""

    RETRIEVAL = "retrieval"
    CONTEXT = "context"
    GROUNDEDNESS = "groundedness"
    COMPLETENESS = "completeness"
    RELEVANCY = "relevancy"
    REFERENCE = "reference"
    BEHAVIOUR = "behaviour"


class Need(StrEnum):
    """What a metric cannot do without."""

    QUESTION = "question"
    ANSWER = "answer"
    CONTEXTS = "contexts"
    REFERENCE = "reference"
    DOCUMENT_IDS = "document_ids"
    GOLD_DOCUMENTS = "gold_documents"
    CHUNK_IDS = "chunk_ids"
    GOLD_CHUNKS = "gold_chunks"
    ANSWERABLE = "answerable"
    ENCODER = "encoder"
    NLI = "nli"
    JUDGE = "judge"


Edge = Literal[
    "empty answer",
    "empty contexts",
    "abstention",
    "one sentence",
    "identical texts",
    "longer than the model",
    "other scripts",
    "emoji",
]
"""The inputs every metric states a rule for, where it can meet them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """A metric, described.

    Attributes:
        name: Under which its scores are stored ("groundedness").
        title: For people ("Groundedness").
        family: The part of the system it looks at.
        unit: What the number is ("cosine similarity", "share of sentences").
        low: Least possible value, None where there is no bound.
        high: Greatest possible value, None where there is no bound.
        better: Which way is good.
        needs: Inputs and models it cannot do without.
        question: What it answers, in plain words.
        equation: The definition in plain mathematical text.
        source: Paper and section or equation it comes from, and where we differ.
        version: Grows whenever the same input may give another value.
        edges: The rule for each unusual input, one sentence each.
        at_k: Whether ``name@5`` looks at the first 5 retrieved only.
        uses: Inputs it looks at where they are there and can do without.
        prompts: Ids of the prompts that a judging model is asked with.
    """

    name: str
    title: str
    family: Family
    unit: str
    needs: tuple[Need, ...]
    question: str
    equation: str
    source: str
    low: float | None = 0.0
    high: float | None = 1.0
    better: Literal["higher", "lower"] = "higher"
    version: int = 1
    edges: Mapping[Edge, str] = field(default_factory=dict)
    at_k: bool = False
    uses: tuple[Need, ...] = ()
    prompts: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The command line's form of a metric."""
        return {
            "name": self.name,
            "title": self.title,
            "family": self.family.value,
            "unit": self.unit,
            "range": [self.low, self.high],
            "better": self.better,
            "needs": [need.value for need in self.needs],
            "uses": [need.value for need in self.uses],
            "question": self.question,
            "equation": self.equation,
            "source": self.source,
            "version": self.version,
            "edges": dict(self.edges),
            "at_k": self.at_k,
            "prompts": list(self.prompts),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A value with its evidence, as plain JSON (see `core.metrics.evidence`)."""

    value: float
    detail: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscored:
    """Why there is no value: a status and one sentence a person understands."""

    status: Status
    reason: str
    detail: Mapping[str, object] = field(default_factory=dict)


Outcome = Measured | Unscored

Measure = Callable[["Prepared"], Outcome]
"""A metric's function. What its spec needs is there when it is called; texts may still be empty."""

MeasureAtK = Callable[["Prepared", int | None], Outcome]
"""The function of a metric that knows a cut-off; None takes everything that was retrieved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A spec with its function, bound to a cut-off where one was asked for.

    Attributes:
        name: As asked for: the spec's name, or ``name@k``.
    """

    name: str
    spec: MetricSpec
    measure: Measure
