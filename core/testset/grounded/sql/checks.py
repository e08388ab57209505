"""The checks of an SQL template before approval, each with its figure and a remedy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from core.domain.errors import (
    ExpensiveSql,
    InvalidInput,
    InvalidTemplate,
    LimitExceeded,
    PlumblineError,
    SourceUnavailable,
    UnknownName,
    UnparsableSql,
    UnsafeSql,
)
from core.domain.estimates import Proportion
from core.domain.sources.schema import Schema
from core.domain.testset.templates import Check, SqlTemplate
from core.sources.database import DatabaseSource
from core.sources.database.grammar import grammar_of
from core.sources.database.guard import parse_one
from core.testset.grounded.sql.binding import BoundTemplate, bind
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.sql.columns import joined_with, same_by_key
from core.testset.grounded.sql.combinations import Combination, combinations
from core.testset.grounded.sql.operations import is_complete, is_list, names_hold_answers, operation
from core.testset.grounded.words.values import gives_away

ENOUGH_SINGLE = 0.9
"""Share of placeholder values with exactly one answer below which a person is warned."""
EXAMPLES = 3
NOTHING_COUNTED = Proportion(num=0, den=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleRow:
    """One filled template.

    Attributes:
        values: One value per placeholder.
        answers: The answer rows: one, or all of a list.
        sql: The statement with its parameters.
    """

    values: tuple[object, ...]
    answers: tuple[tuple[object, ...], ...]
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateReview:
    """The results of the checks.

    Attributes:
        template: The template with its checks and tables filled in.
        questions: Placeholder combinations that make a question: exactly one answer, and not NULL.
        one_answer: Share of the combinations with any row that have exactly one answer. It counts every value in the
            database, so it has no interval.
        null_answers: Combinations whose single answer is NULL.
        examples: Three at most.
        stopped: The limit that ended its query or refused it, or None.
        operation: What it asks the database to do ("look-up", "count").
    """

    template: SqlTemplate
    questions: int = 0
    one_answer: Proportion = NOTHING_COUNTED
    null_answers: int = 0
    examples: tuple[ExampleRow, ...] = ()
    stopped: LimitExceeded | ExpensiveSql | None = None
    operation: str = "look-up"


@dataclass(slots=True)
class _Tally:
    combinations: int = 0
    single: int = 0
    null: int = 0
    given_away: int = 0
    judged: bool = False
    examples: list[ExampleRow] | None = None

    def add(self, bound: BoundTemplate, combination: Combination) -> None:
        self.combinations += 1
        if not is_complete(bound, len(combination.answers)):
            return
        self.single += 1
        if any(None in answer for answer in combination.answers):
            self.null += 1
        elif self.judged and gives_away(combination.values, combination.answers):
            self.given_away += 1
        elif self.examples is not None and len(self.examples) < EXAMPLES:
            self.examples.append(
                ExampleRow(values=combination.values, answers=combination.answers, sql=combination.sql)
            )


def check_sql_template(
    template: SqlTemplate, source: DatabaseSource, siblings: Sequence[SqlTemplate] = ()
) -> TemplateReview:
    """Checks a template on the schema and on the data.

    The checks, in order: `parses`, `read_only`, `names`, `placeholder`, `own_column`, `not_projected`, `readable`,
    `duplicate`, `runs`, `one_answer`, `null_answers`, `questions`, `document_ids`. Where one fails that the next ones
    build on, those are left out.

    Args:
        template: The template; its own checks are replaced.
        source: The database.
        siblings: Other templates of the project, to find one that means the same.

    Returns:
        The template with its checks, the number of questions it makes and examples.
    """
    try:
        checks, bound = _static_checks(template, source.schema)
    except ExpensiveSql as error:
        return TemplateReview(template=replace(template, checks=(*SOUND, _failed("runs", error))), stopped=error)
    if bound is None:
        return TemplateReview(template=replace(template, checks=tuple(checks)))
    checks.append(_duplicate(template, siblings, source.schema.dialect))
    tally = _Tally(examples=[], judged=names_hold_answers(template, bound))
    try:
        for combination in combinations(source, bound):
            tally.add(bound, combination)
    except (InvalidInput, LimitExceeded, SourceUnavailable) as error:
        checks.append(_failed("runs", error))
        return TemplateReview(
            template=replace(template, tables=bound.tables, checks=tuple(checks)),
            operation=operation(bound),
            stopped=error if isinstance(error, LimitExceeded) else None,
        )
    checks.append(_passed("runs", f"It ran on {tally.combinations:,} combinations of values."))
    checks.extend(_data_checks(tally, listed=is_list(bound)))
    checks.append(_document_ids(template, bound, source.schema))
    return TemplateReview(
        template=replace(template, tables=bound.tables, checks=tuple(checks)),
        questions=tally.single - tally.null - tally.given_away,
        one_answer=Proportion(num=tally.single, den=tally.combinations, method="complete count"),
        null_answers=tally.null,
        examples=tuple(tally.examples or ()),
        operation=operation(bound),
    )


SOUND = (
    Check(name="parses", passed=True, message="It is SQL."),
    Check(name="read_only", passed=True, message="It only reads."),
)
"""What is known of a template that is refused for its cost."""


def _static_checks(template: SqlTemplate, schema: Schema) -> tuple[list[Check], BoundTemplate | None]:
    """Checks on the schema alone, and the bound template unless it cannot be run.

    Raises:
        ExpensiveSql: It could cost too much.
    """
    stages = {"parses": "It is SQL.", "read_only": "It only reads.", "names": "All tables and columns exist."}
    try:
        bound = bind(template.sql, schema)
    except (UnsafeSql, InvalidTemplate) as error:
        if isinstance(error, ExpensiveSql):
            raise
        stage = _stage(error)
        results = [_passed(name, message) for name, message in stages.items()]
        before = [*stages, "placeholder"].index(stage)
        return [*results[:before], _failed(stage, error)], None
    checks = [_passed(name, message) for name, message in stages.items()]
    if not bound.placeholders:
        checks.append(
            Check(
                name="placeholder",
                passed=False,
                message="It has no placeholder, so it makes one question at most.",
                remedy="Compare a column with a placeholder: WHERE Name = '[Table.Name]'.",
            )
        )
        return checks, None
    tokens = ", ".join(placed.placeholder.token for placed in bound.placeholders)
    checks.append(_passed("placeholder", f"To be filled: {tokens}."))
    checks.extend((_own_column(bound, schema), _not_projected(bound), _readable(bound)))
    return checks, bound


def _stage(error: PlumblineError) -> str:
    if isinstance(error, UnparsableSql):
        return "parses"
    if isinstance(error, UnknownName):
        return "names"
    return "read_only" if isinstance(error, UnsafeSql) else "placeholder"


def _own_column(bound: BoundTemplate, schema: Schema) -> Check:
    for placed in bound.placeholders:
        own = (placed.table.name, placed.column.name)
        for place in placed.places:
            if not any(same_by_key(schema, own, (origin.table.name, origin.column.name)) for origin in place):
                other = ", ".join(dict.fromkeys(origin.shown for origin in place)) or "no column"
                return Check(
                    name="own_column",
                    passed=False,
                    message=f"{placed.placeholder.token} is compared with {other}, not with its own column.",
                    remedy=f"Compare it with {'.'.join(own)}, or use the placeholder of the column it stands beside.",
                )
    return _passed("own_column", "Each placeholder is compared with its own column or a foreign key to it.")


def _not_projected(bound: BoundTemplate) -> Check:
    joined = joined_with(bound, bound.predicates)
    for output in bound.outputs:
        if (output.source, output.column.lower()) in joined:
            return Check(
                name="not_projected",
                passed=False,
                message=f"The answer {output.table}.{output.column} is a value the question already states.",
                remedy="Select another column than the one in the condition.",
            )
    return _passed("not_projected", "The answer is not in the question.")


def _readable(bound: BoundTemplate) -> Check:
    names = bound.safe.names
    selected = [
        origin
        for projection in bound.safe.tree.selects
        for column in projection.find_all(exp.Column)
        # Rows are counted by their key, and looked for by it; neither is part of the answer.
        if column.find_ancestor(exp.Count, exp.Exists) is None and (origin := names.origin(column)) is not None
    ]
    placeholder_columns = [
        (f"{placed.table.name}.{placed.column.name}", placed.column) for placed in bound.placeholders
    ]
    for name, column in [(origin.shown, origin.column) for origin in selected] + placeholder_columns:
        if not column.descriptive:
            return Check(
                name="readable",
                passed=False,
                message=f"A person would not understand {name}: {column.reason or 'not descriptive'}.",
                remedy="Use a column with names, dates or amounts, or mark this one as descriptive.",
            )
    return _passed("readable", "A person understands every column it asks about.")


def _duplicate(template: SqlTemplate, siblings: Sequence[SqlTemplate], dialect: str) -> Check:
    own = canonical_id(template.sql, dialect)
    for other in siblings:
        # The template itself, as it is stored, is no duplicate of itself.
        if other.id != template.id and canonical_id(other.sql, dialect) == own:
            return Check(
                name="duplicate",
                passed=False,
                message=f"It asks the same as: {other.sql}",
                remedy="Delete one of the two.",
            )
    return _passed("duplicate", "No other template asks the same.")


def _data_checks(tally: _Tally, *, listed: bool) -> Iterator[Check]:
    questions = tally.single - tally.null - tally.given_away
    one = "a whole list that can be checked" if listed else "exactly one answer"
    share = f"{tally.single:,} of {tally.combinations:,} placeholder values have {one}"
    rate = tally.single / tally.combinations if tally.combinations else 0.0
    remedy = "Add a condition that leaves one answer, or ask by a column that is unique."
    if not tally.combinations:
        remedy = "Take a condition away, or join other tables: no row of the database fits all that it asks for."
    yield Check(
        name="one_answer",
        passed=rate >= ENOUGH_SINGLE,
        # Values with several answers are left out of the test set; only a template without any other is useless.
        blocking=tally.single == 0,
        message=f"{share} ({rate:.0%})." if tally.combinations else "No placeholder value finds a row.",
        remedy="" if rate >= ENOUGH_SINGLE else remedy,
        value=rate if tally.combinations else None,
    )
    yield Check(
        name="null_answers",
        passed=tally.null == 0,
        blocking=False,
        message=f"{tally.null:,} of {tally.single:,} answers are empty (NULL).",
        remedy="" if tally.null == 0 else "They are left out; check whether the column is filled as expected.",
    )
    yield Check(
        name="questions",
        passed=questions > 0,
        message=f"It makes {questions:,} question{'' if questions == 1 else 's'} per wording."
        + (f" {tally.given_away:,} would hold their answer in a name and are left out." if tally.given_away else ""),
        remedy="" if questions else "It must find rows with one answer that is not empty.",
        value=float(questions),
    )


def _document_ids(template: SqlTemplate, bound: BoundTemplate, schema: Schema) -> Check:
    if not template.sql_with_ids:
        return Check(
            name="document_ids",
            passed=False,
            blocking=False,
            message="It names no document ids, so retrieval cannot be judged.",
            remedy="Add the statement with the key columns appended to SELECT.",
        )
    try:
        with_ids = bind(template.sql_with_ids, schema)
    except (UnsafeSql, InvalidTemplate) as error:
        return _failed("document_ids", error)
    width = len(bound.outputs)
    same = canonical_id(template.sql, schema.dialect) == canonical_id(
        _without_ids(template.sql_with_ids, width, schema.dialect), schema.dialect
    )
    if not same or len(with_ids.outputs) <= width:
        return Check(
            name="document_ids",
            passed=False,
            message="The statement with document ids does not ask the same with key columns appended.",
            remedy="Repeat the statement and append the key columns to SELECT, after the answer.",
        )
    listing = ", ".join(
        f"{output.table}.{output.column}" if output.table else output.name for output in with_ids.outputs[width:]
    )
    return _passed("document_ids", f"Document ids come from {listing}.", blocking=False)


def _without_ids(sql: str, width: int, dialect: str) -> str:
    tree = parse_one(sql, dialect)
    if isinstance(tree, exp.Select):
        tree.set("expressions", tree.selects[:width])
    return tree.sql(dialect=grammar_of(dialect))


def _passed(name: str, message: str, *, blocking: bool = True) -> Check:
    return Check(name=name, passed=True, blocking=blocking, message=message)


def _failed(name: str, error: PlumblineError) -> Check:
    return Check(name=name, passed=False, message=error.message, remedy=error.hint)
