"""Names in short: documents that call Anders Kvale "Kvale", Ernsay Slip "Ernsay" and MV Kalva "Kalva"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.domain.testset.cases import TestCase
from core.judging.facts.index import FactIndex
from core.testset.grounded.words.values import value_text
from core.text.pages import Page
from core.text.words import STOP_WORDS, contains_phrase, fold, words

SHORTEST: Final = 4
"""Letters of a name in short."""
WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


Names = Callable[[str], Iterable[str]]
"""Every name of a record of any table that has a word."""


def short_names(name: str, others: Iterable[str], index: FactIndex, names: Names = lambda word: ()) -> Iterator[str]:
    """The words of a name that tell it from all others and by which documents call it without the rest.

    A word in the name of something else calls nothing in short: pages about Gornisch Firn, a glacier, say nothing of
    the hut Biwak Gornisch.

    Args:
        name: As the database has it.
        others: What else the same parameter can be filled with.
        index: The documents.
        names: What else the database calls by a word.
    """
    full, own = fold(name), list(dict.fromkeys(WORD.findall(name)))
    if len(own) < 2:
        return
    taken = {word for other in others if fold(other) != full for word in words(fold(other))}
    for word in own:
        folded = fold(word)
        if len(word) < SHORTEST or not word[:1].isupper() or folded in taken or folded in STOP_WORDS:
            continue
        elsewhere = [other for known in names(folded) if (other := fold(known)) not in (full, folded)]
        in_short = any(
            not page.mentions(full) and _stands_alone(folded, page, elsewhere)
            for _, page in index.mentioning((folded,))
        )
        if in_short and index.is_name(folded):
            yield word


def _stands_alone(word: str, page: Page, names: Iterable[str]) -> bool:
    """Whether a page has a word elsewhere than in the names of other things."""
    text = f"{page.subject} | {page.folded}"
    for name in names:
        text = text.replace(name, " | ")
    return contains_phrase(text, word)


def named_in_short(
    wordings: Sequence[TestCase],
    parameter: str,
    others: Iterable[str],
    index: FactIndex,
    names: Names = lambda word: (),
) -> Iterator[tuple[TestCase, ...]]:
    """The wordings of a fact with one subject's name in short, for each way in which documents have it.

    Args:
        wordings: Of one fact.
        parameter: Which subject.
        others: What else it can be.
        index: The documents.
        names: What else the database calls by a word.
    """
    full = value_text(wordings[0].sql_params[parameter])
    for short in short_names(full, others, index, names):
        yield tuple(
            replace(
                case,
                question=case.question.replace(full, short),
                sql_params={**case.sql_params, parameter: short},
                group_id=f"{case.group_id} in short: {short}",
            )
            for case in wordings
        )
