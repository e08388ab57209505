"""A scripted GroUSE judge: what it replies to each of the prompts, told apart by the form that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.support.models.fenced import fenced

FORMS = {
    "AnswerRelevancy": "answer_relevancy",
    "Completeness": "completeness",
    "Usefulness": "usefulness",
    "UncitedFaithfulness": "faithfulness_uncited",
    "Faithfulness": "faithfulness",
}
FAILS = "no judgement"
"""Stands for a reply that cannot be read, twice."""


def metric_of(body: Mapping[str, Any]) -> str:
    """The metric that a request asks for; "" where it is none of GroUSE's."""
    name = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    return FORMS.get(name.removesuffix("Pair").removesuffix("Alone"), "")


def judged(metric: str, grade: object, **more: object) -> dict[str, object]:
    """What a judge says of one answer, consistent in itself."""
    name = "faithfulness" if metric == "faithfulness_uncited" else metric
    declines = grade is None if metric == "answer_relevancy" else metric == "usefulness"
    said: dict[str, object] = {f"{name}_justification": f"Because of the {name}.", name: grade}
    if metric in ("answer_relevancy", "usefulness"):
        said["answer_affirms_no_document_answers"] = declines
    if metric == "usefulness":
        said["answer_contains_related_information"] = grade is not None
    if name == "faithfulness":
        said |= {"answer_only_asserts_no_document_answers": grade is None, "content_analysis_sentence_by_sentence": []}
    return said | more


def grading(grade: Callable[[str, str], object]) -> Callable[[dict[str, Any]], str | dict[str, object]]:
    """A script that grades by metric and answer; `FAILS` is a reply without a judgement."""

    def script(body: dict[str, Any]) -> str | dict[str, object]:
        metric, read = metric_of(body), fenced(body)
        answers = [read[name][0] for name in ("first_answer", "second_answer") if name in read]
        grades = [grade(metric, answer) for answer in answers]
        if FAILS in grades:
            return "I would rather not say."
        return {f"answer_{place}": judged(metric, value) for place, value in enumerate(grades, start=1)}

    return script
