"""The meaning of every name in a statement, checked against the schema."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from core.domain.errors import NotFound, UnknownName
from core.domain.sources.schema import Column, Schema, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The column of the database that a name stands for.

    Attributes:
        source: Name or alias of the table in the statement, in lower case; tells a table from itself in a self join.
    """

    source: str
    table: Table
    column: Column

    @property
    def shown(self) -> str:
        """``Table.Column``."""
        return f"{self.table.name}.{self.column.name}"


class Names:
    """The names of one statement.

    Args:
        tree: A SELECT or set operation; its names are rewritten to the schema's spelling and put in quotes.
        schema: The tables that may be read.

    Attributes:
        tables: Names of the tables it reads, as the schema spells them, in order of appearance.

    Raises:
        UnknownName: A table or column that does not exist, or a name that several tables have.
    """

    def __init__(self, tree: exp.Expr, schema: Schema) -> None:
        self._schema = schema
        self._scopes: dict[int, Scope] = {id(scope.expression): scope for scope in traverse_scope(tree)}
        self._tables: dict[int, Table] = {}
        self._origins: dict[int, Origin] = {}
        tables: dict[str, None] = {}
        for scope in self._scopes.values():
            for _, source in scope.selected_sources.values():
                if isinstance(source, exp.Table):
                    self._tables[id(source)] = self._real_table(source)
                    tables[self._tables[id(source)].name] = None
        scope_sources = {id(source) for scope in self._scopes.values() for _, source in scope.selected_sources.values()}
        for table in tree.find_all(exp.Table):
            named_query = any(
                node is table and isinstance(source, Scope)
                for scope in self._scopes.values()
                for node, source in scope.selected_sources.values()
            )
            if id(table) not in scope_sources and not named_query:
                raise UnknownName(
                    f"'{table.sql()}' is not a table of the schema.", "Read from tables of the schema only."
                )
        self.tables = tuple(tables)
        for column in list(tree.find_all(exp.Column)):
            self._resolve(column)
        self._spell(tree)

    @property
    def scopes(self) -> Mapping[int, Scope]:
        """The queries of the statement by the id of their node, those within before those around them."""
        return self._scopes

    def origin(self, node: exp.Expr) -> Origin | None:
        """The database column a bare column stands for, or None for an expression or a computed column."""
        return self._origins.get(id(node))

    def table_of(self, node: exp.Table) -> Table | None:
        """The schema's table for a table node, None for a named query."""
        return self._tables.get(id(node))

    def _real_table(self, node: exp.Table) -> Table:
        if not isinstance(node.this, exp.Identifier):
            raise UnknownName(f"'{node.sql()}' is a function, not a table.", "Read from tables of the schema only.")
        if node.catalog:
            raise UnknownName(f"'{node.sql()}' is outside the connected schema.", "Name the table without a database.")
        if node.db and (found := self._within(node.db, node.name)) is not None:
            return found
        allowed = {"main"} if self._schema.dialect == "sqlite" else {"public"}
        if node.db and node.db.lower() not in allowed:
            raise UnknownName(
                f"'{node.sql()}' is outside the connected schemas.",
                "Name a table that the Connect page lists; schemas are chosen when the database is connected.",
            )
        try:
            return self._schema.table(node.name)
        except NotFound as error:
            raise UnknownName(
                f"The database has no table {node.name}.",
                suggestion(node.name, [table.name for table in self._schema.tables])
                or "Check the spelling: the Connect page lists every table and its columns.",
            ) from error

    def _within(self, namespace: str, name: str) -> Table | None:
        """The table of that name in one schema of the database."""
        wanted = namespace.casefold(), name.casefold()
        tables = self._schema.tables
        return next((item for item in tables if (item.namespace.casefold(), item.own_name.casefold()) == wanted), None)

    def _resolve(self, node: exp.Column) -> None:
        if isinstance(node.this, exp.Star):
            return
        query = _enclosing_query(node)
        scope = self._scopes.get(id(query))
        if isinstance(query, exp.SetOperation):
            self._result_name(node, query)
            return
        considered: list[str] = []
        while scope is not None:
            candidates = []
            for name, (_, source) in scope.selected_sources.items():
                if node.table and name.lower() != node.table.lower():
                    continue
                columns = self._columns(source)
                considered.extend(columns)
                if node.name.lower() in {column.lower() for column in columns}:
                    candidates.append((name, source))
            if len(candidates) > 1 and not _merged(node, scope):
                tables = " and ".join(name for name, _ in candidates)
                raise UnknownName(f"Column {node.name} is in {tables}.", f"Write {candidates[0][0]}.{node.name}.")
            if candidates:
                self._note(node, *candidates[0])
                return
            if not node.table and node.name.lower() in _aliases(scope.expression):
                return
            scope = _outer(scope)
        raise UnknownName(
            f"There is no column {node.sql()} in the tables of this statement.",
            suggestion(node.name, considered) or "Check table and column: the Connect page lists them.",
        )

    def _result_name(self, node: exp.Column, query: exp.SetOperation) -> None:
        if node.name.lower() not in {name.lower() for name in query.named_selects}:
            raise UnknownName(f"There is no result column {node.name} to order by.", "Order by a selected column.")

    def _note(self, node: exp.Column, name: str, source: exp.Table | Scope) -> None:
        if isinstance(source, exp.Table):
            table = self._tables[id(source)]
            self._origins[id(node)] = Origin(source=name.lower(), table=table, column=table.column(node.name))
            return
        for projection in getattr(source.expression, "selects", ()):
            inner = projection.unalias()
            if projection.alias_or_name.lower() == node.name.lower() and isinstance(inner, exp.Column):
                self._resolve(inner) if id(inner) not in self._origins else None
                if (origin := self._origins.get(id(inner))) is not None:
                    self._origins[id(node)] = origin
                return

    def _columns(self, source: exp.Table | Scope) -> list[str]:
        if isinstance(source, exp.Table):
            return [column.name for column in self._tables[id(source)].columns]
        query = source.expression
        listed: list[str] = []
        for projection in getattr(query, "selects", ()):
            if projection.is_star:
                inner = self._scopes.get(id(query))
                for _, deeper in inner.selected_sources.values() if inner else ():
                    listed.extend(self._columns(deeper))
            else:
                listed.append(projection.alias_or_name)
        parent = query.parent
        alias = parent.args.get("alias") if isinstance(parent, exp.CTE | exp.Subquery) else None
        renamed = [item.name for item in alias.args.get("columns") or ()] if alias else []
        return renamed or listed

    def _spell(self, tree: exp.Expr) -> None:
        """Writes every name as the schema spells it, in quotes, so that letter case never decides."""
        unaliased: dict[str, str] = {}
        for node in tree.find_all(exp.Table):
            table = self._tables.get(id(node))
            if table is not None:
                if not node.alias:
                    unaliased[node.name.lower()] = table.own_name
                named = table_node(table)
                node.set("this", named.this)
                node.set("db", named.args.get("db"))
        for column in tree.find_all(exp.Column):
            origin = self._origins.get(id(column))
            if origin is not None and column.name.lower() == origin.column.name.lower():
                column.set("this", exp.to_identifier(origin.column.name, quoted=True))
            if column.table and (real := unaliased.get(column.table.lower())):
                column.set("table", exp.to_identifier(real, quoted=True))


def table_node(table: Table) -> exp.Table:
    """A table in a statement, in quotes and with its schema where it needs one."""
    namespace = exp.to_identifier(table.namespace, quoted=True) if table.namespace else None
    return exp.Table(this=exp.to_identifier(table.own_name, quoted=True), db=namespace)


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """A question that names the closest known name, or nothing."""
    lower = {item.lower(): item for item in candidates}
    close = difflib.get_close_matches(name.lower(), list(lower), n=1, cutoff=0.6)
    return f"Did you mean {lower[close[0]]}?" if close else ""


def _enclosing_query(node: exp.Expr) -> exp.Expr | None:
    parent = node.parent
    while parent is not None and not isinstance(parent, exp.Select | exp.SetOperation):
        parent = parent.parent
    return parent


def _outer(scope: Scope) -> Scope | None:
    """The next query outwards whose tables a name may mean.

    A query in FROM or WITH does not see the tables beside it, only those of a query around both.
    """
    parent = scope.parent
    return _outer(parent) if parent is not None and (scope.is_derived_table or scope.is_cte) else parent


def _aliases(query: exp.Expr) -> set[str]:
    return {item.alias.lower() for item in getattr(query, "selects", ()) if isinstance(item, exp.Alias)}


def _merged(node: exp.Column, scope: Scope) -> bool:
    """Whether a JOIN ... USING makes one column of the name."""
    joins = scope.expression.args.get("joins") or ()
    return any(node.name.lower() in {item.name.lower() for item in join.args.get("using") or ()} for join in joins)
