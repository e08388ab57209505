"""Names in short: documents that call Anders Kvale "Kvale", Ernsay Slip "Ernsay" and MV Kalva "Kalva"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.judging.facts.index import FactIndex
from core.testset.grounded.words.values import value_text
from core.text.words import STOP_WORDS, fold, stem, stems, words

SHORTEST: Final = 4
"""Letters of a name in short."""
NEXT: Final = re.compile(r" (\w)\w")
"""The word behind another one: where it has a capital, the two are a longer name."""
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
        elsewhere = [known for known in names(folded) if fold(known) not in (full, folded)]
        in_short = any(
            not page.mentions(full) and _stands_alone(word, document, elsewhere)
            for document, page in index.mentioning((folded,))
        )
        if in_short and index.is_name(folded):
            yield word


def _stands_alone(word: str, document: Document, names: Iterable[str]) -> bool:
    """Whether a document has a word elsewhere than in the name of another thing: "Kvale left", and no "Kvale Slip"."""
    text = f"{document.title} | {document.text}"
    for name in names:
        text = re.sub(re.escape(name), "|", text, flags=re.IGNORECASE)
    alone = rf"(?<!\w){re.escape(word)}(?!\w)"
    behind = (NEXT.match(text, found.end()) for found in re.finditer(alone, text, re.IGNORECASE))
    return any(following is None or not following[1].isupper() for following in behind)


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
    asked = {family for case in wordings for family in stems(case.question.replace(full, " "))}
    for short in short_names(full, others, index, names):
        # "Glacier" is no name of a campaign in a question about its glacier.
        if stem(fold(short)) in asked:
            continue
        yield tuple(
            replace(
                case,
                question=case.question.replace(full, short),
                sql_params={**case.sql_params, parameter: short},
                group_id=f"{case.group_id} in short: {short}",
            )
            for case in wordings
        )
