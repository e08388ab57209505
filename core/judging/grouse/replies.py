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
from core.judging.models.reply_values import NULLS, TOP, bare, binary, grade, is_top
from core.llm.replies.loose import REASONS, Also, LooseForm, labels, plain, renamed, unwrapped

PROMPT_IDS: Mapping[GrouseMetric, str] = {metric: f"grouse_{metric.value}" for metric in JUDGED}
"""The prompt of each metric that is judged; each has a short variant."""

PURPOSE = "grouse"

_TRUTHS: Mapping[str, object] = {"true": 1, "yes": 1, "false": 0, "no": 0}
_OWN_NAMES = frozenset({"answer_relevancy", "completeness", "usefulness", "faithfulness"})
_BINARY = frozenset({"usefulness", "faithfulness"})
_SCALES = ("scale", "range", "max", "maximum", "maxscore", "outof")
_BEFORE = ("previous", "prior", "max", "min", "confidence")
_PLACES = ("id", "number", "no", "index", "name", "answer", "answerid", "answernumber")
"""Names under which an item of a list says which answer it is about."""
_CONCLUDED = re.compile(
    r"\b(?:so|therefore|thus|hence|overall|finally)\b[^.;]{0,30}"
    r"\b(?:grade|score|rating)\b\s*(?:is|of|:|=|must be)\s*([0-5])\b"
    r"|\b(?:deserves?|merits?|earns?|(?:give|grade|rate) (?:it|this))\s+(?:an?\s+|as\s+)?([0-5])\b",
    re.IGNORECASE,
)
"""The grade at which a justification arrives."""
_SCORE = ("score", "grade", "rating")
_LISTS = frozenset({"answers", "judgements", "judgments", "evaluations", "results"})
_NUMBERED = re.compile(r"answer(\d+)")


def _text(value: object) -> object:
    """What a model says of its grade; it is kept however it is written."""
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    return "" if value is None else value if isinstance(value, str) else str(value)


def _truth(value: object) -> object:
    """A truth that cannot be read says nothing; it is evidence, not the score."""
    said = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    return value if value is None or isinstance(value, bool) else said.get(bare(str(value)))


def _analyses(value: object) -> object:
    """What is said of each sentence; it is evidence, so what has no form is kept as a sentence."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return [] if value is None or bare(str(value)) in {"", *NULLS} else [{"sentence": str(value)}]
    return [{"sentence": ""} | item if isinstance(item, dict) else {"sentence": str(item)} for item in value]


Grade = Annotated[Literal[1, 2, 3, 4, 5] | None, BeforeValidator(grade)]
Binary = Annotated[Literal[0, 1] | None, BeforeValidator(lambda value: binary(value, _TRUTHS))]
Truth = Annotated[bool | None, BeforeValidator(_truth)]
Text = Annotated[str, BeforeValidator(_text)]
Because = Annotated[str, BeforeValidator(_text), Also(REASONS)]


class Judged(LooseForm):
    """What a reply says of one answer; the grade itself has the metric's name and is never left out."""

    @model_validator(mode="before")
    @classmethod
    def _of_this_metric(cls, document: Any) -> Any:
        """A bare ``score`` beside the name of another metric may be anything's."""
        if isinstance(document, dict):
            _refuse_two_grades(cls, document)
            others = {plain(name) for name in _OWN_NAMES - cls.model_fields.keys()}
            if any(plain(name) in others for name in document):
                return {name: value for name, value in document.items() if plain(name) not in _SCORE}
        return document

    @property
    def declines(self) -> bool | None:
        """Whether the judge says that the answer states that no passage answers; None where it does not tell."""
        return None


def _refuse_two_grades(form: type[BaseModel], document: Mapping[str, Any]) -> None:
    """Refuses what names a scale of its own, or a score beside the grade that is another, or concludes on another.

    Raises:
        ValueError: It is such an object.
    """
    own = next(name for name in form.model_fields if name in _OWN_NAMES)
    top = 1 if own in _BINARY else TOP
    said = {plain(name): value for name, value in document.items()}
    if scale := next((said[name] for name in _SCALES if name in said and not is_top(said[name], top)), None):
        raise ValueError(f"it grades on a scale of its own, {str(scale)[:40]!r}")
    given = said.get(plain(own))
    _refuse_another(said, given)
    reasons = " ".join(str(said[name]) for name in said if name.endswith("justification") or name in REASONS)
    concluded = ["".join(found) for found in _CONCLUDED.findall(reasons)]
    if concluded and isinstance(given, int) and concluded[-1] != str(int(given)):
        raise ValueError(f"it concludes on {concluded[-1]} and gives {int(given)}")


def _refuse_another(said: Mapping[str, Any], given: object) -> None:
    """Refuses a score beside a grade that is another; what was given before is none.

    Raises:
        ValueError: There is such a score.
    """
    beside = [value for name, value in said.items() if name.endswith(_SCORE) and not name.startswith(_BEFORE)]
    if given is not None and any(isinstance(value, (int, float, str)) and str(value) != str(given) for value in beside):
        raise ValueError("it gives two grades")


class AnswerRelevancy(Judged):
    """Whether what the answer says responds to the question."""

    answer_affirms_no_document_answers: Truth = None
    answer_relevancy_justification: Because = ""
    answer_relevancy: Annotated[Grade, Also(("relevancy", "relevance", "answer relevance", *_SCORE))]

    @property
    def declines(self) -> bool | None:
        """As the judge says."""
        return self.answer_affirms_no_document_answers


class Completeness(Judged):
    """Whether everything in the passages that answers the question is in the answer."""

    completeness_justification: Because = ""
    completeness: Annotated[Grade, Also(_SCORE)]


class Usefulness(Judged):
    """Whether what an answer adds that declines is worth knowing."""

    answer_affirms_no_document_answers: Truth = None
    answer_contains_related_information: Truth = None
    usefulness_justification: Because = ""
    usefulness: Annotated[Binary, Also(_SCORE)]

    @property
    def declines(self) -> bool | None:
        """As the judge says."""
        return self.answer_affirms_no_document_answers


class SentenceAnalysis(LooseForm):
    """What the judge says of one sentence."""

    sentence: Text
    criterion_1: Text = Field(default="", description="Whether a source follows it.")
    criterion_2: Text = Field(default="", description="Whether it is the right source.")
    criterion_3: Text = Field(default="", description="Whether it agrees with the source.")


class Faithfulness(Judged):
    """Whether every sentence cites its passage and agrees with it."""

    answer_only_asserts_no_document_answers: Truth = None
    content_analysis_sentence_by_sentence: Annotated[list[SentenceAnalysis], BeforeValidator(_analyses)] = Field(
        default_factory=list
    )
    faithfulness_justification: Because = ""
    faithfulness: Annotated[Binary, Also(_SCORE)]


class UncitedAnalysis(LooseForm):
    """What the judge says of one sentence of an answer without citations."""

    sentence: Text
    criterion_3: Text = Field(default="", description="Whether the passages state it.")


class UncitedFaithfulness(Judged):
    """Whether every sentence agrees with the passages, whichever it is from."""

    answer_only_asserts_no_document_answers: Truth = None
    content_analysis_sentence_by_sentence: Annotated[list[UncitedAnalysis], BeforeValidator(_analyses)] = Field(
        default_factory=list
    )
    faithfulness_justification: Because = ""
    faithfulness: Annotated[Binary, Also(_SCORE)]


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
    return create_model(f"{judged.__name__}{'Pair' if answers > 1 else 'Alone'}", __base__=_Numbered, **fields)


class _Numbered(LooseForm):
    @model_validator(mode="before")
    @classmethod
    def _by_answer(cls, document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        wanted = list(cls.model_fields)
        judged = labels(_judged_of(cls))
        document = unwrapped(document, {*map(plain, wanted), *(name for name in judged if name not in REASONS)})
        lists = [value for name, value in document.items() if plain(name) in _LISTS and isinstance(value, list)]
        if len(lists) == 1 and len(lists[0]) == len(wanted):
            return dict(zip(wanted, _in_order(lists[0]), strict=True))
        document = renamed(cls, document)
        numbers = {int(match[1]) for name in document if (match := _NUMBERED.fullmatch(plain(name)))}
        if any(number > len(wanted) for number in numbers):
            raise ValueError(f"it judges {max(numbers)} answers, and there {_are(len(wanted))}")
        if len(wanted) == 1 and isinstance(inner := document.get(wanted[0]), dict):
            own = next(name for name in _judged_of(cls).model_fields if name in _OWN_NAMES)
            given = next((value for name, value in inner.items() if plain(name) == plain(own)), None)
            _refuse_another({plain(name): value for name, value in document.items()}, given)
        return {wanted[0]: document} if len(wanted) == 1 and wanted[0] not in document else document


def _in_order(items: list[Any]) -> list[Any]:
    """Judgements in the order of the answers they name; as they stand where they name none.

    Raises:
        ValueError: They name answers that nobody can put in order.
    """
    named = [
        next((str(value) for name, value in item.items() if plain(name) in _PLACES and _ends_in_number(value)), "")
        for item in items
        if isinstance(item, dict)
    ]
    if len(named) < len(items) or not any(named):
        return items
    numbers = [int(match[0]) if (match := re.search(r"\d+$", name.strip())) else 0 for name in named]
    if sorted(numbers) != list(range(1, len(items) + 1)):
        raise ValueError(f"it judges answers {', '.join(named)}, and there are 1 to {len(items)}")
    return [item for _, item in sorted(zip(numbers, items, strict=True), key=lambda pair: pair[0])]


def _ends_in_number(value: object) -> bool:
    short = isinstance(value, (int, str)) and not isinstance(value, bool) and len(str(value)) <= 20
    return short and str(value).strip()[-1:].isdigit()


def _judged_of(form: type[BaseModel]) -> type[BaseModel]:
    """The form of what is said of each answer."""
    return next(judged for judged in _OF.values() if form.model_fields["answer_1"].annotation is judged)


def _are(number: int) -> str:
    return "is 1" if number == 1 else f"are {number}"


def grade_of(metric: GrouseMetric, judged: Judged) -> tuple[float | None, str]:
    """The grade and its justification."""
    name = GrouseMetric.FAITHFULNESS.value if metric is GrouseMetric.FAITHFULNESS_UNCITED else metric.value
    value = getattr(judged, name)
    return None if value is None else float(value), str(getattr(judged, f"{name}_justification")).strip()


def analysis_of(judged: Judged) -> tuple[Mapping[str, str], ...]:
    """What the reply says of each sentence, none where its form has no such part."""
    sentences: list[BaseModel] = getattr(judged, "content_analysis_sentence_by_sentence", [])
    return tuple(sentence.model_dump() for sentence in sentences)
