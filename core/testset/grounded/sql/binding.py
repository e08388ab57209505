"""An SQL template as a statement with bound parameters, and the meaning of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from sqlglot import exp

from core.domain.errors import InvalidTemplate, NotFound
from core.domain.sources.schema import Column, Schema, Table
from core.domain.testset.templates import Placeholder
from core.sources.database.guard import SafeSelect, check_tree, parse_one
from core.sources.database.names import Origin, suggestion
from core.testset.grounded.sql.placeholders import replace_placeholders


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputColumn:
    """One column of the result.

    Attributes:
        name: Its heading.
        table: The database's table it comes from, or empty for an expression.
        column: The database's column it is, or empty for an expression.
        source: Name or alias of that table in the statement, in lower case.
    """

    name: str
    table: str = ""
    column: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundPlaceholder:
    """One placeholder of a template.

    Attributes:
        placeholder: As the template writes it.
        parameter: The name of its parameter in the bound statement ("p0").
        table: The table its values come from.
        column: The column its values come from.
        compared: The columns it is compared with by a plain ``=``, one per place where it stands.
        places: For each place where it stands, all columns of the comparison around it.
        plain: Whether every place where it stands is an equality with a bare column that each row must meet.
    """

    placeholder: Placeholder
    parameter: str
    table: Table
    column: Column
    compared: tuple[Origin, ...]
    places: tuple[tuple[Origin, ...], ...]
    plain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundTemplate:
    """A template that can be run.

    Attributes:
        sql: The statement with ``:p0``, ``:p1`` ... in place of the placeholders.
        safe: The same, checked by the guard.
        placeholders: In order of appearance, each once.
        outputs: The result's columns.
    """

    sql: str
    safe: SafeSelect
    placeholders: tuple[BoundPlaceholder, ...]
    outputs: tuple[OutputColumn, ...]

    @property
    def predicates(self) -> tuple[Origin, ...]:
        """The columns that are compared with a placeholder."""
        return tuple(origin for bound in self.placeholders for origin in bound.compared)

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables it reads, in order of appearance."""
        return self.safe.tables


def bind(template_sql: str, schema: Schema) -> BoundTemplate:
    """Turns the placeholders of an SQL template into bound parameters.

    A placeholder is written ``'[Table.Column]'`` as a whole value; it may stand in several places and has the same
    value in each. Two different values of one column are ``'[Table.Column#1]'`` and ``'[Table.Column#2]'``. It is found
    in the parsed tree, so a text that only looks like one elsewhere is left alone.

    Args:
        template_sql: One SELECT.
        schema: The database's tables.

    Raises:
        UnsafeSql: The statement is not one plain SELECT on tables and columns of the schema.
        InvalidTemplate: A placeholder names no column, is part of a longer text, is spelled in two ways, or two
            placeholders are compared with the same column; or the result's columns are not listed one by one.
    """
    tree = parse_one(template_sql, schema.dialect)
    numbers = count()
    parameters = replace_placeholders(tree, lambda _: f"p{next(numbers)}", text=template_sql)
    safe = check_tree(tree, schema)
    free = [name for name in safe.parameters if name not in parameters.values()]
    if free:
        raise InvalidTemplate(f"The template has a parameter :{free[0]}.", "Write placeholders as '[Table.Column]'.")
    _refuse_spellings(list(parameters))
    placed = _places(safe, set(parameters.values()))
    bound = []
    for placeholder, parameter in parameters.items():
        table, column = _column_of(placeholder, schema)
        places = placed[parameter]
        bound.append(
            BoundPlaceholder(
                placeholder=placeholder,
                parameter=parameter,
                table=table,
                column=column,
                compared=tuple(place.equals for place in places if place.equals is not None),
                places=tuple(place.beside for place in places),
                plain=all(place.equals is not None and place.required for place in places),
            )
        )
    _refuse_shared_columns(bound)
    return BoundTemplate(sql=safe.sql, safe=safe, placeholders=tuple(bound), outputs=tuple(_outputs(safe)))


def _column_of(placeholder: Placeholder, schema: Schema) -> tuple[Table, Column]:
    try:
        table = schema.table(placeholder.table)
    except NotFound as error:
        raise InvalidTemplate(
            f"The placeholder {placeholder.token} names the table {placeholder.table}, which does not exist.",
            suggestion(placeholder.table, [table.name for table in schema.tables]) or "Name a table of the schema.",
        ) from error
    try:
        # A column may itself be called "Item#1".
        return table, next(
            (column for column in table.columns if column.name.casefold() == placeholder.numbered.casefold()), None
        ) or table.column(placeholder.column)
    except NotFound as error:
        raise InvalidTemplate(
            f"The placeholder {placeholder.token} names the column {placeholder.column}, which {table.name} has not.",
            suggestion(placeholder.column, [column.name for column in table.columns]) or "Name a column of the table.",
        ) from error


def _refuse_spellings(placeholders: list[Placeholder]) -> None:
    by_key: dict[str, Placeholder] = {}
    for placeholder in placeholders:
        other = by_key.setdefault(placeholder.token.casefold(), placeholder)
        if other != placeholder:
            raise InvalidTemplate(
                f"{other.token} and {placeholder.token} differ in letter case only.", "Spell the placeholder one way."
            )


def _refuse_shared_columns(placeholders: list[BoundPlaceholder]) -> None:
    by_column: dict[tuple[str, str], BoundPlaceholder] = {}
    for bound in placeholders:
        for origin in bound.compared:
            other = by_column.setdefault((origin.source, origin.column.name), bound)
            if other is not bound:
                raise InvalidTemplate(
                    f"{other.placeholder.token} and {bound.placeholder.token} are compared with the same column "
                    f"{origin.shown}.",
                    "Keep one of the two placeholders.",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a placeholder stands: the bare column it equals, if any, all columns beside it, and whether rows must."""

    equals: Origin | None
    beside: tuple[Origin, ...]
    required: bool


def _places(safe: SafeSelect, parameters: set[str]) -> dict[str, list[_Place]]:
    required = {id(condition) for condition in conjuncts(safe.tree)}
    places: dict[str, list[_Place]] = {name: [] for name in parameters}
    for node in safe.tree.find_all(exp.Placeholder):
        comparison = _outside_parentheses(node)
        around = node.find_ancestor(exp.Predicate)
        columns = around.find_all(exp.Column) if around is not None else ()
        equals = None
        if isinstance(comparison, exp.EQ):
            sides = [side.unnest() for side in (comparison.this, comparison.expression)]
            other = sides[1] if sides[0] is node else sides[0]
            equals = safe.names.origin(other) if isinstance(other, exp.Column) else None
        places[node.name].append(
            _Place(
                equals=equals,
                beside=tuple(origin for column in columns if (origin := safe.names.origin(column)) is not None),
                required=id(comparison) in required,
            )
        )
    return places


def _outside_parentheses(node: exp.Expr) -> exp.Expr | None:
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return parent


def conjuncts(tree: exp.Expr) -> list[exp.Expr]:
    """The conditions in the outermost WHERE that every row must meet."""
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    return list(_parts(where.this)) if where is not None else []


def _parts(node: exp.Expr) -> Iterator[exp.Expr]:
    inner = node.unnest()
    if isinstance(inner, exp.And):
        yield from _parts(inner.this)
        yield from _parts(inner.expression)
    else:
        yield inner


def _outputs(safe: SafeSelect) -> Iterator[OutputColumn]:
    for projection in safe.tree.selects:
        if projection.is_star and not isinstance(projection.unalias(), exp.Func):
            raise InvalidTemplate("The template selects every column with *.", "List the answer's columns one by one.")
        inner = projection.unalias().unnest()
        origin = safe.names.origin(inner) if isinstance(inner, exp.Column) else None
        has_name = isinstance(projection, exp.Alias) or isinstance(inner, exp.Column)
        name = projection.alias_or_name if has_name else inner.sql()
        if origin is None:
            yield OutputColumn(name=name)
        else:
            yield OutputColumn(name=name, table=origin.table.name, column=origin.column.name, source=origin.source)
