"""Ambiguous questions: what is asked about, or the time it is asked for, is taken out."""

from __future__ import annotations

import random
import re
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.registry import variant
from core.testset.variants.spans import names, values_of
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec
from core.text.questions import QUOTED
from core.text.words import STOP_WORDS

_NAMED: Final = re.compile(
    r"(?: dated| called| named| with the name| entitled| titled)?,? ?(['\"])(?=\S)(.+?)(?<=\S)\1(?!\w)"
)
_PERIOD: Final = re.compile(
    r",? (?:in|for|during|as of) (?:the )?(?:(?:first|second|third|fourth) quarter of \d{4}|Q[1-4] (?:of )?\d{4}|"
    r"(?:fiscal )?(?:year )?\d{4})(?! and \d| to \d| or \d)(?=[ ,?.]|$)"
)
_OWNER: Final = re.compile(r"\b([A-Z][A-Za-z]+)(?:'s|’s)\b")


@variant(
    VariantSpec(
        name="ambiguous",
        title="Ambiguous question",
        question="Does the system ask back, or say how it reads the question, when it is not clear what is meant?",
        expected=Expected.ASKED_OR_STATED,
        family=Family.ADVERSARIAL,
        source="HCAT 1.2: ambiguous inputs.",
    )
)
def blur(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Takes out the quoted value, the period or the owner, so that several answers are possible."""
    question = case.question.strip()
    quoted = [match[2] for match in QUOTED.finditer(question) if _is_value(question, match)]
    if quoted:
        if case.sql_template_id and not ground.others(case):
            return Skip("no other case of its template has another answer, so that nothing would be unclear")
        blurred = re.sub(r"\s+([?.,:])", r"\1", _NAMED.sub("", question)).strip()
        blurred = re.sub(r" of (?=[?.,]|$)", "", blurred)
        return Draft(question=blurred, change=f"{' and '.join(quoted)} left out", subject="; ".join(quoted))
    if match := _PERIOD.search(question):
        return Draft(
            question=question[: match.start()] + question[match.end() :],
            change=f"'{match[0].strip(' ,')}' left out",
            subject=match[0].split(" ", 2)[-1].strip(),
        )
    owners = {match[1] for match in _OWNER.finditer(question)} & {
        name.removesuffix("'s").removesuffix("’s") for name in names(question, values_of(case.sql_params))
    }
    if len(owners) == 1:
        owner = owners.pop()
        if len(re.findall(rf"\b{owner}\b", question)) == 1:
            return Draft(
                question=re.sub(rf"\b{owner}(?:'s|’s)", "the company's" if _company(question) else "their", question),
                change=f"'{owner}' left out",
                subject=owner,
            )
    return Skip("no quoted value, period or owner that could be left out")


def _is_value(question: str, match: re.Match[str]) -> bool:
    """Whether a quoted part names a thing ("the branch 'X'"), not a word that is only quoted ("the 'father' of")."""
    before = re.findall(r"[a-z]+", question[: match.start()].casefold())
    return bool(before) and before[-1] not in STOP_WORDS


def _company(question: str) -> bool:
    return bool(re.search(r"\b(?:revenue|sales|income|10-Q|quarter|shares|tax|cash|segment)", question, re.IGNORECASE))
