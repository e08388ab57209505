"""Writes the unit tests of judges as JSON lines in GroUSE's format, the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from sample_data.judge_tests.answerable import ANSWERABLE
from sample_data.judge_tests.situations import REFUSAL, Answerable, Unanswerable
from sample_data.judge_tests.unanswerable import UNANSWERABLE

OUT = Path(__file__).parent / "suite.jsonl"
NAMES = ("Ilse", "Port")
METRICS = ("answer_relevancy", "completeness", "faithfulness", "usefulness", "verdict")
OF_CLAIMS = ("claim_faithfulness", "claim_correctness", "claim_coverage", "ragas_fact", "same_answer")

Case = tuple[str, str, tuple[str, str, str, str, str]]
"""Failure mode, answer, and the conditions in the order of `METRICS`; "" where nothing follows."""


def answerable(case: Answerable) -> Iterator[Case]:
    """The tests of a question that is answered; what each condition follows from stands in the README."""
    most = case.least_relevancy
    yield "", case.perfect, (most, "==5", "==1", "==None", "==1")
    with_more = f"{case.perfect} {case.irrelevant}"
    yield "irrelevant information", with_more, ("<=4", "==5", "==1", "==None", "==1")
    yield "missing information", case.missing, (">=4", "<=4", "==1", "==None", "")
    yield "wrongly refraining", REFUSAL, ("==None", "==1", "==None", "==None", "==0")
    yield "missing or wrong citation", case.citation, (most, "==5", "==0", "==None", "==1")
    yield "distorted claim", case.distorted, (most, ">=1", "==0", "==None", "==0")


def unanswerable(case: Unanswerable) -> Iterator[Case]:
    """The tests of a question that is not answered."""
    yield "", REFUSAL, ("==None", "==None", "==None", "==None", "")
    yield "", f"{REFUSAL} However, {_within(case.related)}", ("==None", "==None", "==1", "==1", "")
    yield "failing to refrain", case.answered, (">=1", "==None", "==0", "==None", "")
    with_unrelated = f"{REFUSAL} However, {_within(case.unrelated)}"
    yield "unrelated additional information", with_unrelated, ("==None", "==None", "==1", "==0", "")


def of_claims(mode: str, answer: str, *, answered: bool) -> tuple[str, ...]:
    """Conditions in the order of `OF_CLAIMS`: marks of citations are no claims, nor is that no document answers.

    Of a question without an answer only what the documents support is certain, since the expected answer claims nothing
    about the question.
    """
    if not answered:
        supported = "==None" if answer == REFUSAL else "<1" if mode == "failing to refrain" else "==1"
        return (supported, "", "", supported, "")
    whole = ("==1", "==1", "==1", "==1", "==1")
    return {
        "irrelevant information": ("==1", "<1", "==1", "==1", ""),
        "missing information": ("==1", "==1", "<1", "==1", ""),
        "wrongly refraining": ("==None", "==None", "==0", "==None", "==0"),
        "distorted claim": ("<1", "<1", "<1", "<1", "==0"),
    }.get(mode, whole)


def rows() -> Iterator[dict[str, object]]:
    """Every test, situation by situation."""
    for number, situation in enumerate((*ANSWERABLE, *UNANSWERABLE), start=1):
        if isinstance(situation, Answerable):
            cases, expected = list(answerable(situation)), situation.perfect
        else:
            cases = list(unanswerable(situation))
            expected = cases[1][1]
        for place, (mode, answer, conditions) in enumerate(cases, start=1):
            stated = dict(zip(METRICS, conditions, strict=True))
            checked = of_claims(mode, answer, answered=isinstance(situation, Answerable))
            stated |= zip(OF_CLAIMS, checked, strict=True)
            yield {
                "id": f"{number:02d}-{place}",
                "input": situation.question,
                "references": list(situation.references),
                "expected_output": expected,
                "actual_output": answer,
                "conditions": {f"{name}_condition": text for name, text in stated.items() if text},
                "metadata": {
                    "failure_mode": mode,
                    "situation": situation.situation,
                    "answerable": isinstance(situation, Answerable),
                    "part": "train" if situation.train else "test",
                },
            }


def _within(text: str) -> str:
    """A sentence within another; names keep their capital."""
    return text if text.split(maxsplit=1)[0] in NAMES else text[0].lower() + text[1:]


if __name__ == "__main__":
    OUT.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows()), encoding="utf-8")
