"""Faults put into copies of documents: a page gone, a value changed, a passage on another page.

What a fact is and where it stands is known from the working set-up: the passage that states it was found there and
the target answered from it. A fact whose passage cannot be cut or whose value cannot be replaced in the text as it is
written is passed over, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from core.domain.sources.documents import Document
from core.faults.kinds import FaultKind
from core.faults.planting.edits import Edit, edited, value_edits, with_edits
from core.faults.planting.facts import PlantedFault, SoundFact, other_value
from core.judging.facts.values import reference_values

NOTES = "notes:"
"""What the id of a page begins with that a moved passage gets where no other page names its subject."""


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
    for group_id, fault in planting.faults.items():
        # What another fact took away states this one no more.
        left = tuple(document_id for document_id in fault.repeated if document_id in planting.documents)
        planting.faults[group_id] = replace(fault, repeated=left)
    return planting


def _leave(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault:
    return PlantedFault(
        kind=kind,
        group_id=fact.group_id,
        document_ids=fact.stating,
        before=fact.passage,
        after=fact.passage,
        repeated=fact.stating,
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
        return "no other fact has another value of its kind"
    changed: dict[str, Document] = {}
    for document_id in fact.stating:
        document = planting.documents[document_id]
        edits = value_edits(document.text, fact, other, first=document_id == fact.stating[0])
        if not edits:
            return "its value is not written in the text as it was read"
        title = with_edits(document.title, value_edits(document.title, fact, other, first=False))
        changed[document_id] = replace(edited(document, edits), title=title)
    planting.documents.update(changed)
    return PlantedFault(
        kind=kind,
        group_id=fact.group_id,
        document_ids=fact.stating,
        before=fact.passage,
        after=with_edits(fact.passage, value_edits(fact.passage, fact, other, first=True)),
    )


def _move(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault | str:
    page = planting.documents[fact.stating[0]]
    start = page.text.find(fact.passage)
    if start == -1:
        return "its passage is not one piece of the text"
    without = edited(page, [Edit(start=start, end=start + len(fact.passage), text=" ")])
    if not without.text.strip():
        return "its page says nothing else"
    if any(value.telling and value.stated_in(without.text) for value in reference_values(fact.answers)):
        return "its page has the value in another place too"
    named = all(name in fact.passage for name in fact.subjects)
    passage = fact.passage if named else f"{', '.join(fact.subjects)}: {fact.passage}"
    home = next((other for other in fact.mentioning if other in planting.documents), None)
    if home is None:
        home = next(name for number in count(1) if (name := f"{NOTES}{number}") not in planting.documents)
        planting.documents[home] = Document(id=home, title="Notes", text=passage)
    else:
        linked = planting.documents[home]
        planting.documents[home] = replace(linked, text=f"{linked.text}\n\n{passage}")
    planting.documents[page.id] = without
    return PlantedFault(
        kind=kind,
        group_id=fact.group_id,
        document_ids=(page.id,),
        before=fact.passage,
        after=passage,
        home=home,
        repeated=(home, *fact.stating[1:]),
    )
