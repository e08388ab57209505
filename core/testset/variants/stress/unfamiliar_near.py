"""Near the collection: the same question about something that does not exist."""

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
from core.text.words import STOP_WORDS, fold

_FIRST_WORDS: Final = """
Alder Bramwell Calloway Denholm Elmsworth Farrow Garrick Hollis Ivers Jarrow Kelmore Lorne
"""
FIRST: Final = tuple(_FIRST_WORDS.split())
_SECOND_WORDS: Final = """
Ashby Brook Crossing Dale Everly Fenwick Grove Hurst Ingram Kestrel Landing Moor
"""
SECOND: Final = tuple(_SECOND_WORDS.split())
_FIGURES: Final = re.compile(r"[\d\s.,:/-]+")


def _names(question: str, match: re.Match[str]) -> bool:
    before = re.findall(r"[a-z]+", question[: match.start()].casefold())
    return bool(before) and before[-1] not in STOP_WORDS


@variant(
    VariantSpec(
        name="unfamiliar_near",
        title="Out of distribution, near",
        question="Does the system say so when it is asked about something that does not exist?",
        expected=Expected.DECLINED_OR_CLOSEST,
        family=Family.UNFAMILIAR,
        similar=False,
        source="HCAT 6.1, out-of-distribution queries.",
    )
)
def ask_of_nothing(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Puts an invented name, of which the test set has no word, in the place of the quoted value or the only name."""
    question = case.question.strip()
    quoted = [
        match for match in QUOTED.finditer(question) if not _FIGURES.fullmatch(match[2]) and _names(question, match)
    ]
    pairs = [f"{first} {second}" for first in FIRST for second in SECOND]
    free = [pair for pair in pairs if not ground.known & set(fold(pair).split())]
    if not free:
        return Skip("the test set has the words of every invented name")
    invented = draw.choice(free)
    if quoted:
        match = quoted[-1]
        value = invented.upper() if match[2].isupper() else invented
        return Draft(
            question=question[: match.start(2)] + value + question[match.end(2) :],
            change=f"'{match[2]}' became '{value}', which does not exist",
            subject=value,
        )
    proper = [
        name
        for name in names(question, values_of(case.sql_params))
        if name[:1].isalpha() and not any(map(str.isdigit, name))
    ]
    owners = list(dict.fromkeys(re.sub(r"['’]s$", "", name) for name in proper))
    if len(owners) != 1:
        return Skip("no quoted value and not exactly one name that could be replaced")
    return Draft(
        question=re.sub(rf"\b{re.escape(owners[0])}\b", invented, question),
        change=f"'{owners[0]}' became '{invented}', which does not exist",
        subject=invented,
    )
