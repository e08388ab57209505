"""Widgets whose value is a parameter of the URL.

The URL leads: before each draw the widget takes the URL's value, and a person's change is written back before the page
runs again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final, Literal

import streamlit as st

from pages.kit.state.links import LISTS, LONGEST
from pages.kit.state.url import link, update

Visibility = Literal["visible", "hidden", "collapsed"]
"""Whether a widget shows its label."""

_MOST: Final = 1e8
"""Numbers beyond it are not written into a link."""


def choose(
    label: str,
    options: Sequence[str],
    parameter: str,
    *,
    default: str = "",
    every: str = "",
    name: Callable[[str], str] = str,
    disabled: bool = False,
    help: str | None = None,
    label_visibility: Visibility = "visible",
    pinned: bool = False,
) -> str:
    """A select box bound to a parameter.

    Args:
        label: What is chosen.
        options: Values as they stand in the URL.
        parameter: Which parameter of the link.
        default: The value when the URL has none; the first option when empty and there is no `every`.
        every: When given, a first option with this label that stands for no filter and returns "".
        name: How a value is written for people.
        disabled: Whether it is shown only.
        help: Hover text.
        label_visibility: As Streamlit's.
        pinned: Whether a value that nobody chose is written into the URL as well, so that a copied link shows the same
            later. For defaults that follow from the data: the newest run, the first score with values.

    Returns:
        The value, "" for `every` or when there is no option at all.
    """
    values = ([""] if every else []) + list(options)
    if not values:
        return ""
    key = _bind(parameter, values, default)
    chosen = st.selectbox(
        label,
        values,
        key=key,
        format_func=lambda value: every if every and value == "" else name(value),
        on_change=_write,
        args=(parameter,),
        disabled=disabled,
        help=help,
        label_visibility=label_visibility,
    )
    if pinned and getattr(link(), parameter) != chosen:
        update(**{parameter: chosen})
    return chosen


def switch(
    label: str,
    options: Sequence[str],
    parameter: str,
    *,
    default: str = "",
    name: Callable[[str], str] = str,
    label_visibility: Visibility = "visible",
) -> str:
    """A segmented control bound to a parameter; one option is always chosen. "" may be an option ("All")."""
    key = _bind(parameter, list(options), default)
    chosen = st.segmented_control(
        label,
        list(options),
        key=key,
        required=True,
        format_func=name,
        on_change=_write,
        args=(parameter,),
        label_visibility=label_visibility,
    )
    return chosen or ""


def search(label: str = "Search", *, placeholder: str = "", parameter: str = "search") -> str:
    """A search field bound to a parameter."""
    key = f"url_{parameter}"
    st.session_state[key] = getattr(link(), parameter)
    text = st.text_input(
        label, key=key, placeholder=placeholder, max_chars=LONGEST, on_change=_write, args=(parameter,)
    )
    return (text or "").strip()


def several(
    label: str,
    options: Sequence[str],
    parameter: str,
    *,
    name: Callable[[str], str] = str,
    most: int,
    default: Sequence[str] = (),
) -> list[str]:
    """A multiselect bound to a parameter that is a list with commas; what is no option is left out.

    Args:
        label: What is chosen.
        options: Values as they stand in the URL.
        parameter: Which parameter of the link.
        name: How a value is written for people.
        most: How many may be chosen.
        default: What is chosen while the URL says nothing; a person can still choose none.
    """
    key = f"url_{parameter}"
    choices = getattr(link(), parameter).split(",") if parameter in st.query_params else default
    values = [value for value in choices if value in options]
    st.session_state[key] = list(dict.fromkeys(values))[:most]
    return st.multiselect(
        label,
        options,
        key=key,
        format_func=name,
        max_selections=most,
        on_change=_write,
        args=(parameter,),
        placeholder="None",
    )


def number(
    label: str,
    parameter: str,
    *,
    step: float = 0.05,
    help: str | None = None,
    placeholder: str = "any",
    disabled: bool = False,
) -> float | None:
    """A number field bound to a parameter; None while it is empty."""
    key = f"url_{parameter}"
    url_value = getattr(link(), parameter)
    st.session_state[key] = float(url_value) if url_value else None
    return st.number_input(
        label,
        key=key,
        step=step,
        format="%.4g",
        help=help,
        on_change=_write,
        args=(parameter,),
        placeholder=placeholder,
        disabled=disabled,
    )


def slide(
    label: str, parameter: str, *, low: float, high: float, step: float, default: float, help: str | None = None
) -> float:
    """A slider bound to a parameter; a value of the URL that lies outside is brought to the nearest end."""
    key = f"url_{parameter}"
    url_value = getattr(link(), parameter)
    st.session_state[key] = min(high, max(low, float(url_value) if url_value else default))
    return st.slider(label, low, high, key=key, step=step, help=help, on_change=_write, args=(parameter,))


def turn_page(pages: int) -> int:
    """A pager bound to ``page``; returns the page from 1, within the pages there are."""
    current = min(max(1, link().page), max(1, pages))
    if pages > 1:
        # The key names the page it starts from, so that the pager follows the URL when a filter takes it back to 1.
        key = f"turn_from_{current}_of_{pages}"
        st.pagination(pages, default=current, key=key, on_change=_turn, args=(key,))
    return current


def _turn(key: str) -> None:
    update(page=int(st.session_state.get(key) or 1))


def _bind(parameter: str, values: Sequence[str], default: str) -> str:
    key = f"url_{parameter}"
    url_value = getattr(link(), parameter)
    if parameter not in st.query_params:
        url_value = default
    st.session_state[key] = url_value if url_value in values else (default if default in values else values[0])
    return key


def _write(parameter: str) -> None:
    text = written(st.session_state.get(f"url_{parameter}"))
    # A list that somebody emptied is not the list that nobody chose.
    update(**{parameter: "," if parameter in LISTS and not text else text})
    if parameter not in ("page", "case", "metric", "columns", "call"):
        update(page=1)
    if parameter in ("test_set", "job"):
        update(case="")
    if parameter == "sort":
        update(low="", high="", scored="")
    if parameter == "view":
        update(round="", rater="", place="")
    if parameter == "round":
        update(rater="", place="", case="")
    if parameter == "rater":
        update(place="")
    if parameter in ("attribute", "by"):
        update(a="", b="", case="")
    if parameter == "score":
        update(threshold="", case="")
    if parameter in ("score", "view", "run"):
        update(cell="")
    if parameter in ("run", "criterion"):
        # A calibration is of one run and one criterion.
        update(calibration="")
    if parameter == "run":
        update(criterion="")


def written(value: object) -> str:
    """A widget's value as it stands in a URL.

    Numbers keep every digit, so that the end of a bar filters just the cases the bar counts.

    >>> written(None), written(["mrr", "f1"]), written(0.25), written(-3.0)
    ('', 'mrr,f1', '0.25', '-3.0')
    """
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    if isinstance(value, float):
        return f"{Decimal(repr(round(max(-_MOST, min(_MOST, value)), 17))):f}"
    return str(value)
