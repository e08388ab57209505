"""The properties of a run's cases, read by column: no case is built, and passages are skipped."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Text, cast, func, select

from core.domain.testset.cases import TestCase
from core.store.codec import decode, from_row
from core.store.results.cases import run_inputs
from core.store.tables import cases as case_rows
from core.store.tables import responses as response_rows

PART = 2_000
"""Responses held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseColumns:
    """The included cases of a test set, in its order; every column has one entry a case.

    Attributes:
        case_ids: Their ids.
        groups: The cluster of each: the filled SQL query, else the case itself.
        words: Words of the question.
        forms: The form of its wording, or empty.
        sql_templates: Id of the SQL template, or empty.
        text_templates: Id of the text template, or empty.
        tables: The tables its statement reads.
        gold_documents: Ids of the documents that hold the fact.
        gold_chunks: Ids of the chunks that hold it.
        attributes: Its own attributes.
    """

    case_ids: tuple[str, ...]
    groups: tuple[str, ...]
    words: tuple[int, ...]
    forms: tuple[str, ...]
    sql_templates: tuple[str, ...]
    text_templates: tuple[str, ...]
    tables: tuple[tuple[str, ...], ...]
    gold_documents: tuple[tuple[str, ...], ...]
    gold_chunks: tuple[tuple[str, ...], ...]
    attributes: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One response without the texts of its passages.

    Attributes:
        case_id: The case.
        words: Words of the answer, None where the target failed.
        passages: How many passages were retrieved.
        document_ids: Of each passage that has one, best first.
        chunk_ids: Of each passage that has one, best first.
    """

    case_id: str
    words: int | None
    passages: int
    document_ids: tuple[str, ...]
    chunk_ids: tuple[str, ...]


def columns(connection: Connection, test_set_id: str) -> CaseColumns:
    """The columns of the cases that are not excluded."""
    case_columns = case_rows.c
    nested = [
        cast(case_columns[name], Text) for name in ("tables", "gold_document_ids", "gold_chunk_ids", "attributes")
    ]
    query = select(
        case_columns.case_id,
        func.coalesce(func.nullif(case_columns.group_id, ""), case_columns.case_id),
        case_columns.question,
        case_columns.form,
        case_columns.sql_template_id,
        case_columns.text_template_id,
        *nested,
    ).where(case_columns.test_set_id == test_set_id, case_columns.excluded == "")
    # The driver's own rows: all columns are text, and wrapping each row costs as much as reading it.
    rows = connection.execute(query.order_by(case_columns.seq)).cursor.fetchall()
    ids, groups, questions, forms, sql, texts, tables, documents, chunks, attributes = (
        zip(*rows, strict=True) if rows else ((),) * 10
    )
    return CaseColumns(
        case_ids=ids,
        groups=groups,
        words=tuple(len(question.split()) for question in questions),
        forms=forms,
        sql_templates=sql,
        text_templates=texts,
        tables=_lists(tables),
        gold_documents=_lists(documents),
        gold_chunks=_lists(chunks),
        attributes=_read(attributes, lambda value: decode(value) or {}),
    )


def parameters(
    connection: Connection, test_set_id: str, template_ids: Collection[str]
) -> list[tuple[str, Mapping[str, object]]]:
    """What SQL templates were filled with: the template's id and the bound values of each filled query.

    Args:
        connection: A connection.
        test_set_id: The test set.
        template_ids: The SQL templates; cases of none are left out.
    """
    bound = bound_texts(connection, test_set_id, template_ids)
    return [(template_id, decode(json.loads(values)) or {}) for template_id, values in bound]


def bound_texts(
    connection: Connection, test_set_id: str, template_ids: Collection[str] | None = None
) -> list[tuple[str, str]]:
    """The same with the values as they are stored, JSON; of every SQL template where none are named."""
    case_columns = case_rows.c
    bound = cast(case_columns.sql_params, Text)
    query = (
        select(case_columns.sql_template_id, bound)
        .where(case_columns.test_set_id == test_set_id, case_columns.excluded == "")
        .distinct()
        .order_by(case_columns.sql_template_id, bound)
    )
    if template_ids is None:
        query = query.where(case_columns.sql_template_id != "")
    else:
        query = query.where(case_columns.sql_template_id.in_([name for name in template_ids if name]))
    return [(template_id, values) for template_id, values in connection.execute(query)]


def first_facts(
    connection: Connection, test_set_id: str, template_ids: Collection[str], n: int
) -> tuple[TestCase, ...]:
    """The cases of the first `n` filled queries of each SQL template, in the order of the test set."""
    case_columns = case_rows.c
    query = (
        select(case_columns.sql_template_id, case_columns.group_id, case_columns.case_id)
        .where(case_columns.test_set_id == test_set_id, case_columns.excluded == "", case_columns.group_id != "")
        .where(case_columns.sql_template_id.in_([name for name in template_ids if name]))
        .order_by(case_columns.seq)
    )
    first: defaultdict[str, dict[str, None]] = defaultdict(dict)
    ids: list[str] = []
    for template_id, group_id, case_id in connection.execute(query):
        groups = first[template_id]
        if len(groups) < n:
            groups.setdefault(group_id)
        if group_id in groups:
            ids.append(case_id)
    return chosen(connection, test_set_id, ids)


def retrieved(connection: Connection, run_id: str) -> Iterator[Retrieved]:
    """Every response of a run without the texts of its passages, in any order; a part is in memory at a time."""
    query = select(response_rows.c.case_id, response_rows.c.answer, cast(response_rows.c.contexts, Text)).where(
        response_rows.c.run_id == run_id
    )
    for case_id, answer, contexts in connection.execute(query, execution_options={"yield_per": PART}):
        passages = json.loads(contexts)
        yield Retrieved(
            case_id,
            None if answer is None else len(answer.split()),
            len(passages),
            tuple([passage_id for passage in passages if (passage_id := passage.get("document_id"))]),
            tuple([passage_id for passage in passages if (passage_id := passage.get("chunk_id"))]),
        )


def answered(connection: Connection, run_id: str) -> tuple[int, int]:
    """How many responses a run has, and how many of them without an answer; read from an index."""
    query = select(response_rows.c.failed, func.count()).where(response_rows.c.run_id == run_id)
    counts = {bool(row[0]): int(row[1]) for row in connection.execute(query.group_by(response_rows.c.failed))}
    return sum(counts.values()), counts.get(True, 0)


def with_wordings(connection: Connection, test_set_id: str, case_ids: Collection[str]) -> list[str]:
    """Ids of included cases, with those of every other question of their filled SQL queries, in the set's order."""
    selected = set(case_ids)
    ids, groups = run_inputs.groups(connection, test_set_id)
    selected_groups = {group for case_id, group in zip(ids, groups, strict=True) if case_id in selected}
    return [case_id for case_id, group in zip(ids, groups, strict=True) if group in selected_groups]


def chosen(connection: Connection, test_set_id: str, case_ids: Sequence[str]) -> tuple[TestCase, ...]:
    """Some cases of a test set, in the order asked for; ids it does not have are left out."""
    query = select(case_rows).where(case_rows.c.test_set_id == test_set_id)
    by_id = {
        row["case_id"]: from_row(TestCase, row)
        for start in range(0, len(case_ids), PART)
        for row in connection.execute(query.where(case_rows.c.case_id.in_(case_ids[start : start + PART]))).mappings()
    }
    return tuple(by_id[case_id] for case_id in case_ids if case_id in by_id)


def _lists(texts: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return _read(texts, lambda value: tuple(value or ()))


def _read(texts: tuple[str, ...], convert: Any) -> tuple[Any, ...]:
    """Parses JSON, each different text once: many cases share theirs."""
    values: dict[str, Any] = {}
    for text in texts:
        if text not in values:
            values[text] = convert(json.loads(text))
    return tuple(values[text] for text in texts)
