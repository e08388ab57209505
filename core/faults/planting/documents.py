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
from core.faults.kinds import IN_DOCUMENTS, FaultKind
from core.faults.planting.edits import Edit, edited, value_edits, with_edits
from core.faults.planting.facts import PlantedFault, SoundFact, other_value
from core.judging.facts.values import reference_values
from core.text.passages import split_passages

NOTES = "notes:"
"""What the id of a page begins with that a moved passage gets where no other page names its subject."""

PAGE_GONE = "its page went with another fact"
ELSEWHERE = "the page of another of its records has the value too"
REPEATED = "its passage stands on its page more than once, perhaps about another subject"
PAGE_CHANGED = "the fault of another fact changed a page that states it"

Assigned = tuple[SoundFact, tuple[FaultKind, ...]]
"""A fact and what is planted in it."""


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
    return plant_each([(fact, (kind,)) for fact in facts], documents)


def plant_each(assigned: Sequence[Assigned], documents: Mapping[str, Document]) -> Planting:
    """Plants in each fact the kinds that are assigned to it, all in one copy.

    Pages are taken away first, then values changed, then passages moved. A fact is passed over where the fault of
    another one changed the passage that states it: its own would not be the cause of what becomes wrong.

    Args:
        assigned: Facts with their kinds, in the order of the chain; one at most changes the documents.
        documents: By id; they are not changed.
    """
    planting = Planting(documents=dict(documents))
    for phase in (*IN_DOCUMENTS, None):
        for fact, kinds in assigned:
            if (kinds[0] if kinds[0] in IN_DOCUMENTS else None) is phase:
                _plant_one(fact, kinds, planting)
    for fact, _ in assigned:
        fault = planting.faults.pop(fact.group_id, None)
        if fault is None:
            continue
        if reason := _disturbed(fact, fault, planting, documents):
            planting.skipped[reason] += 1
            continue
        # What another fact took away states this one no more. Popped and put back, faults stand in the order of facts.
        left = tuple(document_id for document_id in fault.repeated if document_id in planting.documents)
        planting.faults[fact.group_id] = replace(fault, repeated=left)
    return planting


def _plant_one(fact: SoundFact, kinds: Sequence[FaultKind], planting: Planting) -> None:
    act = {
        FaultKind.PAGE_DELETED: _delete,
        FaultKind.VALUE_CHANGED: _change,
        FaultKind.VALUE_MOVED: _move,
    }.get(kinds[0], _leave)
    if kinds[0] is FaultKind.VALUE_CHANGED and FaultKind.READER in kinds and not other_value(fact, other_value(fact)):
        planting.skipped["no other fact has a third value of its kind"] += 1
        return
    outcome = act(kinds[0], fact, planting)
    if isinstance(outcome, PlantedFault):
        planting.faults[fact.group_id] = replace(outcome, also=tuple(kinds[1:]))
    else:
        planting.skipped[outcome] += 1


def _disturbed(fact: SoundFact, fault: PlantedFault, planting: Planting, before: Mapping[str, Document]) -> str:
    """Why the fault of another fact spoils this one; empty where none does."""
    first = fact.stating[0]
    if first in fault.repeated and first not in planting.documents:
        return PAGE_GONE
    if FaultKind.VALUE_CHANGED in fault.kinds:
        # A value of a table is changed wherever the page has it, and that of another row may have been changed back.
        text = planting.documents[first].text
        said = {passage.text for passage in split_passages(text)}
        return PAGE_CHANGED if fault.before in said or (fault.after not in said and fault.after not in text) else ""
    for document_id in fault.repeated:
        page, now = before.get(document_id), planting.documents.get(document_id)
        if page is None or now is None or document_id == fault.home or now is page:
            continue
        if document_id == first and fact.passage not in page.text:
            return PAGE_CHANGED
        if any(piece not in now.text for piece in _stating_pieces(fact, page, first=document_id == first)):
            return PAGE_CHANGED
    return ""


def _stating_pieces(fact: SoundFact, page: Document, *, first: bool) -> list[str]:
    """What must stand on a page as it stood for it to state a fact: its passage, elsewhere each line with a value."""
    if first:
        return [fact.passage]
    values = reference_values(fact.answers)
    return [line for line in page.text.splitlines() if any(value.stated_in(line) for value in values)]


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
        return PAGE_GONE
    del planting.documents[page]
    return PlantedFault(
        kind=kind, group_id=fact.group_id, document_ids=(page,), before=fact.passage, repeated=fact.stating[1:]
    )


def _change(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault | str:
    other = other_value(fact)
    if not other:
        return "no other fact has another value of its kind"
    changed: dict[str, Document] = {}
    left = [document_id for document_id in fact.stating if document_id in planting.documents]
    if left[:1] != [fact.stating[0]]:
        return PAGE_GONE
    if planting.documents[left[0]].text.count(fact.passage) > 1:
        return REPEATED
    if _on_another_page(fact, planting.documents):
        return ELSEWHERE
    for document_id in left:
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
        document_ids=tuple(left),
        before=fact.passage,
        after=with_edits(fact.passage, value_edits(fact.passage, fact, other, first=True)),
    )


def _on_another_page(fact: SoundFact, documents: Mapping[str, Document]) -> bool:
    """Whether a page of the fact's records that is not changed has the value: the pages would contradict each other."""
    values = [value for value in reference_values(fact.answers) if value.telling]
    others = [documents[known].text for known in fact.gold if known not in fact.stating and known in documents]
    return any(value.stated_in(text) for value in values for text in others)


def _move(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault | str:
    page = planting.documents.get(fact.stating[0])
    if page is None:
        return PAGE_GONE
    start = page.text.find(fact.passage)
    if start == -1:
        return "its passage is not one piece of the text"
    if page.text.count(fact.passage) > 1:
        return REPEATED
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
