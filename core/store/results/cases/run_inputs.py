"""The inputs of metrics: the answered cases of a run, a part at a time, and which inputs the run has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Connection, FromClause, Text, and_, cast, func, literal, select

from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase
from core.store.codec import from_row
from core.store.tables import cases as case_rows
from core.store.tables import responses as response_rows

PART = 256
"""Cases read at once; a run of any length takes the memory of so many."""

NOTHING = "[]"
"""An empty list as JSON columns hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInputs:
    """Which inputs at least one case of a run has.

    Attributes:
        answers: An answer.
        contexts: A retrieved passage, by text or id.
        texts: A retrieved passage with its text.
        document_ids: The id of a retrieved document.
        chunk_ids: The id of a retrieved chunk.
        references: A reference answer.
        gold_documents: A document that should be found.
        gold_chunks: A chunk that should be found.
        answerable: A reference, a gold id or an attribute that shows whether the documents hold an answer.
    """

    answers: bool
    contexts: bool
    texts: bool
    document_ids: bool
    chunk_ids: bool
    references: bool
    gold_documents: bool
    gold_chunks: bool
    answerable: bool


def inputs(connection: Connection, run: Run, answerable: str) -> RunInputs:
    """Looks for each input until it is found; no text is read.

    Args:
        connection: From the store.
        run: The run.
        answerable: Name of the attribute that says whether a case can be answered.
    """
    contexts = cast(response_rows.c.contexts, Text)

    def responses(condition: ColumnElement[bool]) -> bool:
        return _any(connection, _answered(run), condition)

    def passages(name: str) -> bool:
        # A field of the passages that is not empty everywhere; the JSON is always written the same way.
        field = f'"{name}": "'
        return responses(func.replace(contexts, f'{field}"', "").contains(field, autoescape=True))

    retrieved = has_contexts(connection, run.id)
    return replace(
        expected(connection, run.test_set_id, answerable),
        answers=responses(response_rows.c.answer.is_not(None)),
        contexts=retrieved,
        texts=retrieved and passages("text"),
        document_ids=retrieved and passages("document_id"),
        chunk_ids=retrieved and passages("chunk_id"),
    )


def expected(connection: Connection, test_set_id: str, answerable: str) -> RunInputs:
    """The inputs of a run when its target answers and reports the texts of the documents it retrieves.

    Args:
        connection: From the store.
        test_set_id: The test set.
        answerable: Name of the attribute that says whether a case can be answered.
    """

    def cases(condition: ColumnElement[bool]) -> bool:
        included = (case_rows.c.test_set_id == test_set_id, case_rows.c.excluded == "")
        return _any(connection, case_rows, *included, condition)

    references = cases(case_rows.c.reference_text != "")
    gold_documents = cases(cast(case_rows.c.gold_document_ids, Text) != NOTHING)
    gold_chunks = cases(cast(case_rows.c.gold_chunk_ids, Text) != NOTHING)
    has_attribute = cast(case_rows.c.attributes, Text).contains(f'"{answerable}":', autoescape=True)
    return RunInputs(
        answers=True,
        contexts=True,
        texts=True,
        document_ids=True,
        chunk_ids=False,
        references=references,
        gold_documents=gold_documents,
        gold_chunks=gold_chunks,
        answerable=references or gold_documents or gold_chunks or cases(has_attribute),
    )


def has_contexts(connection: Connection, run_id: str) -> bool:
    """Whether any response of a run has a retrieved passage."""
    return _any(
        connection, response_rows, response_rows.c.run_id == run_id, cast(response_rows.c.contexts, Text) != NOTHING
    )


def first_retrieved(connection: Connection, run: Run) -> tuple[str, ...]:
    """Ids of the documents of the first case of a run that retrieved any; empty where none did."""
    contexts = cast(response_rows.c.contexts, Text)
    query = select(contexts).select_from(_answered(run)).where(*_included(run), contexts != NOTHING)
    passages = connection.execute(query.order_by(case_rows.c.seq).limit(1)).scalar_one_or_none()
    return tuple(passage["document_id"] for passage in json.loads(passages or NOTHING))


def answered_cases(connection: Connection, run: Run, *, failed: bool = True) -> list[str]:
    """Ids of the cases that have a response, in the order of the test set.

    Args:
        connection: From the store.
        run: The run.
        failed: Whether those where the target failed are among them.
    """
    query = select(case_rows.c.case_id).select_from(_answered(run)).where(*_included(run)).order_by(case_rows.c.seq)
    if not failed:
        query = query.where(response_rows.c.failed.is_(False))
    return list(connection.execute(query).scalars())


def groups(connection: Connection, test_set_id: str) -> tuple[list[str], list[str]]:
    """Ids of the included cases in the order of the test set, and the cluster of each.

    The cluster is the filled SQL query; the case itself where it has none.
    """
    cluster = func.coalesce(func.nullif(case_rows.c.group_id, ""), case_rows.c.case_id)
    query = select(case_rows.c.case_id, cluster).where(
        case_rows.c.test_set_id == test_set_id, case_rows.c.excluded == ""
    )
    rows = connection.execute(query.order_by(case_rows.c.seq)).cursor.fetchall()
    return [row[0] for row in rows], [row[1] for row in rows]


def pairs(
    connection: Connection, run: Run, case_ids: Sequence[str], *, contexts: bool = True
) -> Iterator[tuple[TestCase, Response]]:
    """Answered cases with their responses, in the order asked for.

    Args:
        connection: From the store.
        run: The run.
        case_ids: Which; those without a response are left out.
        contexts: Whether to read the retrieved passages; without them a response seems to have none.
    """
    columns = [column for column in response_rows.c if contexts or column.name != "contexts"]
    # Only what finds a case by its id: with an order or another condition SQLite walks over the whole test set.
    query = (
        select(case_rows, *columns)
        .select_from(_answered(run))
        .where(case_rows.c.test_set_id == run.test_set_id, case_rows.c.case_id.in_(case_ids))
    )
    rows = {row[case_rows.c.case_id]: row for row in connection.execute(query).mappings()}
    for case_id in case_ids:
        if (row := rows.get(case_id)) is not None:
            case = from_row(TestCase, {column.name: row[column] for column in case_rows.c})
            response = {column.name: row[column] for column in columns}
            yield case, from_row(Response, {"contexts": [], **response})


def _answered(run: Run) -> FromClause:
    answer = and_(response_rows.c.run_id == run.id, response_rows.c.case_id == case_rows.c.case_id)
    return case_rows.join(response_rows, answer)


def _included(run: Run) -> tuple[ColumnElement[bool], ...]:
    return case_rows.c.test_set_id == run.test_set_id, case_rows.c.excluded == ""


def _any(connection: Connection, source: FromClause, *where: ColumnElement[bool]) -> bool:
    return connection.execute(select(literal(1)).select_from(source).where(*where).limit(1)).first() is not None
