"""What a statement could cost, judged from its tree before any database sees it.

A server stops a query for its time, but a value that doubles in each of thirty-five steps fills its memory within
milliseconds. So the size of every value is estimated from the sizes of the columns and texts it is made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from core.domain.errors import ExpensiveSql
from core.domain.sources.schema import Column, Schema
from core.sources.database.grammar import grammar_of
from core.sources.database.names import Names, Origin

MOST = {exp.CTE: (16, "named queries (WITH)"), exp.Join: (24, "joins"), exp.Select: (64, "SELECTs")}
"""How many of each a statement may have."""
DEEPEST = 8
"""Queries within queries."""
MOST_WILDCARDS = 8
"""Parts with ``%`` or ``*`` of one pattern; each more multiplies the ways a long text can be tried in."""

NUMBER = 32
TEXT = 16_384
"""Bytes assumed of a number or date, and of a text whose column names no length."""
TYPICAL = 48
"""Bytes assumed of a text where many rows are put together."""
LARGEST_VALUE = 2_000_000
"""Estimated bytes of one value made of others in its row: over a hundred times a long text."""
LARGEST_COLLECTED = 128_000_000
"""Estimated bytes of one value made of many rows: over two million typical ones."""
WIDEST_FORMAT = 1_000
MOST_DIGITS = 150_000
"""Digits of the largest number that PostgreSQL computes with."""

SIMPLER = "Write a simpler SELECT, or divide the question among several templates."
TEXTS = ("CHAR", "TEXT", "CLOB", "BLOB", "BYTEA", "BINARY", "JSON", "XML")
LENGTH = re.compile(r"\((\d+)")
DIRECTIVE = re.compile(r"%[^A-Za-z%]*")


def refuse_large(tree: exp.Expr) -> None:
    """Raises for a statement with more parts than any question needs.

    Raises:
        ExpensiveSql: Too many named queries, joins or SELECTs, queries nested too deeply, or a pattern with too many
            wildcards.
    """
    for kind, (most, what) in MOST.items():
        count = sum(1 for _ in tree.find_all(kind))
        if count > most:
            raise ExpensiveSql(f"The statement has {count} {what}; {most} are allowed.", SIMPLER)
    for query in tree.find_all(exp.Select):
        depth, parent = 1, query.parent
        while parent is not None:
            depth, parent = depth + isinstance(parent, exp.Select), parent.parent
        if depth > DEEPEST:
            raise ExpensiveSql(f"The statement nests more than {DEEPEST} queries in one another.", SIMPLER)
    for node in tree.find_all(exp.Like, exp.ILike, exp.Glob):
        pattern = "".join(literal.name for literal in node.expression.find_all(exp.Literal))
        if len(re.findall(r"[%*]+", pattern)) > MOST_WILDCARDS:
            raise ExpensiveSql(
                f"A pattern has more than {MOST_WILDCARDS} wildcards.", "Compare with a shorter pattern, or several."
            )


def refuse_expensive(tree: exp.Expr, names: Names, schema: Schema) -> None:
    """Raises for a statement whose values could grow without measure.

    Raises:
        ExpensiveSql: A value could have more bytes than `LARGEST_VALUE`, one collected from rows more than
            `LARGEST_COLLECTED`, or a text is formatted to a width that is large or not known beforehand.
    """
    growing = list(tree.find_all(*GROWING))
    if not growing:
        return
    sizes = _Sizes(names, schema, TEXT, _Sizes(names, schema, TYPICAL))
    for node in growing:
        if (size := sizes.of(node)) > LARGEST_VALUE and not isinstance(node, exp.GroupConcat):
            raise ExpensiveSql(
                f"A value of the statement could grow to {_amount(size)}: {_shown(node, schema)}.",
                "Put fewer texts together, or select them one by one.",
            )


GROWING = (
    exp.DPipe,
    exp.Concat,
    exp.ConcatWs,
    exp.Replace,
    exp.Mul,
    exp.Pow,
    exp.Cast,
    exp.Anonymous,
    exp.TimeToStr,
    exp.GroupConcat,
)


class _Sizes:
    """Estimated sizes of the values of one statement, in bytes.

    Args:
        names: The meaning of its names.
        schema: The database's tables.
        text: Bytes assumed of a text whose column names no length.
        typical: The same with the typical length of a text, for values that many rows are put into.
    """

    def __init__(self, names: Names, schema: Schema, text: int, typical: _Sizes | None = None) -> None:
        self._names = names
        self._schema = schema
        self._text = text
        self._typical = typical
        self._known: dict[int, int] = {}
        self._outputs: dict[int, list[tuple[str, int]]] = {}
        for scope in names.scopes.values():
            for node in reversed(list(scope.expression.bfs())):  # from the leaves up, so that no depth is too much
                self.of(node)

    def of(self, node: exp.Expr) -> int:
        """The most bytes a value of the expression is expected to have."""
        if id(node) not in self._known:
            self._known[id(node)] = min(self._estimated(node), 10**18)
        return self._known[id(node)]

    def outputs(self, query: exp.Expr) -> list[tuple[str, int]]:
        """Name in lower case and size of each column of a query's result."""
        inner = query.unnest() if isinstance(query, exp.Subquery) else query
        if id(inner) not in self._outputs:
            self._outputs[id(inner)] = list(self._selected(inner))
        return self._outputs[id(inner)]

    def _selected(self, query: exp.Expr) -> Iterator[tuple[str, int]]:
        if isinstance(query, exp.SetOperation):
            for (name, left), (_, right) in zip(self.outputs(query.left), self.outputs(query.right), strict=False):
                yield name, max(left, right)
            return
        for item in getattr(query, "selects", ()):
            if item.is_star and not isinstance(item.unalias(), exp.Func):
                scope = self._names.scopes.get(id(query))
                for _, source in scope.selected_sources.values() if scope else ():
                    yield from self._columns(source)
            else:
                yield item.alias_or_name.lower(), self.of(item.unalias())

    def _columns(self, source: exp.Expr | Scope) -> list[tuple[str, int]]:
        """The columns of a table or a named query, under the names it has outside."""
        if not isinstance(source, Scope):
            table = self._names.table_of(source) if isinstance(source, exp.Table) else None
            return [(column.name.lower(), self._width(column)) for column in table.columns] if table else []
        listed = self.outputs(source.expression)
        parent = source.expression.parent
        alias = parent.args.get("alias") if isinstance(parent, exp.CTE | exp.Subquery) else None
        renamed = [item.name.lower() for item in alias.args.get("columns") or ()] if alias else []
        return [(name, size) for name, (_, size) in zip(renamed, listed, strict=False)] if renamed else listed

    def _estimated(self, node: exp.Expr) -> int:
        match node:
            case exp.Literal():
                return len(node.name.encode())
            case exp.Placeholder():
                return self._text
            case exp.Column():
                return self._column(node)
            case exp.Subquery() | exp.Select() | exp.SetOperation():
                return max((size for _, size in self.outputs(node)), default=NUMBER)
            case exp.GroupConcat():
                return self._collected(node)
            case exp.Count() | exp.Length() | exp.Predicate():
                return NUMBER
            case exp.Pow():
                return MOST_DIGITS if self._schema.dialect == "postgresql" else NUMBER
        return self._composed(node, [self.of(part) for part in node.iter_expressions()])

    def _composed(self, node: exp.Expr, parts: list[int]) -> int:
        """The size of what an expression makes of its parts; where it makes nothing longer, that of the longest."""
        largest = max(parts, default=NUMBER)
        match node:
            case exp.ConcatWs():
                return sum(parts) + max(map(self.of, node.expressions[:1]), default=0) * len(parts)
            case exp.DPipe() | exp.Concat() | exp.Mul() | exp.Div():
                return sum(parts)
            case exp.Replace():
                sought, put = node.args.get("expression"), node.args.get("replacement")
                shortest = max(1, self.of(sought)) if isinstance(sought, exp.Literal) else 1
                return self.of(node.this) * max(1, -(-(self.of(put) if put is not None else 0) // shortest))
            case exp.Cast():
                length = LENGTH.search(node.to.sql())
                is_number = node.to.is_type(*exp.DataType.NUMERIC_TYPES)
                return max(largest, int(length[1]) if length and not is_number else 0)
            case exp.TimeToStr() | exp.ToChar():
                return NUMBER * (self.of(node.args["format"]) if node.args.get("format") else 1)
            case exp.Anonymous() if node.name.upper() == "PRINTF":
                return _widths(node) + sum(parts)
            case exp.Anonymous() if node.name.upper() == "STRFTIME":
                return NUMBER * max(parts[:1], default=1)
        return largest

    def _column(self, node: exp.Column) -> int:
        origin = self._names.origin(node)
        if origin is not None:
            return self._width(origin.column)
        scope = self._names.scopes.get(id(node.find_ancestor(exp.Select, exp.SetOperation)))
        while scope is not None:
            for name, (_, source) in scope.selected_sources.items():
                if not node.table or name.lower() == node.table.lower():
                    found = [size for column, size in self._columns(source) if column == node.name.lower()]
                    if found:
                        return max(found)
            scope = scope.parent
        return NUMBER

    def _width(self, column: Column) -> int:
        kind = column.type.upper()
        if any(mark in kind for mark in TEXTS) or not kind:
            length = LENGTH.search(kind)
            return min(int(length[1]) * 4, self._text) if length else self._text
        return NUMBER

    def _collected(self, node: exp.GroupConcat) -> int:
        if self._typical is not None:
            return max(self._typical.of(node), self.of(node.this))
        scope = self._names.scopes.get(id(node.find_ancestor(exp.Select)))
        size = self.of(node.this) * (self._rows(scope) if scope is not None else 1)
        if size > LARGEST_COLLECTED:
            raise ExpensiveSql(
                f"A value of the statement could collect {_amount(size)} from its rows: {_shown(node, self._schema)}.",
                "Join the tables by their keys, or select the values one by one.",
            )
        return size

    def _rows(self, scope: Scope) -> int:
        """Rows that a query goes through: those of the largest table where keys join them, else every pairing."""
        counts = {name.lower(): self._source_rows(source) for name, (_, source) in scope.selected_sources.items()}
        groups = [{name} for name in counts]
        for first, second in self._joined(scope.expression):
            touched = [group for group in groups if group & {first, second}]
            groups = [group for group in groups if group not in touched] + [set().union(*touched)]
        return prod(max(counts.get(name, 1) for name in group) for group in groups if group)

    def _source_rows(self, source: exp.Expr | Scope) -> int:
        if isinstance(source, Scope):
            return self._query_rows(source.expression)
        table = self._names.table_of(source) if isinstance(source, exp.Table) else None
        return max(1, table.rows) if table else 1

    def _query_rows(self, query: exp.Expr) -> int:
        inner = query.unnest() if isinstance(query, exp.Subquery) else query
        if isinstance(inner, exp.SetOperation):
            return self._query_rows(inner.left) + self._query_rows(inner.right)
        scope = self._names.scopes.get(id(inner))
        return self._rows(scope) if scope is not None else 1

    def _joined(self, query: exp.Expr) -> Iterator[tuple[str, str]]:
        """Pairs of sources that an equality with a key makes one."""
        conditions = [join.args["on"] for join in query.args.get("joins") or () if join.args.get("on")]
        if query.args.get("where"):
            conditions.append(query.args["where"].this)
        for condition in conditions:
            for part in condition.flatten() if isinstance(condition, exp.And) else [condition]:
                equality = part.unnest()
                if isinstance(equality, exp.EQ):
                    one, other = (self._names.origin(side.unnest()) for side in (equality.this, equality.expression))
                    if one is not None and other is not None and (_is_key(one) or _is_key(other)):
                        yield one.source, other.source


def _is_key(origin: Origin) -> bool:
    table, column = origin.table, origin.column
    unique = (column.name,) in (table.primary_key, *table.unique)
    return bool(unique or (column.distinct is not None and column.distinct >= table.rows))


def _widths(node: exp.Anonymous) -> int:
    """The widths in a format, which pad a value whatever its own length is."""
    given = node.expressions[0] if node.expressions else None
    if not isinstance(given, exp.Literal):
        raise ExpensiveSql("The format of PRINTF is computed.", "Write the format as a text.")
    total = 0
    for directive in DIRECTIVE.findall(given.name):
        numbers = [int(number) for number in re.findall(r"\d+", directive)]
        if "*" in directive or any(number > WIDEST_FORMAT for number in numbers):
            raise ExpensiveSql(
                f"PRINTF pads to a width that is not known beforehand or above {WIDEST_FORMAT:,}: {given.name[:40]}.",
                "Write a smaller width as a number.",
            )
        total += sum(numbers)
    return total


def _shown(node: exp.Expr, schema: Schema) -> str:
    text = node.sql(dialect=grammar_of(schema.dialect))
    return f"{text[:80]} ..." if len(text) > 80 else text


def _amount(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 10**9 else f"{size / 1e6:,.0f} MB"
