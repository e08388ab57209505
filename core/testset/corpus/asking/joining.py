"""Questions that join facts: the same property in two documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.judging.match.readers.texts.normalise import key
from core.testset.corpus.asking.comparing import across, several
from core.testset.corpus.asking.index import FactIndex, pairs
from core.testset.corpus.asking.phrases import PROPERTIES, ask, be, lowered
from core.testset.corpus.reading.facts import Fact, FactRule

_SHORT = 8
"""Words of a value that can stand beside another in one answer."""
_PARTICIPLE = re.compile(r"\b\w+ (?:on|in|to|by|from|at)$")


def multi_document(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """What two documents say about one property, compared or side by side."""
    yield from across(index, facts)
    fit = [
        fact
        for fact in facts
        if fact.rule in PROPERTIES
        and fact.rule is not FactRule.CELL
        and not fact.condition
        and fact.period is None
        and not _PARTICIPLE.search(fact.attribute)
        and len(fact.value.split()) <= _SHORT
    ]
    near = ((fact, index.near(index.by_property[fact.family, fact.kind], fact)) for fact in fit)
    taken: set[int] = set()
    for fact, other in pairs(near):
        if id(fact) in taken or id(other) in taken:
            continue
        mine = {id(fact), id(other)}
        apart = fact.document_id != other.document_id and fact.subject.sort == other.subject.sort
        if not apart or fact.subject.link != other.subject.link or fact.subject.link == "'s" or other.condition:
            continue
        if key(fact.value) == key(other.value) or len(other.value.split()) > _SHORT:
            continue
        if not fact.subject.link:
            fact, other = (replace(one, subject=replace(one.subject, link="in", within="")) for one in (fact, other))
        first, was = ask(fact).removesuffix("?"), be(fact)
        if not first.startswith(("What ", "Who ")):
            continue
        if any(one.subject.topic or one.subject.words.startswith('"') or several(one) for one in (fact, other)):
            continue  # the title of a page is no thing that has the property
        link = "of" if first.endswith(f" of {fact.subject.words}") else fact.subject.link
        that = ("those" if was in ("are", "were") else "that") if link == "of" else "it"
        that = "they" if that == "it" and was in ("are", "were") else that
        who = lowered(first.split()[0])
        text = f"{first}, and {who} {was} {that} {link} {other.subject.words}?"
        taken |= mine
        yield index.question(QuestionKind.MULTI_DOCUMENT, text, f"{fact.value}; {other.value}", "each", fact, other)
