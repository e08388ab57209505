"""The texts of a case to read, large and calm, with words that can be marked as evidence.

The texts go to the browser as JSON and become text nodes there: nothing in them is ever markup. Places are counted in
characters, as Python counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import streamlit as st

from core.domain.results.labels import Span
from core.domain.results.responses import Response
from core.domain.testset.cases import TestCase
from core.text.display.visible import SAME_LENGTH, unturned
from pages.kit import state

_FOLDER: Final = Path(__file__).parent
_COMPONENT: Final = st.components.v2.component(
    "plumbline_reading",
    html='<div class="pl-reading"></div>\n<!-- texts are filled in by the script -->',
    css=(_FOLDER / "reading.css").read_text("utf-8"),
    js=(_FOLDER / "reading.js").read_text("utf-8"),
    isolate_styles=False,
)
OPEN: Final = 6
"""Passages that are open at first; a click opens the others."""
NO_TEXT: Final = "The text of this passage is not known."


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One text of a case.

    Attributes:
        where: As a `Span` names it; empty where nothing can be marked.
        kind: ``question``, ``answer``, ``reference`` or ``passage``.
        title: The words above it.
        text: What it says.
    """

    where: str
    kind: str
    title: str
    text: str


def pieces(
    case: TestCase, response: Response | None, *, reference: bool, titles: Mapping[str, str] | None = None
) -> tuple[Piece, ...]:
    """The texts of a case in reading order; nothing a machine said of them.

    Args:
        case: The case.
        response: What the target returned; its name, scores, times and places in the corpus are left out.
        reference: Whether the reference answer is among them.
        titles: Titles of documents by id.
    """
    texts = [Piece(where="", kind="question", title="Question", text=case.question)]
    answer = response.answer if response is not None else None
    if answer is None:
        texts.append(Piece(where="", kind="answer", title="Answer", text="There is no answer: the system failed here."))
    else:
        texts.append(Piece(where="answer", kind="answer", title="Answer", text=answer))
    if reference and case.reference_answers:
        text = "\n".join(case.reference_answers)
        texts.append(Piece(where="reference", kind="reference", title="Reference answer", text=text))
    contexts = response.contexts if response is not None else ()
    for number, context in enumerate(contexts, start=1):
        name = (titles or {}).get(context.document_id, context.document_id)
        texts.append(
            Piece(
                where=f"context {number}" if context.text else "",
                kind="passage",
                title=f"Passage {number} of {len(contexts)}" + (f": {name}" if name else ""),
                text=context.text or NO_TEXT,
            )
        )
    return tuple(texts)


def draw(
    texts: Sequence[Piece],
    *,
    task: str,
    spans: Sequence[Span] = (),
    marked: Callable[[], None] | None = None,
    key: str = "reading",
) -> None:
    """Draws the texts.

    Args:
        texts: In reading order.
        task: Names what is read; a mark made on one is never taken for one on another.
        spans: What is marked.
        marked: Called after words were marked or a mark was taken off; `mark` tells which. Without it none can be.
        key: Unique on the page.
    """
    passages = [piece for piece in texts if piece.kind == "passage"]
    _COMPONENT(
        key=key,
        data={
            "task": task,
            "markable": marked is not None,
            "texts": [
                {
                    "where": piece.where,
                    "kind": piece.kind,
                    "title": _written(piece.title),
                    "text": _written(piece.text),
                    "fold": piece.kind == "passage",
                    "open": piece in passages[:OPEN],
                    "spans": _places(piece, spans),
                }
                for piece in texts
            ],
        },
        on_marked_change=marked or _nothing,
    )


def mark(texts: Sequence[Piece], task: str, key: str = "reading") -> tuple[Span, bool] | None:
    """What a person has just marked: the span, and whether it was taken off; None where that is nothing."""
    return parse(state.sent(key, "marked"), texts, task)


def parse(sent: object, texts: Sequence[Piece], task: str) -> tuple[Span, bool] | None:
    """What a browser sent as a mark; None unless it lies in one of the texts of this task.

    >>> text = Piece(where="answer", kind="answer", title="Answer", text="It is 5 percent.")
    >>> parse({"where": "answer", "start": 6, "end": 7, "task": "t"}, [text], "t")
    (Span(where='answer', start=6, end=7), False)
    >>> parse({"where": "answer", "start": 6, "end": 99, "task": "t"}, [text], "t")
    """
    if not isinstance(sent, Mapping) or sent.get("task") != task:
        return None
    start, end = sent.get("start"), sent.get("end")
    if type(start) is not int or type(end) is not int:
        return None
    for piece in texts:
        if piece.where and piece.where == sent.get("where") and 0 <= start < end <= len(piece.text):
            return Span(where=piece.where, start=start, end=end), bool(sent.get("remove"))
    return None


def with_mark(spans: Sequence[Span], new: Span, *, remove: bool) -> tuple[Span, ...]:
    """The marks after one was made or taken off; marks that touch become one.

    >>> a = Span(where="answer", start=0, end=5)
    >>> with_mark([a], Span(where="answer", start=3, end=9), remove=False)
    (Span(where='answer', start=0, end=9),)
    >>> with_mark([a], a, remove=True)
    ()
    """
    if remove:
        return tuple(span for span in spans if not _touch(span, new))
    joined = [new, *(span for span in spans if _touch(span, new))]
    whole = Span(where=new.where, start=min(entry.start for entry in joined), end=max(entry.end for entry in joined))
    rest = [span for span in spans if not _touch(span, new)]
    return tuple(sorted([*rest, whole], key=lambda span: (span.where, span.start)))


def _touch(a: Span, b: Span) -> bool:
    return a.where == b.where and a.start <= b.end and b.start <= a.end


def _places(piece: Piece, spans: Sequence[Span]) -> list[list[int]]:
    """The marks on a text in order; those of several people that overlap are one."""
    here = sorted((span.start, span.end) for span in spans if piece.where and span.where == piece.where)
    marks: list[list[int]] = []
    for start, end in here:
        if not 0 <= start < end <= len(piece.text):
            continue
        if marks and start <= marks[-1][1]:
            marks[-1][1] = max(marks[-1][1], end)
        else:
            marks.append([start, end])
    return marks


def _written(text: str) -> str:
    """The text as JSON can carry it, and as it is stored; every place stays.

    A lone surrogate becomes a question mark, a sign that turns the direction of writing a replacement character.
    """
    return unturned(text.encode("utf-8", "replace").decode("utf-8"), SAME_LENGTH)


def _nothing() -> Any:
    return None
