"""The rows behind computed answers, read from the project's database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from types import TracebackType
from typing import Protocol

from sqlglot import exp

from core.diagnosis.called.cases import Calling
from core.diagnosis.called.records import RecordNames
from core.diagnosis.computed.around import values_around
from core.diagnosis.computed.chain import ChainStatement, chain_statement
from core.diagnosis.computed.examples import example_cases, example_statement
from core.diagnosis.computed.needed import MOST_ROWS, NeededRow, NeededRows
from core.diagnosis.computed.statement import NeededStatement, needed_statement
from core.diagnosis.statements import columns_read, tables_of
from core.domain.errors import PlumblineError
from core.domain.sources.document_ids import normalise_id
from core.domain.sources.projects import Source, SourceKind
from core.domain.sources.semantics import CENTS
from core.domain.testset.cases import LOOK_UP, OPERATION, TestCase
from core.sources.database import DatabaseSource
from core.sources.database.guard import parse_one
from core.sources.service import open_database
from core.testset.grounded.currencies import from_cents
from core.testset.grounded.references import stated_value
from core.testset.grounded.words.phrases import column_phrase
from core.testset.grounded.words.values import value_text
from core.text.words import contains_phrase, fold

EXAMPLE_ROWS = 1000
"""Rows that are read for examples of a look-up."""


class RowsBehind(Protocol):
    """What knows the rows that an answer is computed from."""

    def rows_of(self, case: TestCase) -> NeededRows | None:
        """The rows; None where they are not known."""

    def examples(self, case: TestCase) -> list[TestCase]:
        """What else the template of a look-up could have asked, with the answers; none where that is not known."""

    def around(self, case: TestCase) -> tuple[str, ...] | None:
        """What else the database says of the records that a look-up reads; None where that is not known."""

    def calling(self, mentions: Callable[[str], int]) -> Calling | None:
        """What puts the names that documents have for records into questions; None where there is no database.

        Args:
            mentions: In how many documents a name occurs.
        """


class DatabaseRows:
    """The rows behind computed answers; the database is opened when the first one is asked for.

    A database that cannot be opened knows nothing, which is no error: it is then not known what answers come from.

    Args:
        source: The project's database; None where it has none.
    """

    def __init__(self, source: Source | None) -> None:
        self._source = source
        self._database: DatabaseSource | None = None
        self._statements: dict[str, NeededStatement | ChainStatement | None] = {}
        self._names: RecordNames | None = None

    def __enter__(self) -> DatabaseRows:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def calling(self, mentions: Callable[[str], int]) -> Calling | None:
        """As of :class:`RowsBehind`; from now on rows have the names that these documents have for them."""
        database = self._opened()
        self._statements.clear()
        self._names = RecordNames(self._opened, mentions) if database is not None else None
        return Calling(database.schema, self._names) if database is not None and self._names is not None else None

    def rows_of(self, case: TestCase) -> NeededRows | None:
        """The rows that the answer of a case is computed from; None where they are not known.

        They are not known where the statement does not show them, the database cannot be read, or the statement gives
        another answer today.
        """
        if not case.sql or not (is_computed(case) or is_joined(case)):
            return None
        database = self._opened()
        if database is None:
            return None
        try:
            if case.sql not in self._statements:
                find = needed_statement if is_computed(case) else chain_statement
                schema = database.schema
                named = schema if self._names is None else self._names.schema(schema, case.sql)
                self._statements[case.sql] = find(case.sql, named)
            statement = self._statements[case.sql]
            if statement is None or not _still(database, case):
                return None
            if isinstance(statement, ChainStatement):
                return statement.needed(database, case.sql_params)
            return _rows(database, statement, case.sql_params)
        except PlumblineError:
            self._statements.setdefault(case.sql, None)
            return None

    def examples(self, case: TestCase) -> list[TestCase]:
        """As of :class:`RowsBehind`."""
        if not case.sql or is_computed(case):
            return []
        database = self._opened()
        if database is None:
            return []
        try:
            statement = example_statement(case.sql, _tables(case.gold_document_ids), database.schema)
            if statement is None:
                return []
            rows = database.query(statement.safe.sql, row_limit=EXAMPLE_ROWS).rows
        except PlumblineError:
            return []
        return list(example_cases(case, statement, rows))

    def around(self, case: TestCase) -> tuple[str, ...] | None:
        """As of :class:`RowsBehind`."""
        database = self._opened() if case.sql and not is_computed(case) else None
        if database is None:
            return None
        try:
            return values_around(case.sql, case.sql_params, database)
        except PlumblineError:
            return None

    def _opened(self) -> DatabaseSource | None:
        if self._database is None and self._source is not None and self._source.kind is SourceKind.DATABASE:
            try:
                self._database = open_database(self._source)
            except PlumblineError:
                self._source = None
        return self._database


def is_computed(case: TestCase) -> bool:
    """Whether the answer is counted, added up, listed or compared from several rows rather than looked up in one."""
    return case.attributes.get(OPERATION, LOOK_UP) != LOOK_UP


def is_joined(case: TestCase) -> bool:
    """Whether the answer of a look-up may stand in another record than its subject."""
    return " join " in case.sql.casefold()


def _still(database: DatabaseSource, case: TestCase) -> bool:
    """Whether the statement gives the reference answer today, as the database has it or as answers state it."""
    answer = fold(" | ".join(case.reference_answers))
    tree = parse_one(case.sql, database.schema.dialect)
    rows = database.query(case.sql, case.sql_params, row_limit=MOST_ROWS).rows
    read = columns_read(tree, tables_of(tree, database.schema)) if isinstance(tree, exp.Select) else []
    read = read if not rows or len(read) == len(rows[0]) else [None] * len(rows[0])
    return all(
        contains_phrase(answer, fold(value_text(value)))
        or (column is not None and contains_phrase(answer, fold(value_text(stated_value(value, *column)))))
        for row in rows
        for value, column in zip(row, read, strict=True)
        if value is not None
    )


def _rows(database: DatabaseSource, statement: NeededStatement, params: Mapping[str, object]) -> NeededRows:
    needed = statement.safe.parameters
    bound = {name: value for name, value in params.items() if name in needed}
    result = database.query(statement.safe.sql, bound, row_limit=MOST_ROWS)
    ends = (statement.names, statement.names + statement.keys, statement.names + statement.keys + statement.values)
    columns = [statement.table.column(name) for name in result.columns[ends[1] : ends[2]]]
    asked = tuple(column_phrase(statement.table, column) for column in columns)
    rows = dict.fromkeys(
        NeededRow(
            names=_texts(row[: ends[0]]),
            keys=_texts(row[ends[0] : ends[1]]),
            values=tuple(map(_stated, row[ends[1] : ends[2]], (column.unit for column in columns))),
            marks=tuple("" if value is None else value_text(value) for value in row[ends[2] :]),
            own_id=_own_id(statement, row),
            asked=asked,
        )
        for row in result.rows
        # A row without a value is neither added up nor compared.
        if all(value is not None for value in row[ends[1] : ends[2]])
    )
    return NeededRows(
        rows=tuple(rows),
        subjects=tuple(value_text(value) for name, value in bound.items() if name not in statement.limits),
        all_read=not result.truncated,
        any_row=statement.any_row,
        closed=statement.closed,
    )


def _own_id(statement: NeededStatement, row: Sequence[object]) -> str:
    """The gold id that a row has, as ``table:key``; empty where its key has several columns."""
    keys = row[statement.names : statement.names + statement.keys]
    return f"{statement.table.name.lower()}:{normalise_id(keys[0])}" if len(keys) == 1 else ""


def _tables(gold_ids: Iterable[str]) -> tuple[str, ...]:
    """The tables of gold ids, each once."""
    return tuple(dict.fromkeys(gold_id.partition(":")[0] for gold_id in gold_ids))


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    return tuple(value_text(value) for value in values if value is not None)


def _stated(value: object, unit: str) -> str:
    """A value as documents state it: amounts that are kept in cents as whole ones."""
    return from_cents(value) if unit == CENTS and isinstance(value, int | float | Decimal) else value_text(value)
