"""A view as its URL names it: the parameters of a link, and which of them can be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final
from urllib.parse import parse_qsl

from core.domain.errors import InvalidInput
from core.domain.results.responses import Verdict

_HINT: Final = "Check the link, or open the page from the sidebar."
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,79}")
_IDS: Final = (
    "project",
    "test_set",
    "run",
    "case",
    "job",
    "template",
    "source",
    "round",
    "criterion",
    "calibration",
    "call",
    "chunk",
    "judge_test",
    "against",
    "snapshot",
)
_NUMBERS: Final = ("low", "high", "alpha", "threshold", "q", "effect")
LONGEST: Final = 200
_METRIC: Final = re.compile(r"[a-z][a-z0-9_]{0,59}(\.[a-z0-9_]{1,60})?(@[1-9][0-9]{0,3})?")
"""One of ours, or one that another tool measured, with the tool's name in front."""
_MADE: Final = ("chance:", "label:")
"""In front of a calibration, for the chance it gives each case; in front of a criterion, for what people said."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,20})?")
_PAGE: Final = re.compile(r"[1-9][0-9]{0,6}")
_LAST_PAGE: Final = 1_000_000
_PLACE: Final = re.compile(r"[1-9][0-9]{0,5}")
MOST_COLUMNS: Final = 8
"""Metrics that are columns of one table; more do not fit on a screen."""
LISTS: Final = {"columns": MOST_COLUMNS * 127, "off": 400}
"""Parameters that hold several names, with their longest text."""
MOST_FILTERS: Final = 4
"""Levels that cases are filtered by at once."""
_CUTS: Final = re.compile(r"q[1-9][0-9]?|-?[0-9]{1,9}(\.[0-9]{1,6})?(,-?[0-9]{1,9}(\.[0-9]{1,6})?){0,18}")
"""How a number becomes levels: so many of equal size, or where they end."""
_LEVEL: Final = 1_000
"""Longest level of an attribute in a link: a filled template may be one."""
_LENGTHS: Final = {
    **LISTS,
    "document": 4_000,
    "a": _LEVEL,
    "b": _LEVEL,
    "where": MOST_FILTERS * 3 * _LEVEL,
    "bins": 2_000,
}
"""Longest texts where they are not those of a name; a document may be called by its path."""


def group_key(group_id: str, form: str) -> str:
    """How a semantic group is named in the URL: the wordings of one form of a filled SQL query."""
    return f"{group_id}:{form}"


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
        shape: "box" for boxes, violins otherwise; "table" for a table of cases, a list otherwise.
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
        part: Which part of the Judges page is open; "round" for the form of a new round on the Label page.
        judge_test: A run of unit tests of a judge.
        against: Another one that it is compared with.
        unit_test: One of its tests.
        snapshot: A frozen report.
        off: Sections that are left out of a report, with commas between them.
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
    shape: str = ""
    part: str = ""
    judge_test: str = ""
    against: str = ""
    unit_test: str = ""
    snapshot: str = ""
    off: str = ""
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
            if isinstance(value, str) and len(value) > _LENGTHS.get(field.name, LONGEST):
                raise InvalidInput(f"The link's {field.name} has {len(value)} characters.", _HINT)

    def _check_score(self) -> None:
        prefix = next((family for family in _MADE if self.score.startswith(family)), "")
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
        parameters: dict[str, Any] = {name: value for name, value in query.items() if name in NAMES and value}
        if "page" in parameters:
            page_text = parameters.pop("page")
            if _PAGE.fullmatch(page_text) and int(page_text) <= _LAST_PAGE:
                parameters["page"] = int(page_text)
        return cls(**parameters)

    def as_query(self) -> dict[str, str]:
        """The query string's parameters; what has its default is left out."""
        return {
            field.name: str(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


NAMES: Final = frozenset(field.name for field in fields(Link))
"""Every parameter."""
