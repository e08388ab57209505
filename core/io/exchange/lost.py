"""Columns that look as if they held answers, passages or ids and would be lost: an error that names the remedy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from core.domain.errors import LostColumns
from core.io.exchange.format import OURS
from core.io.exchange.mapping import CHOSEN, UNKNOWN, Mapped
from core.io.recorded_verdicts import read_verdict
from core.io.tables.cells import number_of
from core.io.tables.columns import Field
from core.io.tables.rows import Row

LOOK_LIKE: Final[Mapping[Field, frozenset[str]]] = {
    Field.ANSWER: frozenset({"answer", "response", "reply", "completion", "output", "prediction", "generation"}),
    Field.REFERENCES: frozenset({"reference", "truth", "groundtruth", "gold", "target", "expected"}),
    Field.CONTEXTS: frozenset({"context", "passage", "document", "doc", "chunk", "snippet", "evidence", "retrieval"}),
}
"""The last word of a name, in the singular, and what such a column is likely to hold."""

_RIGHT: Final = frozenset({"expected", "reference", "gold", "golden", "ideal", "truth", "ground", "correct", "target"})
"""Words beside "answer" that make it the right one."""

_DOCUMENTS: Final = LOOK_LIKE[Field.CONTEXTS] | {"source", "node"}
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
MOST_NAMED: Final = 5


def refuse_losses(mapped: Sequence[Mapped], rows: Sequence[tuple[int, Row]], called: str) -> None:
    """Refuses a mapping that would lose what looks like answers, passages or ids.

    A column chosen by hand is as a person wants it. One that is ignored because another was taken for the same field is
    lost only if the two differ somewhere.

    Args:
        mapped: What each column becomes.
        rows: All rows of the file.
        called: What messages call the file.

    Raises:
        LostColumns: There is such a column; the message names each, the hint says what it could become.
    """
    by_hand = {item.column for item in mapped if item.why == CHOSEN}
    answered = any(item.becomes is Field.ANSWER for item in mapped)
    # What we wrote has our own column beside the tool's, which says the same in its way; answers have but one.
    candidates = [
        item
        for item in mapped
        if item.taken not in by_hand
        and (item.taken not in OURS or (looks_like(item.column) is Field.ANSWER and not answered))
    ]
    lost = {item.column: kind for item in candidates if (kind := _lost(item, rows)) is not None}
    if not lost:
        return
    names = list(lost)
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if names[MOST_NAMED:] else "")
    taken = next((f" ({item.why.rstrip('.')})" for item in mapped if item.column == names[0] and item.taken), "")
    plural = len(names) > 1
    raise LostColumns(
        f"{called} has {'columns' if plural else 'a column'} that would be lost: {shown}{taken}. "
        f"{'They look' if plural else 'It looks'} like {' and '.join(dict.fromkeys(map(_plural, lost.values())))}.",
        f"Map {'each' if plural else 'it'} to what it is, such as {names[0]}={lost[names[0]].value}, "
        f"or {names[0]}=ignored if it is not needed.",
        names,
    )


def looks_like(column: str) -> Field | None:
    """What a column is likely to hold by the last word of its name; None where the name says nothing.

    >>> looks_like("agent_answer"), looks_like("outputs.documents"), looks_like("expectedAnswer")
    (<Field.ANSWER: 'answer'>, <Field.CONTEXTS: 'contexts'>, <Field.REFERENCES: 'reference_answers'>)
    >>> looks_like("answer_relevancy"), looks_like("retrieved_doc_ids")
    (None, <Field.DOCUMENT_IDS: 'document_ids'>)
    """
    words = [word.casefold() for word in _WORDS.findall(column)]
    if not words:
        return None
    last = _singular(words[-1])
    if last == "id" and len(words) > 1 and _singular(words[-2]) in _DOCUMENTS:
        return Field.DOCUMENT_IDS
    kind = next((field for field, nouns in LOOK_LIKE.items() if last in nouns), None)
    if kind is Field.ANSWER and _RIGHT & set(words[:-1]):
        return Field.REFERENCES
    return kind


def _lost(item: Mapped, rows: Sequence[tuple[int, Row]]) -> Field | None:
    if item.taken:
        field = next((other for other in LOOK_LIKE if other.value in item.why), None)
        differ = any(
            row.get(item.column) not in (None, "")
            and row.get(item.taken) not in (None, "")
            and row[item.column] != row[item.taken]
            for _, row in rows
        )
        kind = looks_like(item.column) or field
        return (Field.REFERENCES if field is Field.ANSWER else kind) if differ and kind is not None else None
    if item.becomes not in (Field.IGNORED, Field.ATTRIBUTE) or not item.why.startswith(UNKNOWN):
        return None
    kind = looks_like(item.column)
    return kind if kind is not None and _holds_texts(item.column, rows) else None


def _holds_texts(column: str, rows: Sequence[tuple[int, Row]]) -> bool:
    """Whether some value can be an answer, a passage or an id: no number, no truth, no verdict."""
    return any(_is_text(row.get(column)) for _, row in rows)


def _is_text(value: object) -> bool:
    if isinstance(value, (list, dict)):
        return bool(value)
    if not isinstance(value, str) or not value.strip() or read_verdict(value) is not None:
        return False
    try:
        return number_of(value) is None
    except ValueError:
        return True


def _singular(word: str) -> str:
    return {"replies": "reply", "evidences": "evidence"}.get(word, word.removesuffix("s"))


def _plural(field: Field) -> str:
    return {
        Field.ANSWER: "answers",
        Field.REFERENCES: "right answers",
        Field.CONTEXTS: "passages",
        Field.DOCUMENT_IDS: "ids of documents",
    }.get(field, field.value)
