"""Records without a document of their own, and the retrieved passages that name them all the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.sources.document_ids import bare_key
from core.domain.testset.cases import LOOK_UP, OPERATION, TestCase
from core.judging.facts.values import reference_values
from core.testset.grounded.words.values import value_text

SHORTEST: Final = 3
"""Characters of a key below which it stands in any text by chance."""
LETTER: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A record whose gold id names no document, and the passages that name it.

    Attributes:
        gold_id: The gold id.
        name: What was looked for in the passages: the record's key, or what the question calls it by; empty where
            neither tells it apart.
        ranks: The passages that have the name, counted from 1, best first.
    """

    gold_id: str
    name: str = ""
    ranks: tuple[int, ...] = ()


def mentions(case: TestCase, dangling: Sequence[str], passages: Sequence[str]) -> tuple[Mention, ...]:
    """Looks for each record without a document in the retrieved passages.

    A key tells a record apart where it has a letter and three characters ("D-4289"; "12" stands in any text). Where it
    does not, the values that a question looks its only record up by do ("Hana Vesely"), all of them in one passage.

    Args:
        case: The case.
        dangling: Its gold ids that name no document.
        passages: The texts of the retrieved passages, best first.

    >>> case = TestCase(case_id="c", question="Weight of donor D-4289?")
    >>> mentions(case, ["donor:D-4289", "site:7"], ["Donor D-4288.", "Donor D-4289 weighs 78.1 kg."])
    (Mention(gold_id='donor:D-4289', name='D-4289', ranks=(2,)), Mention(gold_id='site:7', name='', ranks=()))
    """
    return tuple(_mention(case, gold_id, passages) for gold_id in dangling)


def _mention(case: TestCase, gold_id: str, passages: Sequence[str]) -> Mention:
    key = bare_key(gold_id)
    if len(key) >= SHORTEST and LETTER.search(key):
        whole = re.compile(rf"(?<!\w){re.escape(key)}(?!\w)")
        ranks = [rank for rank, text in enumerate(passages, start=1) if whole.search(text)]
        return Mention(gold_id=gold_id, name=key, ranks=tuple(ranks))
    asked = [value_text(value) for value in case.sql_params.values() if value is not None]
    if not asked or len(case.gold_document_ids) > 1 or case.attributes.get(OPERATION, LOOK_UP) != LOOK_UP:
        return Mention(gold_id=gold_id)
    values = reference_values(asked)
    ranks = [rank for rank, text in enumerate(passages, start=1) if all(value.stated_in(text) for value in values)]
    return Mention(gold_id=gold_id, name=", ".join(asked), ranks=tuple(ranks))
