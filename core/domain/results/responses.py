"""Responses of the target, judgements and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.status import Status


class Verdict(StrEnum):
    """Whether an answer is right."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One retrieved passage.

    Attributes:
        document_id: The corpus document it is from.
        text: What it says; empty where only its id is known.
        score: The retriever's own score, where it reports one.
        chunk_id: The part of the document it is, where the target works on parts.
    """

    document_id: str
    text: str = ""
    score: float | None = None
    chunk_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What the target returned for one case.

    Attributes:
        answer: The answer, or None where the target failed.
        contexts: Retrieved passages, best first.
        abstained: Whether the target says it could not answer, where it reports that.
        latency_s: Seconds from question to answer.
        tokens: Prompt and completion tokens, where known.
        error: Why there is no answer, or empty.
    """

    case_id: str
    answer: str | None
    contexts: tuple[Context, ...] = ()
    abstained: bool | None = None
    latency_s: float | None = None
    tokens: int | None = None
    error: str = ""

    @property
    def document_ids(self) -> tuple[str, ...]:
        """Ids of the retrieved documents, each once, best first."""
        return tuple(dict.fromkeys(context.document_id for context in self.contexts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict with the rule that decided.

    Attributes:
        rule: A stable short name of what decided ("number", "date", "abstained").
        reason: One sentence a person can check.
        detail: What was compared.
        failure: Why there is no verdict, where the judge itself failed and not the case.
    """

    verdict: Verdict
    rule: str
    reason: str = ""
    detail: Mapping[str, object] = field(default_factory=dict)
    failure: Status | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One metric's value for one case, or the reason why there is none.

    Attributes:
        value: Only where `status` is `SCORED`.
        detail: Evidence, as plain JSON.
        edited: Whether a person changed it.
    """

    case_id: str
    metric: str
    value: float | None
    status: Status = Status.SCORED
    detail: Mapping[str, object] = field(default_factory=dict)
    edited: bool = False
