"""A diagnosis as lines for a person: each figure with what it counts, since their names are those of the method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.cli.output import shown

ACCURACY: Final = "correct answers, of rows with a verdict"
ID_MATCH: Final = "retrieved ids are the gold ids, of rows that have both"
CONTEXT: Final = "correct, or wrong with the documents of a correct wording"
FIGURES: Final = {
    "accuracy": ACCURACY,
    "id_match": ID_MATCH,
    "context_comparison": CONTEXT,
    "retrieval_db": "groups with a correct answer, of groups with a verdict",
}
"""What the figures count, by their key."""

REFINED: Final = "the same, of groups with a correct answer only"

GROUPS: Final = {
    "gap": "no correct answer in the group, whatever the cause",
    "robust": "every answer in the group is correct",
    "non_robust": "some answers in the group are correct, some are not",
}
"""What the tags of a semantic group mean."""

MODULES: Final = {
    "correct": "answered correctly",
    "knowledge_gap": "no document states the fact, or it states another value",
    "retrieval": "a document states the fact, the retrieved passages do not",
    "language_model": "the retrieved passages state the fact, the answer is wrong",
    "undecided": "it cannot be told what the documents or passages state",
    "unresolved_gap": "what was retrieved is not known, or there is no document to look in",
    "not_judged": "no verdict",
}
"""What a row is put down to, by the module's name."""


def diagnosis_lines(document: Mapping[str, object]) -> list[str]:
    """The lines of a diagnosis.

    Args:
        document: As `core.diagnosis.Diagnosis.as_json` has it.
    """
    lines = [f"rows {document['n']}, not judged {document['not_judged']}"]
    lines += [_line(name, shown(_mapping(document[name])), meaning) for name, meaning in FIGURES.items()]
    lines += [
        _line(f"refined {name}", shown(_mapping(figure)), REFINED)
        for name, figure in _mapping(document["refined"]).items()
    ]
    lines.append("groups: the wordings of one question in one form")
    lines += [
        _line(tag, f"{_mapping(size)['groups']} groups, {_mapping(size)['rows']} rows", GROUPS.get(tag, ""))
        for tag, size in _mapping(document["groups"]).items()
    ]
    lines.append("attribution: rows by the module that they are put down to")
    lines += [
        f"  {part:<18} {count!s:<7} {MODULES.get(part, '')}".rstrip()
        for part, count in _mapping(document["attribution"]).items()
    ]
    notes = document["notes"]
    return [*lines, *(str(note) for note in notes)] if isinstance(notes, list) else lines


def _line(name: str, value: str, meaning: str) -> str:
    return f"{name:<28} {value:<32} {meaning}".rstrip()


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
