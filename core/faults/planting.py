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
from itertools import count

from core.domain.sources.documents import Document
from core.faults.kinds import FaultKind
from core.judging.facts.values import ReferenceValue, reference_values

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
        others: The values of other facts, in the order of the test set: those of its template, then those of the same
            kind, a date for a date.
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
        after: The passage as it is now; empty where it is gone.
        home: The page that a moved passage stands on now; empty for the other kinds.
        repeated: Ids of documents that still state the fact.
    """

    kind: FaultKind
    group_id: str
    document_ids: tuple[str, ...]
    before: str
    after: str = ""
    home: str = ""
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
    for group_id, fault in planting.faults.items():
        # What another fact took away states this one no more.
        left = tuple(document_id for document_id in fault.repeated if document_id in planting.documents)
        planting.faults[group_id] = replace(fault, repeated=left)
    return planting


def kind_of(answers: Sequence[str]) -> str:
    """What sort of value answers a question: a date, a number, a name or other words."""
    value = next(iter(reference_values(answers)), None)
    if value is None:
        return "nothing"
    if value.date or value.number:
        return "a date" if value.date else "a number"
    return "a name" if value.text[:1].isupper() and not any(sign.isdigit() for sign in value.text) else "words"


def other_value(fact: SoundFact) -> str:
    """The first value of another fact that this fact does not have; empty where there is none."""
    own = reference_values(fact.answers)
    return next((other for other in fact.others if not any(value.stated_in(other) for value in own)), "")


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
        edits = _value_edits(document.text, fact, other, first=document_id == fact.stating[0])
        if not edits:
            return "its value is not written in the text as it was read"
        title = _with_edits(document.title, _value_edits(document.title, fact, other, first=False))
        changed[document_id] = replace(_edited(document, edits), title=title)
    planting.documents.update(changed)
    return PlantedFault(
        kind=kind,
        group_id=fact.group_id,
        document_ids=fact.stating,
        before=fact.passage,
        after=_with_edits(fact.passage, _value_edits(fact.passage, fact, other, first=True)),
    )


def _move(kind: FaultKind, fact: SoundFact, planting: Planting) -> PlantedFault | str:
    page = planting.documents[fact.stating[0]]
    start = page.text.find(fact.passage)
    if start == -1:
        return "its passage is not one piece of the text"
    without = _edited(page, [_Edit(start=start, end=start + len(fact.passage), text=" ")])
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """A piece of a text, from `start` to before `end`, and what stands there instead."""

    start: int
    end: int
    text: str


def _value_edits(text: str, fact: SoundFact, other: str, *, first: bool) -> list[_Edit]:
    """Another value wherever a text has the fact's, or in the passage only where the value is short.

    What the question was filled with stays as it is, also where the value is a part of it: the page still speaks about
    the same.
    """
    written = [spelling for value in reference_values(fact.answers) for spelling in _spellings(value, text)]
    start = text.find(fact.passage) if first else -1
    within = range(start, start + len(fact.passage)) if start != -1 else range(0)
    if not written:
        return []
    subjects = [
        spelling for value in reference_values(fact.subjects) for spelling in (value.text, *_spellings(value, text))
    ]
    return [
        _Edit(start=match.start(), end=match.end(), text=other)
        for match in re.finditer(f"(?P<kept>(?i:{_any_of(subjects)}))|(?P<value>{_any_of(written)})", text)
        if match["value"] and (len(match["value"]) >= SHORT or match.start() in within)
    ]


def _spellings(value: ReferenceValue, text: str) -> list[str]:
    """Each way in which a text writes a value: a page may have a date in figures and in words."""
    spellings: list[str] = []
    while written := value.written_in(text):
        spellings.append(written)
        text = text.replace(written, "\n" * len(written))
    return spellings


def _any_of(pieces: Sequence[str]) -> str:
    """A pattern for pieces of text as whole words, longer ones first; one that nothing fits where there are none."""
    longest_first = sorted(set(pieces), key=lambda piece: (-len(piece), piece))
    return "|".join(rf"(?<!\w){re.escape(piece)}(?!\w)" for piece in longest_first) or "(?!)"


def _with_edits(text: str, edits: Sequence[_Edit]) -> str:
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _edited(document: Document, edits: Sequence[_Edit]) -> Document:
    """A document with another text; its pages and headings begin where they began in what is left."""

    def moved(place: int) -> int:
        shift = 0
        for edit in edits:
            if edit.end <= place:
                shift += len(edit.text) - (edit.end - edit.start)
            elif edit.start < place:
                return edit.start + shift
        return place + shift

    return replace(
        document,
        text=_with_edits(document.text, edits),
        pages=tuple(moved(place) for place in document.pages),
        outline=tuple(
            replace(heading, start=moved(heading.start), end=moved(heading.end)) for heading in document.outline
        ),
    )
