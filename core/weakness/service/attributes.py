"""What the cases of a run can be told apart by: their own attributes, and what follows from question and retrieval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection

from core.domain.runs import Run
from core.evaluation.samples import known_documents
from core.evaluation.weakness_retrieval import RetrievalNumbers, retrieval_numbers
from core.evaluation.weakness_topics import gold_topics
from core.store import case_columns, runs, sources, templates
from core.store.case_attributes import FORM
from core.store.case_columns import CaseColumns
from core.store.database import Store
from core.weakness.binning import NO_UNITS, Binning, bin_numbers, with_level
from core.weakness.table import Attribute, Bools, Floats, Ints, attribute_of

NOT_RETRIEVED = "not retrieved"
"""The level of cases whose right document is known and was not among those retrieved."""

TOPIC = "topic"

LABELS = {
    TOPIC: "Topic",
    "type": "Type of question",
    FORM: "Form",
    "table": "Table asked for",
    "tables": "Tables read",
    "asks_for": "Column asked for",
    "answer_type": "Type of answer",
    "answerable": "Answerable",
    "difficulty": "Difficulty",
    "joins": "Joins",
    "placeholders": "Values given in the question",
    "answer_in_question": "Answer stands in the question",
    "sql_template": "SQL template",
    "text_template": "Wording",
    "document": "Document",
    "gold_document": "Document that holds the answer",
    "retrieval_rank": "Rank of the first right passage",
    "passages": "Retrieved passages",
    "question_length": "Length of the question",
    "answer_length": "Length of the answer",
    "length": "Length of the question, in bands",
    "stratum": "Stratum",
    "made_by": "Made by",
}
"""For people, in the order they are offered; attributes of one's own come behind them."""

OWN, TEMPLATES, DOCUMENTS, QUESTION = "test set", "templates", "documents", "question"
RETRIEVAL, ANSWER = "retrieval", "answer"
"""Where an attribute is from; the last two are what the run did."""

NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?")
"""A text that is a number and no key with zeros in front."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseAttribute:
    """One attribute of every case, before numbers become levels.

    Attributes:
        name: Unique among the attributes of the run.
        label: For people.
        source: ``test set``, ``templates``, ``documents``, ``question``, ``retrieval`` or ``answer``.
        levels: The levels, None for a number.
        numbers: The numbers, NaN where a case has none, shape (n,); None for levels.
        besides: Cases that have no number and one more level in its place, shape (n,).
        units: What the numbers count, one and many of it.
    """

    name: str
    label: str
    source: str
    levels: Attribute | None = None
    numbers: Floats | None = None
    besides: Bools | None = None
    units: tuple[str, str] = NO_UNITS

    @property
    def numeric(self) -> bool:
        """Whether it is a number, which becomes levels by binning."""
        return self.numbers is not None

    @property
    def outcome(self) -> bool:
        """Whether it follows from what the run did, not from the question."""
        return self.source in (RETRIEVAL, ANSWER)

    def binned(self, binning: Binning | None = None) -> Attribute:
        """Its levels; those of a number by binning."""
        if self.levels is not None:
            return self.levels
        numbers = np.empty(0) if self.numbers is None else self.numbers
        made = bin_numbers(self.name, numbers, binning, units=self.units)
        return made if self.besides is None else with_level(made, self.besides, NOT_RETRIEVED)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunAttributes:
    """The included cases of a run with all they can be told apart by.

    Attributes:
        run_id: The run.
        case_ids: In the order of the test set.
        clusters: Number of the filled SQL query of each, shape (n,).
        attributes: As they are offered.
    """

    run_id: str
    case_ids: tuple[str, ...]
    clusters: Ints
    attributes: tuple[CaseAttribute, ...]


def run_attributes(store: Store, run_id: str) -> RunAttributes:
    """Reads the cases and responses of a run once, by column; keep the result, it does not depend on any score.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        found = case_columns.columns(connection, run.test_set_id)
        made = [
            *_own(found),
            *_of_templates(connection, run, found),
            *_of_documents(connection, run, found),
            *_of_topics(connection, run, found),
            *_of_retrieval(retrieval_numbers(connection, run, found)),
            _counted("question_length", QUESTION, np.array(found.words, dtype=np.float64), ("word", "words")),
        ]
    numbers: dict[str, int] = {}
    offered: dict[str, CaseAttribute] = {}
    for attribute in made:  # an attribute of the test set goes before one of the same name that is worked out
        offered.setdefault(attribute.name, attribute)
    order = {name: place for place, name in enumerate(LABELS)}
    return RunAttributes(
        run_id=run_id,
        case_ids=found.case_ids,
        clusters=np.array([numbers.setdefault(group, len(numbers)) for group in found.groups], dtype=np.int64),
        attributes=tuple(sorted(offered.values(), key=lambda item: (order.get(item.name, len(order)), item.name))),
    )


def _own(found: CaseColumns) -> Iterable[CaseAttribute]:
    """The form and the attributes of the cases; one whose values are all numbers is a number."""
    if any(found.forms):
        yield _levelled(FORM, OWN, found.forms)
    for name in sorted({name for given in {id(given): given for given in found.attributes}.values() for name in given}):
        values = [_text(given.get(name)) for given in found.attributes]
        different = set(values) - {""}
        if different and all(NUMBER.fullmatch(value) for value in different):
            known = {value: float(value) for value in different}
            numbers = np.array([known.get(value, np.nan) for value in values], dtype=np.float64)
            yield _counted(name, OWN, numbers)
        elif different:
            yield _levelled(name, OWN, values)


def _of_templates(connection: Connection, run: Run, found: CaseColumns) -> Iterable[CaseAttribute]:
    if any(found.tables):
        yield _levelled("tables", OWN, [", ".join(tables) for tables in found.tables])
    if any(found.sql_templates):
        sql = {template.id: template.sql.rstrip("; \n") for template in templates.sql(connection, run.project_id)}
        yield _levelled("sql_template", TEMPLATES, _named(found.sql_templates, sql))
    if any(found.text_templates):
        texts = {template.id: template.text for template in templates.text(connection, run.project_id)}
        yield _levelled("text_template", TEMPLATES, _named(found.text_templates, texts))


def _of_documents(connection: Connection, run: Run, found: CaseColumns) -> Iterable[CaseAttribute]:
    """The first document that holds the answer, by its title."""
    if not any(found.gold_documents):
        return
    known = known_documents(connection, run)
    titles = sources.titles(connection, run.corpus_id) if run.corpus_id else {}
    first = [gold[0] if gold else "" for gold in found.gold_documents]
    own = {gold: (known.find(gold) if known else None) or gold for gold in set(first) - {""}}
    yield _levelled("gold_document", DOCUMENTS, _named([own.get(gold, "") for gold in first], titles))


def _of_topics(connection: Connection, run: Run, found: CaseColumns) -> Iterable[CaseAttribute]:
    """The topic of what holds the answer, where topics were found and the test set names none of its own."""
    if not any(TOPIC in given for given in found.attributes) and (names := gold_topics(connection, run, found)):
        yield _levelled(TOPIC, DOCUMENTS, names)


def _of_retrieval(found: RetrievalNumbers) -> Iterable[CaseAttribute]:
    if not np.isnan(found.rank).all() or found.missed.any():
        yield CaseAttribute(
            name="retrieval_rank",
            label=f"Rank of the first right {'passage' if found.by_chunk else 'document'}",
            source=RETRIEVAL,
            numbers=found.rank,
            besides=found.missed,
        )
    if not np.isnan(found.passages).all():
        yield _counted("passages", RETRIEVAL, found.passages, ("passage", "passages"))
    if not np.isnan(found.answer_words).all():
        yield _counted("answer_length", ANSWER, found.answer_words, ("word", "words"))


def _levelled(name: str, source: str, values: Sequence[str]) -> CaseAttribute:
    return CaseAttribute(name=name, label=label_of(name), source=source, levels=attribute_of(name, values))


def _counted(name: str, source: str, numbers: Floats, units: tuple[str, str] = NO_UNITS) -> CaseAttribute:
    return CaseAttribute(name=name, label=label_of(name), source=source, numbers=numbers, units=units)


def label_of(name: str) -> str:
    """The name of an attribute for people.

    >>> label_of("answer_type"), label_of("cost_centre")
    ('Type of answer', 'Cost centre')
    """
    return LABELS.get(name) or name.replace("_", " ").strip().capitalize() or name


def _named(ids: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Each id by its name on one line; by the id where it has none, and by both where several share a name."""
    shown = {one: " ".join(names.get(one, "").split()) or one for one in dict.fromkeys(ids) if one}
    uses: dict[str, int] = {}
    for name in shown.values():
        uses[name] = uses.get(name, 0) + 1
    unique = {one: name if uses[name] == 1 else f"{name} ({one})" for one, name in shown.items()}
    return [unique.get(one, "") for one in ids]


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()
