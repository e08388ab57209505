"""What a link holds, what a session remembers: the only module, with `frame`, that touches Streamlit's state.

Ids and filters live in the URL, so that a link opens the same view for a colleague; the truth lives in the store.

For a page:

- `link()` is the current view (`pages.kit.links`); `link().run`, `.case`, `.search`... are texts, empty when unset.
- `update(case="c1")` changes the URL in place; an empty text removes the parameter.
- `go("results", run=..., verdict="incorrect")` opens another page; the project comes along by itself.
- `choose(...)`, `switch(...)`, `search(...)` are widgets whose value is a parameter of the URL.
- `typed(key)` is the text of a field, so that nobody's words are lost with the thing they were about.
- `say("...")` is told at the top of the page after the next rerun; `keep` and `note` hold a page's passing notes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, Literal, NoReturn
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from pages.kit import navigation
from pages.kit.links import LISTS, LONGEST, NAMES, Link

Visibility = Literal["visible", "hidden", "collapsed"]
"""Whether a widget shows its label."""

_MOST: Final = 1e8
"""Numbers beyond it are not written into a link."""


def link() -> Link:
    """The current view.

    Raises:
        InvalidInput: The URL holds something that cannot be; `frame.begin` has shown it already.
    """
    return Link.from_query(st.query_params.to_dict())


def update(**changes: str | int) -> None:
    """Writes parameters into the URL without a rerun; an empty text removes one. Checked like any link."""
    _check(changes)
    for name, value in changes.items():
        if value in ("", None) or (name == "page" and int(value) == 1):
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def go(page: str, **changes: str | int) -> NoReturn:
    """Opens another page with these parameters; the project comes along unless another is given."""
    st.switch_page(navigation.spec(page).path, query_params=query(**changes))


def query(**changes: str | int) -> dict[str, str]:
    """Parameters for a link to another page: the current project and these."""
    _check(changes)
    # `Link` checks the types itself; the signature cannot say which name takes which.
    return Link(**{"project": remembered("project"), **changes}).as_query()  # type: ignore[arg-type]


def address(page: str, **changes: str | int) -> str:
    """A URL that opens a page as seen now, to send to a colleague.

    It begins with what this person's browser calls the server; relative where the browser has not told.
    """
    relative = f"{navigation.spec(page).url_path}?{urlencode(query(**changes))}"
    return f"{server_of(st.context.url)}/{relative}" if st.context.url else f"./{relative}"


def server_of(url: str) -> str:
    """The address of the server without the page, with the path the server may have behind a proxy.

    >>> server_of("https://host.example/plumbline/label"), server_of("https://host.example/plumbline/")
    ('https://host.example/plumbline', 'https://host.example/plumbline')
    """
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    before, _, last = path.rpartition("/")
    own = {spec.url_path for spec in navigation.PAGES}
    return urlunsplit((parts.scheme, parts.netloc, before if last in own else path, "", ""))


def _check(changes: Mapping[str, str | int]) -> None:
    if unknown := set(changes) - NAMES:
        raise KeyError(f"no such parameter of a link: {sorted(unknown)}")
    Link(**changes)  # type: ignore[arg-type]  # checking them is what it is made for


# Widgets whose value is a parameter of the URL. The URL leads: before each draw the widget takes the URL's value,
# and a person's change is written back before the page runs again.


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

    Returns:
        The value, "" for `every` or when there is no option at all.
    """
    values = ([""] if every else []) + list(options)
    if not values:
        return ""
    key = _bind(parameter, values, default)
    return st.selectbox(
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


def filter_by(filters: Mapping[str, str]) -> None:
    """Writes the levels that cases are filtered by into the URL; what was open may be gone, so it is closed."""
    update(where=urlencode(filters), a="", b="", cell="", case="", page=1)


def bin_by(bins: Mapping[str, str]) -> None:
    """Writes how numbers become levels into the URL; levels that were open or filtered by may be gone."""
    update(bins=urlencode(bins), where="", a="", b="", cell="", case="", page=1)


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


# What a session remembers. Ids only: the truth is in the store.


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


def note(name: str, default: Any = None) -> Any:
    """A passing note, or the default."""
    return st.session_state.get(f"note_{name}", default)


def drop(name: str) -> None:
    """Forgets a passing note."""
    st.session_state.pop(f"note_{name}", None)


def typed(key: str) -> str | None:
    """What a person has typed in the text field with this key, None while it has not been drawn."""
    return st.session_state.get(key)


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
