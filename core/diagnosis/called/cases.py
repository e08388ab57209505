"""A question with the names that documents have for what it names by a code or a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp

from core.diagnosis.called.records import RecordNames, referred
from core.diagnosis.statements import alias_of, tables_of
from core.domain.errors import PlumblineError
from core.domain.sources.schema import Schema, Table
from core.domain.testset.cases import LOOK_UP, OPERATION, TestCase
from core.judging.facts.subjects import Rivals
from core.sources.database.guard import parse_one
from core.testset.grounded.words.values import value_text

CALLED = " as documents call it"
"""Ends the ids of a fact and of its template where they stand for the question with the documents' names."""
MOST_CODES = 60
"""Names below which a table is a list of codes: none of them stands on a page by chance."""
SHORT_KEY = 3
"""Digits up to which a key stands in many passages by chance."""
SHORT_CODE = 2
"""Letters up to which a code stands in many passages by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """What a statement compares with its parameters, and the column that it asks for."""

    bound: Mapping[str, tuple[Table, str]] = field(default_factory=dict)
    asked: tuple[Table, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The wordings of a fact with the documents' names.

    Attributes:
        wordings: The cases.
        instead: Whether the question's own names say nothing in a document, as employee 30 and result P do.
    """

    wordings: tuple[TestCase, ...]
    instead: bool


class Calling:
    """Puts the documents' names into questions.

    Args:
        schema: Of the database.
        names: What documents call its rows.
    """

    def __init__(self, schema: Schema, names: RecordNames) -> None:
        self._schema = schema
        self._names = names
        self._statements: dict[str, _Statement] = {}
        self._rivals: dict[tuple[str, str], Rivals | None] = {}
        self._others: dict[str, Rivals | None] = {}
        self._originals: dict[str, tuple[TestCase, Mapping[str, str]]] = {}

    def called(self, wordings: Sequence[TestCase]) -> Called | None:
        """The wordings with the documents' names; None where documents have no other ones.

        Args:
            wordings: Every wording of one fact.
        """
        first = wordings[0]
        if not first.sql or not first.sql_params:
            return None
        statement = self._statement(first.sql)
        said = {
            name: alias
            for name, (table, column) in statement.bound.items()
            if (alias := self._names.name(self._schema, table, column, first.sql_params.get(name)))
            and alias.casefold() != value_text(first.sql_params[name]).casefold()
        }
        answers = self._answers(first, statement)
        if not said and answers == first.reference_answers:
            return None
        if {alias.casefold() for alias in said.values()} & {answer.casefold() for answer in answers}:
            # "What is the meaning of rank STW?" asks for the name itself.
            return None
        texts = {value_text(first.sql_params[name]): alias for name, alias in said.items()}
        self._originals[first.group_id + CALLED] = (first, texts)
        for name in said:
            self._add_rivals(first.sql_template_id + CALLED, name, statement.bound[name])
        named = tuple(self._case(case, said, answers, texts) for case in wordings)
        own = [*texts, *(answer for answer in first.reference_answers if answer not in answers)]
        return Called(wordings=named, instead=any(_is_key(text) for text in own))

    @property
    def rivals(self) -> Mapping[tuple[str, str], Rivals]:
        """What else the parameters of the renamed templates could have been."""
        return {key: rivals for key, rivals in self._rivals.items() if rivals is not None}

    def record(self, gold_id: str) -> str:
        """What documents call the record of a gold id; empty where that is not known."""
        table_name, _, key = gold_id.partition(":")
        table = next((table for table in self._schema.tables if table.name.casefold() == table_name.casefold()), None)
        if table is None or len(table.primary_key) != 1 or not key:
            return ""
        column = table.primary_key[0]
        return self._names.name(self._schema, table, column, _as_key(key, table, column))

    def is_unnamed(self, case: TestCase) -> bool:
        """Whether a question names a record by a short number, for which documents have no name.

        They may write of the record all the same, and nothing tells where.
        """
        statement = self._statement(case.sql) if case.sql else _Statement()
        return any(
            value_text(case.sql_params.get(name)).isdigit()
            and len(value_text(case.sql_params[name])) <= SHORT_KEY
            and referred(self._schema, table, column) is not None
            for name, (table, column) in statement.bound.items()
        )

    def code_list(self, case: TestCase) -> tuple[str, ...]:
        """What documents call everything that the asked column could name; empty where it names no record."""
        asked = self._statement(case.sql).asked if case.sql else None
        names = self._names.rivals(self._schema, *asked) if asked is not None else []
        return tuple(dict.fromkeys(names)) if len(names) < MOST_CODES else ()

    def others(self, table: str) -> Rivals | None:
        """What documents call all rows of a table; None where that is not known."""
        if table not in self._others:
            names = self._names.all_of(self._schema.table(table))
            self._others[table] = Rivals(names) if len(names) > 1 else None
        return self._others[table]

    @cached_property
    def records(self) -> Rivals | None:
        """What documents call all records of the database; None where they call none."""
        names = [name for table in self._schema.tables for name in self._names.all_of(table)]
        return Rivals(names) if names else None

    def names_with(self, word: str) -> tuple[str, ...]:
        """Everything that documents call a record of any table whose name has a folded word."""
        return self._names.having(self._schema, word)

    def in_short(self, case: TestCase, wordings: Sequence[TestCase]) -> None:
        """Takes wordings that name what a case names by a word of its name."""
        first, texts = self.original(case)
        shorter = {
            value_text(value): value_text(wordings[0].sql_params[name])
            for name, value in case.sql_params.items()
            if wordings[0].sql_params[name] != value
        }
        asked = {
            value_text(value): texts.get(value_text(value), value_text(value)) for value in first.sql_params.values()
        }
        said = {text: shorter.get(alias, alias) for text, alias in asked.items()}
        self._originals[wordings[0].group_id] = (first, {text: alias for text, alias in said.items() if text != alias})

    def original(self, case: TestCase) -> tuple[TestCase, Mapping[str, str]]:
        """The case as it was before it got the documents' names, and by its own texts what it has instead."""
        return self._originals.get(case.group_id, (case, {}))

    def _answers(self, case: TestCase, statement: _Statement) -> tuple[str, ...]:
        """The answers with what documents call them; a key alone is no answer where documents have a name for it."""
        if statement.asked is None or case.attributes.get(OPERATION, LOOK_UP) != LOOK_UP:
            return case.reference_answers
        table, column = statement.asked
        tied = any(column in key.columns for key in table.foreign_keys) or table.column(column).codes
        if not tied:
            return case.reference_answers
        answers: dict[str, None] = {}
        for answer in case.reference_answers:
            alias = self._names.name(self._schema, table, column, _as_key(answer, table, column))
            answers |= dict.fromkeys([] if alias and _is_key(answer) else [answer])
            answers |= dict.fromkeys([alias] if alias else [])
        return tuple(answers)

    def _case(
        self, case: TestCase, said: Mapping[str, str], answers: tuple[str, ...], texts: Mapping[str, str]
    ) -> TestCase:
        question = case.question
        for text, alias in texts.items():
            question = question.replace(f"'{text}'", f"'{alias}'")
        return replace(
            case,
            question=question,
            sql_params={**case.sql_params, **said},
            reference_answers=answers,
            group_id=case.group_id + CALLED,
            sql_template_id=case.sql_template_id + CALLED,
        )

    def _add_rivals(self, template_id: str, name: str, bound: tuple[Table, str]) -> None:
        if (template_id, name) not in self._rivals:
            try:
                names = self._names.rivals(self._schema, *bound)
            except PlumblineError:
                names = []
            self._rivals[template_id, name] = Rivals(names) if len(names) > 1 else None

    def _statement(self, sql: str) -> _Statement:
        if sql not in self._statements:
            try:
                self._statements[sql] = _read(sql, self._schema)
            except PlumblineError:
                self._statements[sql] = _Statement()
        return self._statements[sql]


def _read(sql: str, schema: Schema) -> _Statement:
    tree = parse_one(sql, schema.dialect)
    if not isinstance(tree, exp.Select):
        return _Statement()
    tables = tables_of(tree, schema)
    bound = {}
    for part in tree.find_all(exp.EQ):
        sides = (part.left, part.right)
        columns = [side for side in sides if isinstance(side, exp.Column)]
        holders = [side for side in sides if isinstance(side, exp.Placeholder)]
        if len(columns) == len(holders) == 1 and (alias := alias_of(columns[0], tables)) is not None:
            bound[holders[0].name] = (tables[alias], columns[0].name)
    items = [item.unalias() for item in tree.selects]
    asked = None
    if len(items) == 1 and isinstance(items[0], exp.Column) and (alias := alias_of(items[0], tables)) is not None:
        asked = (tables[alias], items[0].name)
    return _Statement(bound=bound, asked=asked)


def _is_key(text: str) -> bool:
    """Whether a text is a number or a short code, which says nothing of what it stands for."""
    return text.isdigit() or len(text) <= SHORT_CODE


def _as_key(answer: str, table: Table, column: str) -> object:
    """An answer as a value of its column."""
    return int(answer) if answer.isdigit() and "INT" in table.column(column).type.upper() else answer
