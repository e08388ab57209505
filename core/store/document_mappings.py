"""What people chose about records and documents, and the documents of a corpus as gold ids name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, insert, select

from core.domain.results.runs import Run
from core.domain.sources.document_ids import GoldTables, KnownDocuments
from core.domain.sources.document_mappings import DocumentMapping
from core.domain.testset.cases import TestCase
from core.store import sources
from core.store.codec import from_row, to_row
from core.store.tables import document_mappings
from core.store.testset import testsets


def put(connection: Connection, mapping: DocumentMapping) -> None:
    """Stores a decision; earlier ones stay."""
    connection.execute(insert(document_mappings), [to_row(mapping)])


def all(connection: Connection, project_id: str) -> list[DocumentMapping]:
    """Every decision of a project, the newest first."""
    query = select(document_mappings).where(document_mappings.c.project_id == project_id)
    rows = connection.execute(query.order_by(document_mappings.c.seq.desc())).mappings()
    return [from_row(DocumentMapping, row) for row in rows]


def latest(connection: Connection, project_id: str, corpus_id: str = "") -> DocumentMapping | None:
    """The decision that counts: the last one made for these documents, else the project's last one.

    Documents that were loaded or cut again keep what was decided, for those that are still there.
    """
    query = select(document_mappings).where(document_mappings.c.project_id == project_id)
    order = (document_mappings.c.corpus_id == corpus_id).desc(), document_mappings.c.seq.desc()
    row = connection.execute(query.order_by(*order).limit(1)).mappings().one_or_none()
    return None if row is None else from_row(DocumentMapping, row)


def latest_id(connection: Connection, project_id: str) -> str:
    """The id of a project's last decision, empty where nobody decided: it changes with every one."""
    query = select(document_mappings.c.id).where(document_mappings.c.project_id == project_id)
    return str(connection.execute(query.order_by(document_mappings.c.seq.desc()).limit(1)).scalar_one_or_none() or "")


def matches(connection: Connection, project_id: str, corpus_id: str) -> Mapping[str, Sequence[str]]:
    """Documents by gold id, as decided; empty where nothing was."""
    mapping = latest(connection, project_id, corpus_id) if corpus_id else None
    return mapping.matches if mapping else {}


def known(
    connection: Connection, project_id: str, corpus_id: str, document_ids: Iterable[str] | None = None
) -> KnownDocuments:
    """The documents of a corpus as gold ids name them.

    Args:
        connection: To the store.
        project_id: The project.
        corpus_id: The corpus.
        document_ids: Ids of its documents where they are read already, or those that matter.
    """
    own = sources.titles(connection, corpus_id) if document_ids is None else document_ids
    return KnownDocuments(own, matches(connection, project_id, corpus_id))


def of_run(connection: Connection, run: Run) -> KnownDocuments | None:
    """The documents of a run's corpus as gold ids name them; None where no corpus is known."""
    if run.corpus_id:
        return known(connection, run.project_id, run.corpus_id)
    listed = run.options.get("known_ids")
    return KnownDocuments(str(item) for item in listed) if isinstance(listed, dict | list | tuple) else None


def gold_tables(connection: Connection, test_set_id: str, documents: KnownDocuments | None) -> GoldTables:
    """The tables that a test set's gold ids name records of, and which of them have documents."""
    return GoldTables.of(() if documents is None else testsets.gold_ids(connection, test_set_id), documents)


def named(cases: Sequence[TestCase], documents: KnownDocuments | None) -> tuple[TestCase, ...]:
    """Cases with the gold ids that people matched replaced by their documents; what is stored stays as it is."""
    if documents is None:
        return tuple(cases)
    return tuple(
        case if spelled == case.gold_document_ids else replace(case, gold_document_ids=spelled)
        for case, spelled in ((case, documents.named(case.gold_document_ids)) for case in cases)
    )
