"""What a session remembers: ids of what somebody looks at, passing notes, what is typed, selected and to be told.

Ids only: the truth is in the store.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import streamlit as st


def remember(**ids: str) -> None:
    """Remembers ids for the next page (the project, the run somebody looks at); the URL still leads."""
    for name, value in ids.items():
        st.session_state[f"id_{name}"] = value


def remembered(name: str) -> str:
    """An id remembered in this session, or ""."""
    return str(st.session_state.get(f"id_{name}", ""))


def keep(name: str, value: object) -> None:
    """Keeps a page's passing note (which row is being edited) under a name of its own."""
    st.session_state[f"note_{name}"] = value


def visited(page: str) -> str:
    """The name of the note that a page was opened in this session.

    >>> visited("diagnose")
    'visited_diagnose'
    """
    return f"visited_{page}"


def note(name: str, default: Any = None) -> Any:
    """A passing note, or the default."""
    return st.session_state.get(f"note_{name}", default)


def drop(name: str) -> None:
    """Forgets a passing note."""
    st.session_state.pop(f"note_{name}", None)


def typed(key: str) -> str | None:
    """What a person has typed in the text field with this key, None while it has not been drawn."""
    return st.session_state.get(key)


def retype(key: str, text: str) -> None:
    """Puts a text into the field with this key; before the field is drawn."""
    st.session_state[key] = text


def put(key: str, value: object) -> None:
    """Puts a value into the field with this key, whatever kind it is; before the field is drawn."""
    st.session_state[key] = value


def sent(key: str, trigger: str) -> object:
    """What a component of ours has just sent, None where nothing; for callbacks, which run before the page."""
    return getattr(st.session_state.get(key), trigger, None)


def clicked(key: str) -> str:
    """The id of the mark of a chart that is selected, or ""; known before the chart is drawn, so no second run is."""
    marks = [point.get("customdata") for point in _selection(key).get("points", ())]
    first = marks[0] if marks else None
    return str(first[0] if isinstance(first, (list, tuple)) else first or "")


def row(key: str) -> int | None:
    """The number of the row of a table that is selected, or None; known before the table is drawn."""
    rows = _selection(key).get("rows", ())
    return int(rows[0]) if rows else None


def _selection(key: str) -> Mapping[str, Any]:
    """What is selected in a chart or table that was drawn before, empty where it was not."""
    event = st.session_state.get(key)
    return event["selection"] if event else {}


def spent(thing: str, *, idle: float, before: float = 0.0) -> float:
    """Seconds a person has spent on a thing since it was first drawn; another thing starts anew.

    Args:
        thing: What is worked on.
        idle: Most seconds between two moments that count: beyond it somebody has left the desk.
        before: Seconds spent on it before it was opened now.
    """
    clock = tick(st.session_state.get("clock"), thing, time.monotonic(), idle=idle, before=before)
    st.session_state["clock"] = clock
    return clock[1]


def tick(
    clock: tuple[str, float, float] | None, thing: str, now: float, *, idle: float, before: float = 0.0
) -> tuple[str, float, float]:
    """The clock of `spent` at a moment: the thing, the seconds spent on it, the moment.

    >>> drawn = tick(None, "case", 100.0, idle=180.0)
    >>> tick(tick(drawn, "case", 110.0, idle=180.0), "case", 1000.0, idle=180.0)
    ('case', 190.0, 1000.0)
    """
    if clock is None or clock[0] != thing:
        return thing, before, now
    return thing, clock[1] + min(max(0.0, now - clock[2]), idle), now


def say(message: str) -> None:
    """Tells the person something at the top of the page after the next rerun."""
    st.session_state.setdefault("said", []).append(message)


def messages() -> list[str]:
    """What is to be told, once."""
    texts: list[str] = st.session_state.pop("said", [])
    return texts


def fresh(name: str) -> str:
    """A widget key that changes with each `renew`, for uploaders and forms that must empty after they were used."""
    return f"{name}_{st.session_state.get(f'round_{name}', 0)}"


def renew(name: str) -> None:
    """Gives the widget of `fresh` a new key, so that it is drawn empty."""
    st.session_state[f"round_{name}"] = st.session_state.get(f"round_{name}", 0) + 1
