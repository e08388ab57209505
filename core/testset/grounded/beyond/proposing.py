"""Look-ups and what goes beyond them, in a mix that covers tables and operations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest

from core.domain.sources.schema import Schema, Table
from core.domain.testset.templates import SqlTemplate
from core.testset.grounded.beyond.pairs import pair_plans
from core.testset.grounded.beyond.plan import Kind, Plan
from core.testset.grounded.beyond.rows import row_plans
from core.testset.grounded.beyond.values import value_plans
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.sql.generator import generate_sql_templates
from core.testset.grounded.wording.meaning import Meaning

BEYOND = 0.5
"""Share of the templates that go beyond look-ups, where the schema allows."""
CROWDED_KIND, CROWDED_TABLE, CROWDED_PAIR = 0.06, 0.05, 0.12
"""The penalty for each template already chosen of the same kind, table, and both."""
REMEMBERED = 4
"""Schemas whose plans are remembered: each wording of each template asks for them."""


def propose_templates(
    schema: Schema,
    *,
    limit: int = 40,
    kinds: Collection[Kind] = tuple(Kind),
    each: int | None = None,
    known: Collection[str] = (),
) -> list[SqlTemplate]:
    """Writes SQL templates of several kinds from tables, columns and keys; no row is read.

    Half of them go beyond look-ups where the schema allows it. Among those, each one chosen makes others of its kind
    and its table less likely, so that kinds and tables get their turns; tables that many others point to, with many
    rows and columns that people understand, come first.

    Args:
        schema: Tables with their words.
        limit: The most templates wanted.
        kinds: Which kinds.
        each: The most wanted of each kind, in place of `limit`.
        known: Ids of templates that are there already: what comes after them is proposed.

    Returns:
        Drafts, look-ups and others in turns, most useful first; the same schema gives the same list.
    """
    if each is not None:
        of_kinds = [
            _look_ups(schema, each, known) if kind is Kind.LOOK_UP else _ranked(schema, (kind,), each, known)
            for kind in Kind
            if kind in kinds
        ]
        return [template for turn in zip_longest(*of_kinds) for template in turn if template is not None]
    beyond = _ranked(schema, kinds, limit, known)
    look_ups = _look_ups(schema, limit, known) if Kind.LOOK_UP in kinds else []
    wanted = min(len(beyond), max(math.floor(BEYOND * limit), limit - len(look_ups)))
    chosen, look_ups = beyond[:wanted], look_ups[: limit - wanted]
    mixed: list[SqlTemplate] = []
    for place in range(max(len(chosen), len(look_ups))):
        mixed += look_ups[place : place + 1] + chosen[place : place + 1]
    return mixed


def planned_meaning(sql: str, schema: Schema) -> Meaning | None:
    """What a statement asks, where a plan of this schema has it, in whatever spelling; else None."""
    plan = _plans(schema).get(canonical_id(sql, schema.dialect))
    return plan.meaning if plan else None


def importance(schema: Schema, table: Table) -> float:
    """How much people would ask about a table, in [0.6, 1]: keys that point to it, rows, readable columns."""
    pointing = sum(key.referred_table == table.name for other in schema.tables for key in other.foreign_keys)
    readable = sum(column.descriptive for column in table.columns)
    parts = min(1.0, pointing / 4), min(1.0, math.log10(table.rows + 1) / 4), min(1.0, readable / 6)
    return 0.6 + 0.4 * sum(parts) / len(parts)


@lru_cache(maxsize=REMEMBERED)
def _plans(schema: Schema) -> Mapping[str, Plan]:
    plans: dict[str, Plan] = {}
    for plan in _every(schema):
        plans.setdefault(canonical_id(plan.sql, schema.dialect), plan)
    return plans


def _every(schema: Schema) -> Iterator[Plan]:
    yield from row_plans(schema)
    yield from value_plans(schema)
    yield from pair_plans(schema)


def _look_ups(schema: Schema, limit: int, known: Collection[str]) -> list[SqlTemplate]:
    generated = generate_sql_templates(schema, limit=limit + len(known))
    return [template for template in generated if template.id not in known][:limit]


def _ranked(schema: Schema, kinds: Collection[Kind], limit: int, known: Collection[str]) -> list[SqlTemplate]:
    weights = {table.name: importance(schema, table) for table in schema.tables}
    waiting = {
        template_id: (plan, plan.score * weights[plan.entity])
        for template_id, plan in _plans(schema).items()
        if plan.kind in kinds and template_id not in known
    }
    of_kind: Counter[str] = Counter()
    of_table: Counter[str] = Counter()
    of_both: Counter[tuple[str, str]] = Counter()
    ranked: list[SqlTemplate] = []
    while waiting and len(ranked) < limit:
        best = max(
            waiting,
            key=lambda item: (
                waiting[item][1]
                - CROWDED_KIND * of_kind[waiting[item][0].kind]
                - CROWDED_TABLE * of_table[waiting[item][0].entity]
                - CROWDED_PAIR * of_both[waiting[item][0].kind, waiting[item][0].entity]
            ),
        )
        plan, _ = waiting.pop(best)
        of_kind[plan.kind] += 1
        of_table[plan.entity] += 1
        of_both[plan.kind, plan.entity] += 1
        ranked.append(
            SqlTemplate(id=best, sql=plan.sql, sql_with_ids=plan.sql_with_ids, tables=plan.tables, origin="schema")
        )
    return ranked
