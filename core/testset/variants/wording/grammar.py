"""Grammar mistakes as learners make them: articles, agreement, tense behind "did", a missing word."""

from __future__ import annotations

import random
import re
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.nouns import several
from core.testset.variants.registry import variant
from core.testset.variants.spans import Word, capital, spliced, values_of, words
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec

AGREEMENT: Final = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "does": "do"}
_DID: Final = re.compile(r"\b(?:did|does)\b", re.IGNORECASE)
_REGULAR_WORDS: Final = """
open close start happen occur appear change receive manage own report play live die end
"""
_REGULAR: Final = tuple(_REGULAR_WORDS.split())
_NEEDS_NONE: Final = re.compile(r"\b(?:all|both|half) $", re.IGNORECASE)
"""Behind these an article may be left out, which is no mistake."""
_EITHER: Final = re.compile(r"\b(?:series|species|fish|sheep|means) $", re.IGNORECASE)
"""Behind these either number of the verb is right, and asks for another number of things."""
_ENDED: Final = re.compile(r"['\",.?!:;]")
Change = tuple[int, int, str]


@variant(
    VariantSpec(
        name="grammar",
        title="Grammar mistakes",
        question="Does the answer stay right when the grammar is wrong?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        source="HCAT 6.1, input variations.",
        version=3,
    )
)
def break_grammar(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Makes one or two mistakes: an article left out, a verb that does not agree, a tense, a missing "of" or "do"."""
    free = words(case.question, values_of(case.sql_params))
    found = [
        mistakes
        for mistakes in (_articles(case.question, free), _agreement(case.question, free), _tense(case.question, free))
        if mistakes
    ]
    if not found:
        return Skip("no article, no verb that could disagree and no tense to get wrong")
    draw.shuffle(found)
    changes: list[Change] = []
    told: list[str] = []
    for mistakes in found[: draw.choice((1, 2))]:
        change, words_said = draw.choice(mistakes)
        if all(change[1] <= start or end <= change[0] for start, end, _ in changes):
            changes.append(change)
            told.append(words_said)
    question = spliced(case.question, changes)
    return Draft(question=capital(question) if case.question[:1].isupper() else question, change="; ".join(told))


def _articles(question: str, free: list[Word]) -> list[tuple[Change, str]]:
    """An article left out with the blank behind it."""
    return [
        ((word.start, word.end + 1, ""), f"'{word.text}' left out")
        for word in free
        if word.text.casefold() in ("the", "a", "an")
        and question[word.end : word.end + 1] == " "
        and not _NEEDS_NONE.search(question[: word.start])
        and not (word.text.casefold() == "the" and several(_ENDED.split(question[word.end + 1 :], maxsplit=1)[0]))
    ]


def _agreement(question: str, free: list[Word]) -> list[tuple[Change, str]]:
    """A verb in the wrong number; not at the end of a clause, where nobody gets it wrong."""
    return [
        ((word.start, word.end, _like(word.text, other)), f"'{word.text}' became '{other}'")
        for word in free
        if not _EITHER.search(question[: word.start])
        and (other := AGREEMENT.get(word.text.casefold())) is not None
        and question[word.end : word.end + 1] == " "
    ]


def _tense(question: str, free: list[Word]) -> list[tuple[Change, str]]:
    """The past of a verb behind "did", or of "does" its third person."""
    auxiliary = _DID.search(question)
    if auxiliary is None:
        return []
    past = auxiliary[0].casefold() == "did"
    ending = "ed" if past else "s"
    return [
        ((word.start, word.end, wrong), f"'{word.text}' became '{wrong}'")
        for word in free
        if word.start > auxiliary.end() and word.text in _REGULAR
        for wrong in [word.text + (ending[1:] if past and word.text.endswith("e") else ending)]
    ]


def _like(text: str, other: str) -> str:
    return capital(other) if text[:1].isupper() else other
