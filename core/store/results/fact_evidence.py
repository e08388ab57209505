"""The documents' evidence on the facts of a run, kept beside the key of what it was found with."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sqlalchemy import Connection, Text, cast, delete, select

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.store.tables import fact_evidence
from core.store.writing.upsert import BATCH
from core.store.writing.upsert import put as upsert


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvidence:
    """What was found for one fact.

    Attributes:
        group_id: The filled SQL query.
        key: Of all that was searched and searched for.
        finding: What the documents say.
        in_context: By case, whether the passages that the target retrieved state the fact; None where their texts are
            not known. Only for wrong answers.
    """

    group_id: str
    key: bytes
    finding: FactFinding
    in_context: Mapping[str, bool | None] = field(default_factory=dict)


def put(connection: Connection, run_id: str, corpus_id: str, evidence: Sequence[StoredEvidence]) -> None:
    """Stores what was found, each instead of what was found for the same fact before.

    Raises:
        Conflict: There is no such run.
    """
    rows = [
        {
            "run_id": run_id,
            "group_id": item.group_id,
            "key": item.key,
            "corpus_id": corpus_id,
            "evidence": item.finding.evidence.value,
            "document_id": item.finding.document_id,
            "passage": item.finding.passage,
            "document_ids": list(item.finding.document_ids),
            "other_value": item.finding.other_value,
            "in_context": dict(item.in_context),
        }
        for item in evidence
    ]
    upsert(connection, fact_evidence, rows, key=["run_id", "group_id"])


def of_run(
    connection: Connection, run_id: str, keys: Mapping[str, bytes], group_ids: Collection[str] | None = None
) -> dict[str, StoredEvidence]:
    """What is stored for facts with the keys that they have now; nothing that was found with others.

    Args:
        connection: From the store.
        run_id: The run.
        keys: By filled SQL query.
        group_ids: The queries to look up one by one; every one of the run is read where None.
    """
    columns = fact_evidence.c
    query = select(
        columns.group_id,
        columns.key,
        columns.evidence,
        columns.document_id,
        columns.passage,
        cast(columns.document_ids, Text),
        columns.other_value,
        cast(columns.in_context, Text),
    ).where(columns.run_id == run_id)
    stored: dict[str, StoredEvidence] = {}
    for some in [None] if group_ids is None else _batches(group_ids):
        rows = connection.execute(query if some is None else query.where(columns.group_id.in_(some)))
        # The driver's own rows: wrapping each costs as much as reading it.
        for (
            group_id,
            key,
            evidence,
            document_id,
            passage,
            document_ids,
            other_value,
            in_context,
        ) in rows.cursor.fetchall():
            if (present := keys.get(group_id)) is None or present != bytes(key):
                continue
            finding = FactFinding(
                evidence=FactEvidence(evidence),
                document_id=document_id,
                passage=passage,
                document_ids=tuple(json.loads(document_ids)),
                other_value=other_value,
            )
            stored[group_id] = StoredEvidence(
                group_id=group_id, key=present, finding=finding, in_context=json.loads(in_context)
            )
    return stored


def forget_corpus(connection: Connection, corpus_id: str) -> None:
    """Forgets what was found in the documents of a corpus, because they change."""
    connection.execute(delete(fact_evidence).where(fact_evidence.c.corpus_id == corpus_id))


def _batches(group_ids: Collection[str]) -> Iterator[list[str]]:
    waiting = iter(sorted(group_ids))
    return iter(lambda: list(islice(waiting, BATCH)), [])
