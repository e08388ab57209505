"""Faults put into copies of documents: a page gone, a value changed, a passage on another page.

What a fact is and where it stands is known from the working set-up: the passage that states it was found there and
the target answered from it. A fact whose passage cannot be cut or whose value cannot be replaced in the text as it is
written is passed over, with the reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.domain.sources.documents import Document
from core.faults.kinds import FaultKind
from core.judging.facts.values import reference_values

SHORT = 3
"""Letters below which a value is replaced in its passage only: elsewhere on the page it may be anything."""

NOTES = "notes:"
"""What the id of a page begins with that a moved passage gets where no other page names its subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFact:
    """A fact that the documents state and that the target answered rightly in every wording.

    Attributes:
        group_id: The filled SQL query.
        subjects: What the question was filled with.
        answers: The acceptable values.
        passage: What states it.
        stating: Ids of every document that states it, that of the passage first.
        others: The values of other facts of its template, in the order of the test set.
        mentioning: Ids of other documents that name the subject.
    """

    group_id: str
    subjects: tuple[str, ...]
    answers: tuple[str, ...]
    passage: str
    stating: tuple[str, ...]
    others: tuple[str, ...]
    mentioning: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedFault:
    """One fault.

    Attributes:
        kind: What was planted.
        group_id: The fact.
        document_ids: The pages that were changed, taken away or hidden.
        before: The passage as it was.
        after: What stands there now, or where it stands now; empty where it is gone.
        repeated: Ids of documents that still state the fact.
    """

    kind: FaultKind
    group_id: str
    document_ids: tuple[str, ...]
    before: str
    after: str = ""
    repeated: tuple[str, ...] = ()


@dataclass(slots=True)
class Planting:
    """A copy of documents with faults in it.

    Attributes:
        documents: By id, in their order.
        faults: By fact.
        skipped: Facts in which no fault could be planted, by reason.
    """

    documents: dict[str, Document]
    faults: dict[str, PlantedFault] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)


def plant(kind: FaultKind, facts: Sequence[SoundFact], documents: Mapping[str, Document]) -> Planting:
    """Plants one fault of a kind in each of some facts; what a reader or a search does leaves the documents alone.

    Args:
        kind: What to plant.
        facts: Where.
        documents: By id; they are not changed.
    """
    planting = Planting(documents=dict(documents))
    do = {
        FaultKind.PAGE_DELETED: _delete,
        FaultKind.VALUE_CHANGED: _change,
        FaultKind.VALUE_MOVED: _move,
    }.get(kind, _leave)
    for fact in facts:
        outcome = do(kind, fact, planting)
        if isinstance(outcome, PlantedFault):
            planting.faults[fact.group_id] = outcome
        else:
            planting.skipped[outcome] += 1
    return planting


def other_value(fact: SoundFact) -> str:
    """The first value of another fact of the template that this fact does not have; empty where there is none."""
    own = {value.key for value in reference_values(fact.answers)}
    return next((other for other in fact.others if not own & {value.key for value in reference_values([other])}), "")


def _leave(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault:
    return PlantedFault(
        kind=kind, group_id=fact.group_id, document_ids=fact.stating, before=fact.passage, repeated=fact.stating
    )


def _delete(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault | str:
    page = fact.stating[0]
    if page not in planting.documents:
        return "its page went with another fact"
    del planting.documents[page]
    return PlantedFault(
        kind=kind, group_id=fact.group_id, document_ids=(page,), before=fact.passage, repeated=fact.stating[1:]
    )


def _change(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault | str:
    other = other_value(fact)
    if not other:
        return "no other fact of its template has another value"
    changed: dict[str, Document] = {}
    for document_id in fact.stating:
        document = planting.documents[document_id]
        text = _replaced(document.text, fact, other, first=document_id == fact.stating[0])
        if text == document.text:
            return "its value is not written in the text as it was read"
        changed[document_id] = replace(document, text=text)
    planting.documents.update(changed)
    return PlantedFault(kind=kind, group_id=fact.group_id, document_ids=fact.stating, before=fact.passage, after=other)


def _move(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault | str:
    page = planting.documents[fact.stating[0]]
    if fact.passage not in page.text:
        return "its passage is not one piece of the text"
    text = page.text.replace(fact.passage, " ", 1)
    if not text.strip():
        return "its page says nothing else"
    named = fact.passage if all(name in fact.passage for name in fact.subjects) else None
    passage = named or f"{', '.join(fact.subjects)}: {fact.passage}"
    home = next((other for other in fact.mentioning if other in planting.documents), None)
    if home is None:
        home = f"{NOTES}{len(planting.faults) + 1}"
        planting.documents[home] = Document(id=home, title="Notes", text=passage)
    else:
        linked = planting.documents[home]
        planting.documents[home] = replace(linked, text=f"{linked.text}\n\n{passage}")
    planting.documents[page.id] = replace(page, text=text)
    return PlantedFault(
        kind=kind,
        group_id=fact.group_id,
        document_ids=(page.id,),
        before=fact.passage,
        after=home,
        repeated=(home, *fact.stating[1:]),
    )


def _replaced(text: str, fact: SoundFact, other: str, *, first: bool) -> str:
    """A text with another value wherever it has the fact's, or in the passage only where the value is short."""
    for value in reference_values(fact.answers):
        written = value.written_in(fact.passage if first else text)
        if not written:
            continue
        whole = re.compile(rf"(?<!\w){re.escape(written)}(?!\w)")
        if len(written) >= SHORT:
            return whole.sub(lambda match: other, text)
        if first and fact.passage in text:
            return text.replace(fact.passage, whole.sub(lambda match: other, fact.passage), 1)
    return text
