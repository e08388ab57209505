"""What a click opens is brought into view: the evidence of a row or a mark may begin below the window.

The link tells what is open. When one of its parameters names another thing than a moment ago on the same page, the part
of the page that shows it is scrolled to, unless it can be seen. The first drawing of a page stays at its top.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from core.domain.errors import InvalidInput
from pages.kit import state
from pages.kit.state.links import Link

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "case": (
        "case_view",
        "case_detail",
        "question_card",
        "decided_case",
        "label_view",
        "dispute_open",
        "faulty_answer",
        "pair",
        "answer_a",
        "open_case",
    ),
    "group": ("group_view",),
    "cell": ("finding_view", "weakness_part"),
    "a": ("weakness_part",),
    "b": ("weakness_part",),
    "criterion": ("criterion_open", "criterion_view"),
    "prompt": ("prompt_view",),
    "round": ("round_open",),
    "unit_test": ("jt_case",),
    "metric": ("metric_view", "judge_view", "misses"),
    "module": ("three_cases",),
    "template": ("sql_editor",),
    "topic": ("topic_view",),
    "document": ("document",),
    "chunk": ("chunk",),
}
"""By parameter of the link, the keys of the containers that show what it names; the first that is drawn counts."""

_COMPONENT: Final = st.components.v2.component(
    "plumbline_reveal",
    html="<span hidden></span>",
    js=(Path(__file__).parent / "reveal.js").read_text("utf-8"),
    isolate_styles=False,
)


def draw(page: str) -> None:
    """Draws nothing; scrolls to what was opened since the page was drawn before.

    Args:
        page: The page's key or address, so that what is open on another one does not count.
    """
    try:
        link = Link.from_query(st.query_params.to_dict())
    except InvalidInput:  # the page has said so
        return
    now = (page, {name: getattr(link, name) for name in PARTS})
    before = state.note("open_parts")
    state.keep("open_parts", now)
    count = int(state.note("open_count", 0))
    names: list[str] = []
    if before is not None and before[0] == page:
        names = [name for name in PARTS if now[1][name] and now[1][name] != before[1][name]]
        count += bool(names)
        state.keep("open_count", count)
    keys = [key for name in names for key in PARTS[name]]
    if count:
        _COMPONENT(key="reveal", data={"count": count, "keys": keys or state.note("open_keys", [])})
    if keys:
        state.keep("open_keys", keys)
