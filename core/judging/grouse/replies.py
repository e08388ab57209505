"""The forms of a GroUSE judge's replies: one for each prompt, for two answers or for one.

The names are those of the published prompts, so that a prompt somebody has tuned for them can be used here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, create_model, model_validator

from core.judging.grouse.scores import JUDGED, GrouseMetric

PROMPT_IDS: Mapping[GrouseMetric, str] = {metric: f"grouse_{metric.value}" for metric in JUDGED}
"""The prompt of each metric that is judged; each has a short variant."""

PURPOSE = "grouse"

_NULLS = frozenset({"null", "none"})
_WHOLE = re.compile(r"[+-]?\d{1,3}(?:\.0{1,6})?")
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def _number(value: object) -> object:
    """A grade that is written otherwise: ``"4"``, ``4.0``, ``"null"``; anything else is as it was, and no grade."""
    if isinstance(value, str):
        text = value.strip().strip("\"'").casefold()
        if text in _NULLS:
            return None
        return int(float(text)) if _WHOLE.fullmatch(text) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _grade(value: object) -> object:
    """A grade from 1 to 5; a truth is none, since nobody can say which."""
    if isinstance(value, bool):
        raise ValueError("a grade is a whole number from 1 to 5 or null, not true or false")
    return _number(value)


def _binary(value: object) -> object:
    """0 or 1, which may arrive as a truth."""
    if isinstance(value, str) and (text := value.strip().strip("\"'.").casefold()) in _TRUTHS:
        return int(_TRUTHS[text])
    return int(value) if isinstance(value, bool) else _number(value)


def _text(value: object) -> object:
    return "" if value is None else value


def _truth(value: object) -> object:
    """A truth that is missing says nothing; it is evidence, not the score."""
    return None if isinstance(value, str) and value.strip().casefold() in {"", *_NULLS} else value


Grade = Annotated[Literal[1, 2, 3, 4, 5] | None, BeforeValidator(_grade)]
Binary = Annotated[Literal[0, 1] | None, BeforeValidator(_binary)]
Truth = Annotated[bool | None, BeforeValidator(_truth)]
Text = Annotated[str, BeforeValidator(_text)]


class Judged(BaseModel):
    """What a reply says of one answer; the grade itself has the metric's name and is never left out."""

    @property
    def declines(self) -> bool | None:
        """Whether the judge says that the answer states that no passage answers; None where it does not tell."""
        return None


class AnswerRelevancy(Judged):
    """Whether what the answer says responds to the question."""

    answer_affirms_no_document_answers: Truth = None
    answer_relevancy_justification: Text = ""
    answer_relevancy: Grade

    @property
    def declines(self) -> bool | None:
        """As the judge says."""
        return self.answer_affirms_no_document_answers


class Completeness(Judged):
    """Whether everything in the passages that answers the question is in the answer."""

    completeness_justification: Text = ""
    completeness: Grade


class Usefulness(Judged):
    """Whether what an answer adds that declines is worth knowing."""

    answer_affirms_no_document_answers: Truth = None
    answer_contains_related_information: Truth = None
    usefulness_justification: Text = ""
    usefulness: Binary

    @property
    def declines(self) -> bool | None:
        """As the judge says."""
        return self.answer_affirms_no_document_answers


class SentenceAnalysis(BaseModel):
    """What the judge says of one sentence."""

    sentence: Text
    criterion_1: Text = Field(default="", description="Whether a source follows it.")
    criterion_2: Text = Field(default="", description="Whether it is the right source.")
    criterion_3: Text = Field(default="", description="Whether it agrees with the source.")


class Faithfulness(Judged):
    """Whether every sentence cites its passage and agrees with it."""

    answer_only_asserts_no_document_answers: Truth = None
    content_analysis_sentence_by_sentence: list[SentenceAnalysis] = Field(default_factory=list)
    faithfulness_justification: Text = ""
    faithfulness: Binary


class UncitedAnalysis(BaseModel):
    """What the judge says of one sentence of an answer without citations."""

    sentence: Text
    criterion_3: Text = Field(default="", description="Whether the passages state it.")


class UncitedFaithfulness(Judged):
    """Whether every sentence agrees with the passages, whichever it is from."""

    answer_only_asserts_no_document_answers: Truth = None
    content_analysis_sentence_by_sentence: list[UncitedAnalysis] = Field(default_factory=list)
    faithfulness_justification: Text = ""
    faithfulness: Binary


_OF: Mapping[GrouseMetric, type[Judged]] = {
    GrouseMetric.ANSWER_RELEVANCY: AnswerRelevancy,
    GrouseMetric.COMPLETENESS: Completeness,
    GrouseMetric.USEFULNESS: Usefulness,
    GrouseMetric.FAITHFULNESS: Faithfulness,
    GrouseMetric.FAITHFULNESS_UNCITED: UncitedFaithfulness,
}


@cache
def form_of(metric: GrouseMetric, answers: int) -> type[BaseModel]:
    """The form of a reply about one answer or two: ``answer_1`` and, of two, ``answer_2``.

    A reply about one answer may leave ``answer_1`` away and give what would stand under it.
    """
    judged = _OF[metric]
    names = [f"answer_{number}" for number in range(1, answers + 1)]
    fields: dict[str, Any] = dict.fromkeys(names, (judged, ...))
    base = _Alone if answers == 1 else BaseModel
    return create_model(f"{judged.__name__}{'Pair' if answers > 1 else 'Alone'}", __base__=base, **fields)


class _Alone(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, document: Any) -> Any:
        return {"answer_1": document} if isinstance(document, dict) and "answer_1" not in document else document


def grade_of(metric: GrouseMetric, judged: Judged) -> tuple[float | None, str]:
    """The grade and its justification."""
    name = GrouseMetric.FAITHFULNESS.value if metric is GrouseMetric.FAITHFULNESS_UNCITED else metric.value
    value = getattr(judged, name)
    return None if value is None else float(value), str(getattr(judged, f"{name}_justification")).strip()


def analysis_of(judged: Judged) -> tuple[Mapping[str, str], ...]:
    """What the reply says of each sentence, none where its form has no such part."""
    sentences: list[BaseModel] = getattr(judged, "content_analysis_sentence_by_sentence", [])
    return tuple(sentence.model_dump() for sentence in sentences)
