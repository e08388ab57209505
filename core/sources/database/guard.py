"""Allows one plain SELECT on known tables, and nothing else.

The statement that runs is never the text that was given: it is parsed, every node, function, table and column is
checked against allow-lists, and the statement is written again from the tree, without comments and with quoted names.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.errors import SqlglotError

from core.domain.errors import UnknownName, UnparsableSql, UnsafeSql
from core.domain.sources.schema import Schema
from core.sources.database.allowed import FUNCTIONS, STRUCTURE, TYPES, function_name
from core.sources.database.cost import refuse_expensive, refuse_large
from core.sources.database.grammar import grammar_of
from core.sources.database.names import Names
from core.sources.database.readers import Statement

LONGEST_STATEMENT = 20_000
ONLY_SELECT = "Write one SELECT on tables of the schema."
MARK = "\x00"

REASONS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("Insert", "Update", "Delete", "Merge"), "changes data"),
    (("Create", "Drop", "Alter", "TruncateTable", "Comment", "Analyze"), "changes the database's structure"),
    (("Pragma", "Set", "Use", "Cache"), "changes or reads settings"),
    (("Attach", "Detach"), "opens another database"),
    (("Copy", "LoadData", "Export", "Into"), "reads or writes outside the database's tables"),
    (("Transaction", "Commit", "Rollback", "Lock"), "takes locks or controls a transaction"),
    (("Describe", "Show", "Command", "Kill", "Grant", "Revoke"), "is a command, not a question"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeSelect:
    """A statement that may run.

    Attributes:
        statement: Written again from the tree, in pieces between its parameters; this is what runs.
        tree: sqlglot's tree of it, names in the schema's spelling.
        names: The meaning of every name in the tree.
        tables: Tables it reads, in order of appearance.
        parameters: Names of its parameters, each once, in order of appearance.
    """

    statement: Statement
    tree: exp.Select | exp.SetOperation
    names: Names
    tables: tuple[str, ...]
    parameters: tuple[str, ...]

    @property
    def sql(self) -> str:
        """The statement as a person reads it; parameters are written ``:p1``."""
        return self.statement.shown


def check_select(sql: str, schema: Schema) -> SafeSelect:
    """Checks that a text is exactly one SELECT on tables, columns and functions that may be read.

    Args:
        sql: One statement; a semicolon at its end is fine, parameters are written ``:name``.
        schema: The tables that may be read.

    Raises:
        UnsafeSql: With the reason: not a SELECT, several statements, a comment, an unknown table, column or
            function, a lock, a recursive query, or a text that cannot be parsed.
        ExpensiveSql: It has too many parts, or values that could grow without measure.
    """
    return check_tree(parse_one(sql, schema.dialect), schema)


def parse_one(sql: str, dialect: str) -> exp.Expr:
    """The tree of exactly one statement without comments.

    Raises:
        UnparsableSql: It is empty or cannot be parsed.
        UnsafeSql: It carries a comment or is more than one statement.
    """
    grammar = grammar_of(dialect)
    if not sql.strip(" \t\r\n;"):
        raise UnparsableSql("The statement is empty.", ONLY_SELECT)
    if len(sql) > LONGEST_STATEMENT or MARK in sql:
        raise UnsafeSql(
            f"The statement has {len(sql):,} characters or holds a null character.",
            f"Keep it under {LONGEST_STATEMENT:,} characters.",
        )
    try:
        tokens = sqlglot.tokenize(sql, read=grammar)
        if not tokens or any(token.comments or token.token_type is TokenType.HINT for token in tokens):
            raise UnsafeSql("The statement carries a comment.", "Remove the comment; it could hide another statement.")
        statements = [tree for tree in sqlglot.parse(sql, read=grammar) if tree is not None]
    except SqlglotError as error:
        raise UnparsableSql(f"The statement cannot be parsed: {_first_reason(error)}.", ONLY_SELECT) from error
    except RecursionError as error:
        raise UnparsableSql("The statement is nested too deeply.", "Write a simpler SELECT.") from error
    if len(statements) != 1:
        raise UnsafeSql(f"These are {len(statements)} statements.", "Write exactly one SELECT.")
    return statements[0]


def check_tree(tree: exp.Expr, schema: Schema) -> SafeSelect:
    """Checks a parsed statement; the tree itself is left as it was.

    Raises:
        UnsafeSql: As :func:`check_select`.
    """
    for node in tree.walk():
        _check_node(node)
    refuse_large(tree)
    outside = tree
    while isinstance(outside, exp.Subquery):
        outside = outside.this
    if not isinstance(outside, exp.Select | exp.SetOperation):
        raise UnsafeSql(f"{_keyword(tree)} is not a SELECT.", ONLY_SELECT)
    checked = outside.copy()
    try:
        names = Names(checked, schema)
    except SqlglotError as error:
        raise UnknownName(
            f"The names cannot be told apart: {_first_reason(error)}.", "Give each table an alias."
        ) from error
    refuse_expensive(checked, names, schema)
    parameters = dict.fromkeys(str(node.this) for node in checked.find_all(exp.Placeholder) if node.this)
    if any(not node.this for node in checked.find_all(exp.Placeholder)):
        raise UnsafeSql("The statement has a parameter without a name.", "Write parameters as :name.")
    return SafeSelect(
        statement=_pieces(checked, grammar_of(schema.dialect)),
        tree=checked,
        names=names,
        tables=names.tables,
        parameters=tuple(parameters),
    )


def _pieces(tree: exp.Expr, grammar: str) -> Statement:
    """The statement written from its tree, cut where its parameters stand.

    They are set off by a null character, which no other part of a checked tree holds.
    """
    rewritten = tree.copy()
    for node in list(rewritten.find_all(exp.Placeholder)):
        node.replace(exp.var(f"{MARK}{node.name}{MARK}"))
    pieces = rewritten.sql(dialect=grammar, identify=True, comments=False).split(MARK)
    return Statement(texts=tuple(pieces[::2]), names=tuple(pieces[1::2]))


def _check_node(node: exp.Expr) -> None:
    kind = type(node).__name__
    if any(isinstance(part, str) and MARK in part for part in node.args.values()):
        raise UnsafeSql("The statement holds a null character.", "Remove it.")
    for kinds, reason in REASONS:
        if kind in kinds:
            raise UnsafeSql(f"{_keyword(node)} {reason}.", ONLY_SELECT)
    if isinstance(node, exp.With) and node.args.get("recursive"):
        raise UnsafeSql("A recursive query may never end.", "Write the joins out.")
    if isinstance(node, exp.DataType) and node.this not in TYPES:
        raise UnsafeSql(f"A cast to {node.sql()[:60]} is not allowed.", "Cast to a text, a number or a date.")
    if kind in STRUCTURE:
        return
    if isinstance(node, exp.Func):
        name = function_name(node)
        if name not in FUNCTIONS:
            raise UnsafeSql(f"The function {name} is not on the list of allowed functions.", "Use another function.")
        return
    raise UnsafeSql(f"'{node.sql()[:60]}' ({kind}) is not allowed in a statement.", ONLY_SELECT)


def _keyword(node: exp.Expr) -> str:
    if isinstance(node, exp.Command):
        return str(node.this).upper()
    if isinstance(node, exp.Lock):
        return "FOR UPDATE or FOR SHARE"
    if isinstance(node, exp.Into):
        return "SELECT INTO"
    return node.sql().split(None, 1)[0].upper() if node.sql() else type(node).__name__.upper()


def _first_reason(error: SqlglotError) -> str:
    details = getattr(error, "errors", None)
    if details:
        detail = details[0]
        place = f" near '{detail['highlight']}'" if detail.get("highlight") else ""
        description = str(detail.get("description", "")).split(" missing for ")[0].rstrip(".")
        return ("something is missing" if description.startswith("Required keyword") else description) + place
    return str(error).splitlines()[0].rstrip(".")
