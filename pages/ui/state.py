"""What a link holds, what a session remembers: the only module, with `frame`, that touches Streamlit's state.

Ids and filters live in the URL, so that a link opens the same view for a colleague; the truth lives in the store.

For a page:

- `link()` is the current view; `link().run`, `.case`, `.form`, `.verdict`, `.search`... are texts, empty when unset.
- `update(case="c1")` changes the URL in place; an empty text removes the parameter.
- `go("results", run=..., verdict="incorrect")` opens another page; the project comes along by itself.
- `choose(...)`, `switch(...)`, `search(...)` are widgets whose value is a parameter of the URL.
- `typed(key)` is the text of a field, so that nobody's words are lost with the thing they were about.
- `say("...")` is told at the top of the page after the next rerun; `keep` and `kept` hold a page's passing notes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Final, NoReturn
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import streamlit as st

from core.domain.errors import InvalidInput
from core.domain.responses import Verdict
from pages.ui import navigation

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,79}")
_IDS: Final = (
    "project", "test_set", "run", "case", "job", "template", "source", "round", "criterion", "calibration", "call",
    "chunk",
)  # fmt: skip
_NUMBERS: Final = ("low", "high", "alpha", "threshold", "q", "effect")
_LONGEST: Final = 200
_METRIC: Final = re.compile(r"[a-z][a-z0-9_]{0,59}(\.[a-z0-9_]{1,60})?(@[1-9][0-9]{0,3})?")
"""One of ours, or one that another tool measured, with the tool's name in front."""
_MADE: Final = ("chance:", "label:")
"""In front of a calibration, for the chance it gives each case; in front of a criterion, for what people said."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,20})?")
_PAGE: Final = re.compile(r"[1-9][0-9]{0,6}")
_LAST_PAGE: Final = 1_000_000
_PLACE: Final = re.compile(r"[1-9][0-9]{0,5}")
_MOST: Final = 1e8
MOST_COLUMNS: Final = 8
"""Metrics that are columns of one table; more do not fit on a screen."""
_LISTS: Final = {"columns": MOST_COLUMNS * 127}
MOST_FILTERS: Final = 4
"""Levels that cases are filtered by at once."""
_CUTS: Final = re.compile(r"q[1-9][0-9]?|-?[0-9]{1,9}(\.[0-9]{1,6})?(,-?[0-9]{1,9}(\.[0-9]{1,6})?){0,18}")
"""How a number becomes levels: so many of equal size, or where they end."""
_LEVEL: Final = 1_000
"""Longest level of an attribute in a link: a filled template may be one."""
_LENGTHS: Final = {
    **_LISTS,
    "document": 4_000,
    "a": _LEVEL,
    "b": _LEVEL,
    "where": MOST_FILTERS * 3 * _LEVEL,
    "bins": 2_000,
}
"""Longest texts where they are not those of a name; a document may be called by its path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A view as the URL names it; it checks itself, so that nothing odd from a URL goes further.

    Attributes:
        project, test_set, run, case, job, template, source: Ids of stored things.
        table: A table of the database.
        group: A semantic group.
        form: A linguistic attribute.
        verdict: "correct", "incorrect" or "not_judged".
        search: Text to look for.
        status: A review status.
        module: An attribution ("retrieval").
        tag: A tag of groups ("gap").
        reading: How verdicts are read ("override").
        attribute, a, b: An attribute and the two of its values that are compared; with `by`, a level of each.
        by: The second attribute of a map.
        score: What weakness is looked for in: "verdict", a metric, "chance:" and a calibration,
            "label:" and a criterion.
        where: Levels that cases are filtered by, as "topic=Loans&form=short"; `filters` reads it.
        bins: How numbers become levels, as "length=q4" for four of equal size, "length=8,16" for where they end;
            `cuts` reads it.
        q: Accepted share of false alarms among what is called weak.
        effect: How much worse a part must be to be called weak.
        means: "raw" for means as they are; drawn towards the margins otherwise.
        shape: "box" for boxes; violins otherwise.
        view: Which part of a page is open.
        metric: The metric whose evidence is shown.
        columns: Metrics that are columns of a table, with commas between them.
        sort: The metric a table is sorted by.
        order: "best" for the best values first; the worst come first otherwise.
        low, high: Least and greatest value of the metric it is sorted by.
        scored: How cases stand for that metric ("unscored").
        cell: A cell of the table answerable x answered.
        round: A labelling round.
        rater: The name of the person who labels, where nobody signs in.
        place: Place of a case in a rater's own order, from 1.
        criterion: What people are asked about an answer.
        calibration: A stored calibration.
        decision: What a calibration says of a case ("accept", "reject", "human").
        method: A probability model.
        conformal: How prediction sets are made.
        alpha: The share of misses a promise allows.
        threshold: From which probability on an answer is accepted.
        purpose: What a call of a model was for.
        model: The name of a language model.
        prompt: A prompt.
        call: One call of a model.
        document: A document of the corpus.
        chunk: One of its chunks.
        topic: Number of a topic of the documents.
        kind: A kind of question from documents.
        page: Page of a long table, from 1.
    """

    project: str = ""
    test_set: str = ""
    run: str = ""
    case: str = ""
    job: str = ""
    template: str = ""
    source: str = ""
    table: str = ""
    group: str = ""
    form: str = ""
    verdict: str = ""
    search: str = ""
    status: str = ""
    module: str = ""
    tag: str = ""
    reading: str = ""
    attribute: str = ""
    a: str = ""
    b: str = ""
    view: str = ""
    metric: str = ""
    columns: str = ""
    sort: str = ""
    order: str = ""
    low: str = ""
    high: str = ""
    scored: str = ""
    cell: str = ""
    round: str = ""
    rater: str = ""
    place: str = ""
    criterion: str = ""
    calibration: str = ""
    decision: str = ""
    method: str = ""
    conformal: str = ""
    alpha: str = ""
    threshold: str = ""
    purpose: str = ""
    model: str = ""
    prompt: str = ""
    call: str = ""
    document: str = ""
    chunk: str = ""
    topic: str = ""
    kind: str = ""
    by: str = ""
    score: str = ""
    where: str = ""
    bins: str = ""
    q: str = ""
    effect: str = ""
    means: str = ""
    shape: str = ""
    page: int = 1

    def __post_init__(self) -> None:
        for name in _IDS:
            value = getattr(self, name)
            if value and not _ID.fullmatch(value):
                raise InvalidInput(f"The link names a {name.replace('_', ' ')} that cannot exist: {value[:80]}", _HINT)
        if self.verdict and self.verdict not in set(Verdict):
            raise InvalidInput(f"The link asks for an unknown verdict: {self.verdict[:80]}", _HINT)
        for name in (self.metric, self.sort, *self.metrics):
            if name and not _METRIC.fullmatch(name):
                raise InvalidInput(f"The link names a metric that cannot exist: {name[:80]}", _HINT)
        self._check_score()
        self._check_numbers()
        if len(self.metrics) > MOST_COLUMNS:
            raise InvalidInput(f"The link asks for {len(self.metrics)} metric columns.", _HINT)
        if not 1 <= self.page <= _LAST_PAGE:
            raise InvalidInput(f"The link asks for page {self.page}.", _HINT)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str) and len(value) > _LENGTHS.get(field.name, _LONGEST):
                raise InvalidInput(f"The link's {field.name} has {len(value)} characters.", _HINT)

    def _check_score(self) -> None:
        prefix = next((made for made in _MADE if self.score.startswith(made)), "")
        form = _ID if prefix else _METRIC
        if self.score and not form.fullmatch(self.score.removeprefix(prefix)):
            raise InvalidInput(f"The link names a score that cannot exist: {self.score[:80]}", _HINT)
        try:
            filters, cuts = self.filters, self.cuts
        except ValueError:
            raise InvalidInput(f"The link has filters that cannot be read: {self.where[:80]}", _HINT) from None
        if len(filters) > MOST_FILTERS:
            raise InvalidInput(f"The link has {len(filters)} filters.", _HINT)
        for _, text in cuts:
            if not _CUTS.fullmatch(text):
                raise InvalidInput(f"The link has bins that cannot be read: {text[:80]}", _HINT)

    def _check_numbers(self) -> None:
        for name in _NUMBERS:
            value = getattr(self, name)
            if value and not _NUMBER.fullmatch(value):
                raise InvalidInput(f"The link has a value that is no number: {value[:80]}", _HINT)
        if self.place and not _PLACE.fullmatch(self.place):
            raise InvalidInput(f"The link asks for place {self.place[:80]}.", _HINT)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics named in `columns`, each once."""
        return tuple(dict.fromkeys(name for name in self.columns.split(",") if name))

    @property
    def filters(self) -> tuple[tuple[str, str], ...]:
        """The attributes and levels of `where`, each attribute once.

        >>> Link(where="topic=Loans+%26+credit&form=short").filters
        (('topic', 'Loans & credit'), ('form', 'short'))
        """
        return tuple(dict(parse_qsl(self.where, strict_parsing=True)).items()) if self.where else ()

    @property
    def cuts(self) -> tuple[tuple[str, str], ...]:
        """The attributes of `bins` and how each becomes levels.

        >>> Link(bins="length=8%2C16").cuts
        (('length', '8,16'),)
        """
        return tuple(dict(parse_qsl(self.bins, strict_parsing=True)).items()) if self.bins else ()

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Link:
        """The link of a query string; unknown parameters are left alone, and a page that cannot be is the first one.

        Raises:
            InvalidInput: A parameter cannot be what it says.
        """
        known: dict[str, Any] = {name: value for name, value in query.items() if name in _NAMES and value}
        if "page" in known:
            asked = known.pop("page")
            if _PAGE.fullmatch(asked) and int(asked) <= _LAST_PAGE:
                known["page"] = int(asked)
        return cls(**known)

    def as_query(self) -> dict[str, str]:
        """The query string's parameters; what has its default is left out."""
        return {
            field.name: str(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


_HINT: Final = "Check the link, or open the page from the sidebar."
_NAMES: Final = frozenset(field.name for field in fields(Link))


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
    if unknown := set(changes) - _NAMES:
        raise KeyError(f"no such parameter of a link: {sorted(unknown)}")
    Link(**changes)  # type: ignore[arg-type]


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
    label_visibility: str = "visible",
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
        label_visibility=label_visibility,  # type: ignore[arg-type]
    )


def switch(
    label: str,
    options: Sequence[str],
    parameter: str,
    *,
    default: str = "",
    name: Callable[[str], str] = str,
    label_visibility: str = "visible",
) -> str:
    """A segmented control bound to a parameter; one option is always chosen. "" may be an option ("All")."""
    key = _bind(parameter, list(options), default)
    return st.segmented_control(
        label,
        options,
        key=key,
        required=True,
        format_func=name,
        on_change=_write,
        args=(parameter,),
        label_visibility=label_visibility,  # type: ignore[arg-type]
    )  # type: ignore[return-value]


def search(label: str = "Search", *, placeholder: str = "", parameter: str = "search") -> str:
    """A search field bound to a parameter."""
    key = f"url_{parameter}"
    st.session_state[key] = getattr(link(), parameter)
    found = st.text_input(
        label, key=key, placeholder=placeholder, max_chars=_LONGEST, on_change=_write, args=(parameter,)
    )
    return (found or "").strip()


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
    given = getattr(link(), parameter).split(",") if parameter in st.query_params else default
    asked = [value for value in given if value in options]
    st.session_state[key] = list(dict.fromkeys(asked))[:most]
    return st.multiselect(
        label, options, key=key, format_func=name, max_selections=most, on_change=_write, args=(parameter,),
        placeholder="None",
    )  # fmt: skip


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
    asked = getattr(link(), parameter)
    st.session_state[key] = float(asked) if asked else None
    return st.number_input(
        label, key=key, step=step, format="%.4g", help=help, on_change=_write, args=(parameter,),
        placeholder=placeholder, disabled=disabled,
    )  # fmt: skip


def slide(
    label: str, parameter: str, *, low: float, high: float, step: float, default: float, help: str | None = None
) -> float:
    """A slider bound to a parameter; a value of the URL that lies outside is brought to the nearest end."""
    key = f"url_{parameter}"
    asked = getattr(link(), parameter)
    st.session_state[key] = min(high, max(low, float(asked) if asked else default))
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
    asked = getattr(link(), parameter)
    if parameter not in st.query_params:
        asked = default
    st.session_state[key] = asked if asked in values else (default if default in values else values[0])
    return key


def _write(parameter: str) -> None:
    text = written(st.session_state.get(f"url_{parameter}"))
    # A list that somebody emptied is not the list that nobody chose.
    update(**{parameter: "," if parameter in _LISTS and not text else text})
    if parameter not in ("page", "case", "metric", "columns", "call"):
        update(page=1)
    if parameter == "test_set":
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
    return st.session_state.get(f"id_{name}", "")


def keep(name: str, value: object) -> None:
    """Keeps a page's passing note (which row is being edited) under a name of its own."""
    st.session_state[f"note_{name}"] = value


def kept(name: str, default: Any = None) -> Any:
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
    drawn = st.session_state.get(key)
    return drawn["selection"] if drawn else {}


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


def said() -> list[str]:
    """What is to be told, once."""
    return st.session_state.pop("said", [])


def fresh(name: str) -> str:
    """A widget key that changes with each `renew`, for uploaders and forms that must empty after they were used."""
    return f"{name}_{st.session_state.get(f'round_{name}', 0)}"


def renew(name: str) -> None:
    """Gives the widget of `fresh` a new key, so that it is drawn empty."""
    st.session_state[f"round_{name}"] = st.session_state.get(f"round_{name}", 0) + 1
