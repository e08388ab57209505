"""One id for all spellings of the same question: the canonical form of a template."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, permutations, product
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from core.domain.errors import InvalidTemplate, UnsafeSql
from core.domain.identity import short_hash
from core.sources.database.guard import parse_one
from core.testset.grounded.sql.placeholders import replace_placeholders

MOST_RENAMINGS = 720
"""Orders of tables that occur several times which are tried; six of one table are beyond any real question."""
REMEMBERED = 10_000
"""Statements whose id is remembered: each new template is compared with all others of its project."""


@lru_cache(maxsize=REMEMBERED)
def canonical_id(sql: str, dialect: str) -> str:
    """The id of an SQL template: equal for statements that ask the same.

    Letter case, quotes, blanks, aliases, the order of conditions, of the two sides of ``=`` and of inner joins, ON
    instead of WHERE, DISTINCT, and ORDER BY without LIMIT do not change it. A text that cannot be parsed gets an id
    from its words.

    Args:
        sql: The template.
        dialect: SQLAlchemy's name of the dialect ("sqlite").

    >>> a = canonical_id("SELECT Location FROM Client WHERE Name = '[Client.Name]';", "sqlite")
    >>> a == canonical_id("select c.location as place from client c where '[Client.Name]' = c.name", "sqlite")
    True
    """
    return f"sql_{short_hash(canonical_form(sql, dialect))}"


def canonical_form(sql: str, dialect: str) -> dict[str, Any]:
    """The parts of a statement without what does not change its meaning; comparable with ``==``."""
    try:
        tree = parse_one(sql, dialect)
        replace_placeholders(tree, lambda placeholder: placeholder.token.casefold())
        if isinstance(tree, exp.Select) and _plain(tree):
            return _plain_form(tree)
        return {"text": _lowered(tree).sql(normalize=True, comments=False)}
    except (UnsafeSql, InvalidTemplate, SqlglotError):
        return {"unparsed": " ".join(sql.strip().rstrip(";").split())}


def _plain(tree: exp.Select) -> bool:
    """Whether FROM holds tables in inner joins only, without subqueries anywhere."""
    if any(tree.args.get(part) for part in ("with", "with_", "laterals")) or len(list(tree.find_all(exp.Query))) > 1:
        return False
    source = tree.args.get("from") or tree.args.get("from_")
    joins = tree.args.get("joins") or ()
    inner = all(not join.side and join.kind in ("", "INNER", "CROSS") and not join.args.get("using") for join in joins)
    return inner and source is not None and all(isinstance(item.this, exp.Table) for item in (source, *joins))


def _plain_form(tree: exp.Select) -> dict[str, Any]:
    tree = _lowered(tree)
    source = tree.args.get("from") or tree.args["from_"]
    joins = tree.args.get("joins") or ()
    tables = [(item.this.alias_or_name, f"{item.this.db}.{item.this.name}".lstrip(".")) for item in (source, *joins)]
    if len(tables) == 1:
        for column in tree.find_all(exp.Column):
            column.set("table", exp.to_identifier(tables[0][0]))
    conditions = [join.args["on"] for join in joins if join.args.get("on")]
    if tree.args.get("where"):
        conditions.append(tree.args["where"].this)
    rest = {"group": tree.args.get("group"), "having": tree.args.get("having")}
    if tree.args.get("limit") or tree.args.get("offset"):
        rest |= {part: tree.args.get(part) for part in ("order", "limit", "offset")}
    forms = []
    for naming in islice(_namings(tables), MOST_RENAMINGS):
        condition_texts = sorted(
            {_condition(part, naming) for condition in conditions for part in _conjuncts(condition)}
        )
        forms.append(
            {
                "select": [_renamed(item.unalias(), naming) for item in tree.selects],
                "from": sorted(naming.values()),
                "where": condition_texts,
                "rest": {name: _renamed(part, naming) for name, part in rest.items() if part is not None},
            }
        )
    return min(forms, key=repr)


def _namings(tables: list[tuple[str, str]]) -> Any:
    """Every way to number tables of the same name."""
    by_name: dict[str, list[str]] = {}
    for alias, name in tables:
        by_name.setdefault(name, []).append(alias)
    ordered = sorted(by_name.items())
    for naming in product(*(permutations(aliases) for _, aliases in ordered)):
        yield {
            alias: f"{name}#{index}"
            for (name, _), aliases in zip(ordered, naming, strict=True)
            for index, alias in enumerate(aliases)
        }


def _lowered(tree: Any) -> Any:
    tree = tree.copy()
    for identifier in tree.find_all(exp.Identifier):
        identifier.set("this", identifier.name.casefold())
        identifier.set("quoted", False)
    return tree


def _conjuncts(condition: exp.Expr) -> list[exp.Expr]:
    inner = condition.unnest()
    if isinstance(inner, exp.And):
        return [*_conjuncts(inner.this), *_conjuncts(inner.expression)]
    return [inner]


def _condition(part: exp.Expr, naming: dict[str, str]) -> str:
    if isinstance(part, exp.EQ):
        return " = ".join(sorted((_renamed(part.this.unnest(), naming), _renamed(part.expression.unnest(), naming))))
    return _renamed(part, naming)


def _renamed(part: exp.Expr, naming: dict[str, str]) -> str:
    part = part.copy()
    for column in part.find_all(exp.Column):
        if column.table in naming:
            column.set("table", exp.to_identifier(naming[column.table], quoted=True))
    return str(part.sql(comments=False))
