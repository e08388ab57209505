"""SQL templates from the schema alone; no row is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.sources.schema import ForeignKey, Schema, Table
from core.domain.testset.templates import SqlTemplate
from core.sources.database.grammar import written, written_table
from core.sources.database.words import split_words
from core.testset.grounded.entities import PLACES_OF, Label, best_label, clear_keys, is_date, is_line
from core.testset.grounded.numbered import number_within
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.usefulness import usefulness

CROWDING = 0.08
"""The penalty for each template already chosen for a table, so that all tables get templates."""
HOPS = {0: 1.0, 1: 0.72, 2: 0.5}
"""Weight of an answer that is so many foreign keys away."""
SEVERAL_PLACEHOLDERS = 0.8
MOST_CROWDED = 0.2
"""Rows per possible pair of parents from which too many pairs would share several rows."""
SMALL_TABLE = 20
LEAST_USEFUL_FAR = 0.65
"""The least score of an answer in another table; nobody asks for the fax number of a supervisor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A template before ranking; `entity` is the table the question is about."""

    sql: str
    sql_with_ids: str
    entity: str
    tables: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One table of a FROM clause: under its alias, reached from `before` along `key` (forwards)."""

    table: Table
    alias: str
    key: ForeignKey | None = None
    before: str = ""


def generate_sql_templates(schema: Schema, *, limit: int = 40) -> list[SqlTemplate]:
    """Writes SQL templates from tables, columns and keys.

    For every table whose rows people can name it asks for each other readable column; for what the row points to along
    one or two foreign keys; and, where rows are only named by two others (association tables, dated events), with two
    placeholders. Answers that are names, dates and amounts come first, near ones before far ones, and every table gets
    its turn. Templates that mean the same appear once.

    Args:
        schema: Tables with their descriptive columns.
        limit: The most templates wanted.

    Returns:
        Drafts, most useful first; the same schema gives the same list.
    """
    candidates: dict[str, Candidate] = {}
    for candidate in _candidates(schema):
        candidates.setdefault(canonical_id(candidate.sql, schema.dialect), candidate)
    return [
        SqlTemplate(
            id=template_id, sql=ranked.sql, sql_with_ids=ranked.sql_with_ids, tables=ranked.tables, origin="schema"
        )
        for template_id, ranked in _ranked(candidates, limit)
    ]


def _ranked(candidates: dict[str, Candidate], limit: int) -> Iterator[tuple[str, Candidate]]:
    """The best candidates in turn; each one chosen lowers the score of its table."""
    by_entity: dict[str, list[tuple[str, Candidate]]] = {}
    for template_id, candidate in candidates.items():
        by_entity.setdefault(candidate.entity, []).append((template_id, candidate))
    for group in by_entity.values():
        group.sort(key=lambda pair: -pair[1].score)
    counts: Counter[str] = Counter()
    for _ in range(min(limit, len(candidates))):
        waiting = [entity for entity, group in by_entity.items() if group]
        best = max(waiting, key=lambda entity: by_entity[entity][0][1].score - CROWDING * counts[entity])
        counts[best] += 1
        yield by_entity[best].pop(0)


def _candidates(schema: Schema) -> Iterator[Candidate]:
    for table in schema.tables:
        if not table.rows or not table.asked:
            continue
        label = best_label(table)
        if label is None:
            yield from _by_two_others(schema, table)
            yield from _by_other_and_number(schema, table)
            yield from _by_other_and_date(schema, table)
            continue
        start = Step(table=table, alias=table.own_name)
        for column in table.columns:
            if column.name not in label.columns and not _named_elsewhere(schema, table, column.name):
                yield from _ask(schema, [start], label, (column.name,), usefulness(table, column))
        for steps in _paths(schema, start):
            yield from _along(schema, steps, label)


def _named_elsewhere(schema: Schema, table: Table, column: str) -> bool:
    """Whether a column holds a code of another table's row that people call by another name, or half of its key."""
    for key in table.foreign_keys:
        if len(key.columns) > 1 and column in key.columns:
            return True
        if key.columns == (column,):
            label = best_label(schema.table(key.referred_table))
            return label is not None and label.columns != key.referred_columns
    return False


def _paths(schema: Schema, start: Step) -> Iterator[list[Step]]:
    """Chains of one and two foreign keys from a table to what it points to."""
    for first in _next_steps(schema, [start]):
        yield [start, first]
        for second in _next_steps(schema, [start, first]):
            if second.table.name not in (start.table.name, first.table.name):
                yield [start, first, second]


def _next_steps(schema: Schema, steps: Sequence[Step]) -> Iterator[Step]:
    last = steps[-1]
    aliases = {step.alias.lower() for step in steps}
    for key in clear_keys(schema, last.table):
        parent = schema.table(key.referred_table)
        alias = parent.own_name
        if alias.lower() in aliases:
            words = split_words(key.columns[0])
            alias = "".join(word.capitalize() for word in (words[:-1] if words[-1] == "id" else words)) or "Other"
            if alias.lower() in aliases:
                alias = f"Other{alias}"
        yield Step(table=parent, alias=alias, key=key, before=last.alias)


def _along(schema: Schema, steps: list[Step], label: Label) -> Iterator[Candidate]:
    owner = steps[-1]
    # "The district of the address of the store": nobody names what has no name of its own in between.
    if any(_nameless(step.table) for step in steps[1:]):
        return
    key = owner.key
    owner_label = best_label(owner.table)
    # Where the foreign key itself is readable (Project.Client), the nearer table gives that answer without a join.
    identified = key is not None and set(key.referred_columns) >= set(owner_label.columns) if owner_label else False
    if owner_label and not identified:
        yield from _ask(schema, steps, label, owner_label.columns, 1.0, owners=steps[:-1])
    for column in owner.table.columns:
        # The key it is pointed to by is no other answer than the name: "the type" is either.
        in_label = (owner_label is not None and column.name in owner_label.columns) or (
            key is not None and column.name in key.referred_columns
        )
        points = any(column.name in other.columns for other in owner.table.foreign_keys)
        if _named_elsewhere(schema, owner.table, column.name):
            continue
        worth = usefulness(owner.table, column)
        if worth >= LEAST_USEFUL_FAR and not in_label and not (points and owner.table.name == steps[0].table.name):
            yield from _ask(schema, steps, label, (column.name,), 0.9 * worth)


def _nameless(table: Table) -> bool:
    words = split_words(table.spoken)
    return best_label(table) is None or words[-1].removesuffix("es") in PLACES_OF


def _by_two_others(schema: Schema, table: Table) -> Iterator[Candidate]:
    """Rows that are named only by two rows they tie together."""
    keys = [key for key in clear_keys(schema, table) if best_label(schema.table(key.referred_table))]
    for index, first in enumerate(keys):
        for second in keys[index + 1 :]:
            if first.referred_table == second.referred_table:
                continue  # the same placeholder would have to hold two values
            pairs = schema.table(first.referred_table).rows * schema.table(second.referred_table).rows
            if not table.association and _crowded(table, pairs):
                continue
            yield from _ask_by_parents(schema, table, [first, second], told_by="")


def _by_other_and_number(schema: Schema, table: Table) -> Iterator[Candidate]:
    """Rows with a number of their own within another row: stake 3 of a glacier."""
    if within := number_within(schema, table):
        yield from _ask_by_parents(schema, table, [within[0]], told_by=within[1])


def _by_other_and_date(schema: Schema, table: Table) -> Iterator[Candidate]:
    """Events, named by the row they concern and their date."""
    if table.association or is_line(table):
        return
    within = number_within(schema, table)
    dates = [column.name for column in table.columns if column.descriptive and is_date(column) and not column.moments]
    for key in clear_keys(schema, table):
        if within and within[0] == key:
            continue  # people say the number
        parent = schema.table(key.referred_table)
        days = table.column(dates[0]).distinct if dates else None
        if dates and best_label(parent) and not _crowded(table, parent.rows * (days or table.rows)):
            yield from _ask_by_parents(schema, table, [key], told_by=dates[0])


def _crowded(table: Table, pairs: int) -> bool:
    """Whether pairs of values must name several rows, as far as counts can tell."""
    return table.rows >= SMALL_TABLE and table.rows > MOST_CROWDED * pairs


def _ask_by_parents(schema: Schema, table: Table, keys: list[ForeignKey], *, told_by: str) -> Iterator[Candidate]:
    steps = [Step(table=table, alias=table.own_name)]
    conditions: list[tuple[str, str, str]] = []
    for key in keys:
        parent = schema.table(key.referred_table)
        label = best_label(parent)
        if label is None or parent.name == table.name:
            return
        if key.referred_columns == label.columns and len(label.columns) == 1:
            conditions.append((table.own_name, key.columns[0], f"[{parent.name}.{label.columns[0]}]"))
        else:
            steps.append(Step(table=parent, alias=parent.own_name, key=key, before=table.own_name))
            conditions += [(parent.own_name, name, f"[{parent.name}.{name}]") for name in label.columns]
    if told_by:
        conditions.append((table.own_name, told_by, f"[{table.name}.{told_by}]"))
    # A column that points to a row the question names asks for what it says.
    used_columns = {column for alias, column, _ in conditions if alias == table.own_name}
    used_columns |= {column for key in keys for column in key.columns}
    if told_by and len(table.primary_key) > 1:
        used_columns |= set(table.primary_key)  # what tells a row from others is no answer about it
    owners = [steps[0]] if len(table.primary_key) == 1 else steps[1:]
    for column in table.columns:
        if (
            column.name not in used_columns
            and not _named_elsewhere(schema, table, column.name)
            and (score := usefulness(table, column)) > 0
        ):
            yield _candidate(
                schema,
                steps,
                [(table.own_name, column.name)],
                conditions,
                owners,
                score * HOPS[1] * SEVERAL_PLACEHOLDERS,
            )


def _ask(
    schema: Schema,
    steps: list[Step],
    label: Label,
    answer: tuple[str, ...],
    score: float,
    *,
    owners: Sequence[Step] | None = None,
) -> Iterator[Candidate]:
    if score <= 0:
        return
    start, owner = steps[0], steps[-1]
    conditions = [(start.alias, column, f"[{start.table.name}.{column}]") for column in label.columns]
    weight = score * HOPS[len(steps) - 1] * (0.5 + 0.5 * label.weight)
    answers = [(owner.alias, column) for column in answer]
    yield _candidate(schema, steps, answers, conditions, steps if owners is None else owners, weight)


def _candidate(
    schema: Schema,
    steps: list[Step],
    answers: list[tuple[str, str]],
    conditions: list[tuple[str, str, str]],
    owners: Sequence[Step],
    score: float,
) -> Candidate:
    """Writes the statement; `owners` are the tables whose documents hold the fact, the placeholder's own first."""
    joined = len(steps) > 1
    write = _Writer(schema.dialect, qualified=joined)
    ids = [(step.alias, step.table.primary_key[0]) for step in owners if len(step.table.primary_key) == 1]
    rest = f"FROM {write.sources(steps)} WHERE " + " AND ".join(
        f"{write.column(alias, column)} = '{token}'" for alias, column, token in conditions
    )
    listed = ", ".join(write.column(*answer) for answer in answers)
    with_ids = ", ".join(write.column(*column) for column in (*answers, *ids))
    return Candidate(
        sql=f"SELECT {listed} {rest};",
        sql_with_ids=f"SELECT {with_ids} {rest};" if ids else "",
        entity=steps[0].table.name,
        tables=tuple(dict.fromkeys(step.table.name for step in steps)),
        score=score,
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes names as people do: in quotes and with their table only where it is needed."""

    dialect: str
    qualified: bool = False

    def column(self, alias: str, column: str) -> str:
        name = written(column, self.dialect)
        return f"{written(alias, self.dialect)}.{name}" if self.qualified else name

    def sources(self, steps: Sequence[Step]) -> str:
        parts = [written_table(steps[0].table, self.dialect)]
        for step in steps[1:]:
            name = written_table(step.table, self.dialect)
            alias = "" if step.alias == step.table.own_name else f" AS {written(step.alias, self.dialect)}"
            key = step.key
            pairs = zip(key.columns, key.referred_columns, strict=True) if key else ()
            on = " AND ".join(
                f"{self.column(step.before, own)} = {self.column(step.alias, other)}" for own, other in pairs
            )
            parts.append(f"JOIN {name}{alias} ON {on}")
        return " ".join(parts)
