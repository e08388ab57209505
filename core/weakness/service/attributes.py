"""The attributes of the cases of a run: their own, and those derived from question and retrieval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection

from core.domain.results.runs import Run
from core.domain.testset.variants import KIND, RECORDED
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import case_columns
from core.store.results.cases.attributes import FORM
from core.store.results.cases.case_columns import CaseColumns
from core.store.testset import templates
from core.weakness.binning import NO_UNITS, Binning, bin_numbers, with_level
from core.weakness.service.retrieval import RetrievalNumbers, retrieval_numbers
from core.weakness.service.spoken import SPOKEN, label_of
from core.weakness.service.topics import gold_topics
from core.weakness.table import Attribute, Bools, Floats, Ints, attribute_of

NOT_RETRIEVED = "not retrieved"
"""The level of cases whose right document is known and was not among those retrieved."""

TOPIC = "topic"

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
        levels_of_number = bin_numbers(self.name, numbers, binning, units=self.units)
        return levels_of_number if self.besides is None else with_level(levels_of_number, self.besides, NOT_RETRIEVED)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunAttributes:
    """The included cases of a run with all their attributes.

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
    """Reads the cases and responses of a run once, by column; the result can be cached, it depends on no score.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        columns = case_columns.columns(connection, run.test_set_id)
        derived = [
            *_case_attributes(columns),
            *_of_templates(connection, run, columns),
            *_of_documents(connection, run, columns),
            *_of_topics(connection, run, columns),
            *_of_retrieval(retrieval_numbers(connection, run, columns)),
            _numbered("question_length", QUESTION, np.array(columns.words, dtype=np.float64), ("word", "words")),
        ]
    numbers: dict[str, int] = {}
    offered: dict[str, CaseAttribute] = {}
    for attribute in derived:  # an attribute of the test set goes before one of the same name that is worked out
        offered.setdefault(attribute.name, attribute)
    order = {name: place for place, name in enumerate(SPOKEN)}
    return RunAttributes(
        run_id=run_id,
        case_ids=columns.case_ids,
        clusters=np.array([numbers.setdefault(group, len(numbers)) for group in columns.groups], dtype=np.int64),
        attributes=tuple(sorted(offered.values(), key=lambda item: (order.get(item.name, len(order)), item.name))),
    )


def _case_attributes(columns: CaseColumns) -> Iterable[CaseAttribute]:
    """The form and the attributes of the cases; one whose values are all numbers is a number."""
    if any(columns.forms):
        yield _levelled(FORM, OWN, columns.forms)
    for name in sorted(
        {
            name
            for case_values in {id(case_values): case_values for case_values in columns.attributes}.values()
            for name in case_values
            if name not in RECORDED or KIND not in case_values
        }
    ):
        values = [_text(case_values.get(name)) for case_values in columns.attributes]
        different = set(values) - {""}
        if different and all(NUMBER.fullmatch(value) for value in different):
            parsed = {value: float(value) for value in different}
            numbers = np.array([parsed.get(value, np.nan) for value in values], dtype=np.float64)
            yield _numbered(name, OWN, numbers)
        elif different:
            yield _levelled(name, OWN, values)


def _of_templates(connection: Connection, run: Run, columns: CaseColumns) -> Iterable[CaseAttribute]:
    if any(columns.tables):
        yield _levelled("tables", OWN, [", ".join(tables) for tables in columns.tables])
    if any(columns.sql_templates):
        sql = {template.id: template.sql.rstrip("; \n") for template in templates.sql(connection, run.project_id)}
        yield _levelled("sql_template", TEMPLATES, _by_name(columns.sql_templates, sql))
    if any(columns.text_templates):
        texts = {template.id: template.text for template in templates.text(connection, run.project_id)}
        yield _levelled("text_template", TEMPLATES, _by_name(columns.text_templates, texts))


def _of_documents(connection: Connection, run: Run, columns: CaseColumns) -> Iterable[CaseAttribute]:
    """The first document that contains the answer, by its title."""
    if not any(columns.gold_documents):
        return
    corpus_ids = document_mappings.of_run(connection, run)
    titles = sources.titles(connection, run.corpus_id) if run.corpus_id else {}
    first_ids = [gold[0] if gold else "" for gold in columns.gold_documents]
    document_of = {gold: (corpus_ids.find(gold) if corpus_ids else None) or gold for gold in set(first_ids) - {""}}
    yield _levelled("gold_document", DOCUMENTS, _by_name([document_of.get(gold, "") for gold in first_ids], titles))


def _of_topics(connection: Connection, run: Run, columns: CaseColumns) -> Iterable[CaseAttribute]:
    """The topic of the passages that contain the answer, where topics exist and the test set names none of its own."""
    if not any(TOPIC in case_values for case_values in columns.attributes) and (
        names := gold_topics(connection, run, columns)
    ):
        yield _levelled(TOPIC, DOCUMENTS, names)


def _of_retrieval(numbers: RetrievalNumbers) -> Iterable[CaseAttribute]:
    if not np.isnan(numbers.rank).all() or numbers.missed.any():
        yield CaseAttribute(
            name="retrieval_rank",
            label=f"Rank of the first right {'passage' if numbers.by_chunk else 'document'}",
            source=RETRIEVAL,
            numbers=numbers.rank,
            besides=numbers.missed,
        )
    if not np.isnan(numbers.passages).all():
        yield _numbered("passages", RETRIEVAL, numbers.passages, ("passage", "passages"))
    if not np.isnan(numbers.answer_words).all():
        yield _numbered("answer_length", ANSWER, numbers.answer_words, ("word", "words"))


def _levelled(name: str, source: str, values: Sequence[str]) -> CaseAttribute:
    return CaseAttribute(name=name, label=label_of(name), source=source, levels=attribute_of(name, values))


def _numbered(name: str, source: str, numbers: Floats, units: tuple[str, str] = NO_UNITS) -> CaseAttribute:
    return CaseAttribute(name=name, label=label_of(name), source=source, numbers=numbers, units=units)


def _by_name(ids: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Each id by its name on one line; by the id where it has none, and by both where several share a name."""
    titles = {item_id: " ".join(names.get(item_id, "").split()) or item_id for item_id in dict.fromkeys(ids) if item_id}
    uses: dict[str, int] = {}
    for name in titles.values():
        uses[name] = uses.get(name, 0) + 1
    unique = {item_id: name if uses[name] == 1 else f"{name} ({item_id})" for item_id, name in titles.items()}
    return [unique.get(item_id, "") for item_id in ids]


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()
