"""The cases of a page as a list with whole sentences; a click or an arrow key opens one beside it.

The texts go to the browser as JSON and become text nodes there: nothing in them is ever markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import streamlit as st

from core.store.results.runs import ResultRow
from core.text.display.visible import unturned
from pages.evaluate.results import reads
from pages.kit import state
from pages.kit.scores import names

_FOLDER: Final = Path(__file__).parent
_COMPONENT: Final = st.components.v2.component(
    "plumbline_cases",
    html='<ul class="pl-cases" role="listbox" tabindex="0"></ul>',
    css=(_FOLDER / "case_list.css").read_text("utf-8"),
    js=(_FOLDER / "case_list.js").read_text("utf-8"),
    isolate_styles=False,
)
KEY: Final = "case_list"
LONGEST: Final = 600
"""Characters of a question or an answer in the list; the evidence beside it has the whole of both."""


def draw(result_rows: Sequence[ResultRow], metrics: Sequence[str], opened: str) -> None:
    """Draws the list.

    Args:
        result_rows: The cases of this page, in order.
        metrics: Whose values stand with each case.
        opened: The case whose evidence is beside the list.
    """
    _COMPONENT(
        key=KEY,
        data={
            "label": "Cases. Arrow keys open the next and the previous one.",
            "opened": opened,
            "cases": [entry(row, metrics) for row in result_rows],
        },
        on_opened_change=_open,
    )


def entry(row: ResultRow, metrics: Sequence[str]) -> Mapping[str, str]:
    """What the list says of one case."""
    values = [f"{names.title(name)} {names.cell(row.scores.get(name), failed=reads.failed(row))}" for name in metrics]
    return {
        "id": row.case.case_id,
        "verdict": reads.verdict_key(row.verdict),
        "head": reads.verdict_name(row.verdict),
        "notes": " · ".join(values),
        "question": cut(row.case.question),
        "answer": cut(reads.answer_text(row)),
    }


def cut(text: str) -> str:
    """A text as it stands in the list; a very long one ends with an ellipsis.

    >>> cut("What is the fee?"), len(cut("x" * 1_000))
    ('What is the fee?', 602)
    """
    written = unturned(text.encode("utf-8", "replace").decode("utf-8"))
    return written if len(written) <= LONGEST else f"{written[:LONGEST].rstrip()} …"


def _open() -> None:
    """A click or a key in the list; runs before the page is drawn."""
    picked = state.sent(KEY, "opened")
    if isinstance(picked, str) and picked:
        state.update(case=picked)
