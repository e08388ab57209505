"""A scripted language model that plays every part on the sample bank: it answers, judges, claims and compares.

It is wrong now and then, always in the same places, so that what it makes looks like what a model makes: each text
decides by its digest.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from core.domain.results.responses import Verdict
from core.domain.sources.documents import Document
from core.judging.match import judge_match
from core.judging.match.abstention import abstains
from core.targets.searching.reader import ABSTENTION, read_answer
from tests.support.models.fenced import fenced
from tests.support.models.grouse_judge import judged, metric_of


class BankModel:
    """The script of an `LlmServer`.

    Args:
        known: What it knows without a document: the answer by the question.
    """

    def __init__(self, known: dict[str, str] | None = None) -> None:
        self.known = known or {}

    def __call__(self, body: dict[str, Any]) -> str | dict[str, Any]:
        """The reply to a request, by what stands between its markers."""
        read = fenced(body)
        if metric := metric_of(body):
            return {
                f"answer_{place}": judged(metric, _grade(metric, read["question"][0], read[name][0], read))
                for place, name in enumerate((name for name in ANSWERS if name in read), start=1)
            }
        if "response" in read:
            return _verdict(read["question"][0], read["true_answer"], read["response"][0])
        if "claim" in read:
            return {
                "verdicts": [_support(place, claim, read["passage"]) for place, claim in enumerate(read["claim"], 1)]
            }
        if len(read.get("answer", ())) == 2:
            first, second = read["answer"]
            return {"reason": "Compared word by word.", "same": "Yes" if _plain(first) == _plain(second) else "No"}
        if "answer" in read:
            said = _plain(read["answer"][0])
            return {"claims": [] if said == _plain(ABSTENTION) else [said]}
        return self._answer(read["question"][0], read.get("passage", []), warm=float(body.get("temperature") or 0) > 0)

    def _answer(self, question: str, passages: list[str], *, warm: bool) -> str:
        if not passages:
            return self.known.get(question, "I do not know.")
        documents = [
            Document(id=str(place), title=text.partition("\n\n")[0], text=text.partition("\n\n")[2] or text)
            for place, text in enumerate(passages, start=1)
        ]
        found = read_answer(question, documents)
        if found.abstained:
            return ABSTENTION
        if one_in(9, question) or (warm and one_in(6, question, "warm")):
            return f"It is not settled yet [{found.document_id}]."
        return f"{found.text} [{found.document_id}]"


ANSWERS = ("first_answer", "second_answer")


def _grade(metric: str, question: str, answer: str, read: dict[str, list[str]]) -> int | None:
    """What it thinks of an answer by a metric of GroUSE: whether a passage holds its words, and whether it declines."""
    declines = abstains(question, answer)
    held = any(_plain(answer) in _plain(passage) for passage in read.get("passage", ()))
    if metric == "answer_relevancy":
        return None if declines else 3 if one_in(9, question, answer) else 5
    if metric == "completeness":
        return None if not read.get("passage") else 1 if declines else 5 if held else 3
    if metric == "usefulness":
        return None
    return None if declines else int(held and not one_in(12, answer))


def _verdict(question: str, references: list[str], response: str) -> dict[str, str]:
    found = judge_match(question, references, response)
    correct = (found.verdict is Verdict.CORRECT) != one_in(40, question, response)
    return {
        "reason": found.reason or "Compared with the true answer.",
        "verdict": "Correct" if correct else "Incorrect",
    }


def _support(place: int, claim: str, passages: list[str]) -> dict[str, Any]:
    holding = next((number for number, text in enumerate(passages, start=1) if _plain(claim) in _plain(text)), None)
    verdict = "No" if holding is None or one_in(12, claim) else "Yes"
    reason = "No passage says so." if holding is None else "A passage says so."
    return {"claim": place, "reason": reason, "passage": holding, "verdict": verdict}


def _plain(text: str) -> str:
    return " ".join(text.partition(" [")[0].split())


def one_in(n: int, *texts: str) -> bool:
    """Whether these texts are among the one in `n` where it does something else."""
    return int(sha256("\n".join(texts).encode()).hexdigest(), 16) % n == 0
