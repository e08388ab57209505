"""How the records and documents of a project belong together: proposals, and the decision that is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from core.domain.errors import InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.sources.document_ids import NAMESPACE, normalise_id
from core.domain.sources.document_mappings import DocumentMapping, Way
from core.domain.sources.projects import Role, Source, SourceKind
from core.domain.sources.schema import Table
from core.knowledge.matching.proposing import Proposal, Proposals, follow, propose
from core.knowledge.matching.records import MOST_ROWS, Records, of_ids, read
from core.project.service import require
from core.sources.service import open_database
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.testset import testsets
from core.testset.variants.service import newest_original

ACTION = "documents.match"
LINKS: Final = "its rows only link other tables"
NO_KEY: Final = "it has no primary key"
NOT_NAMED: Final = "no gold id of the test set names a record of it"
NO_WAY: Final = "no way finds a document for a record of it"
TOO_MANY: Final = f"it has more than {MOST_ROWS:,} rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Belonging:
    """What the Connect page shows of records and documents.

    Attributes:
        proposals: Every way with what it matches now.
        chosen: The decision that counts; None where nobody decided.
        now: What counts, on the records and documents as they are now.
        outdated: Whether database or documents changed since the decision: applied again it may match more.
        not_counted: Why the records of other tables are not among those that are counted, by table.
    """

    proposals: Proposals
    chosen: DocumentMapping | None
    now: Proposal
    outdated: bool
    not_counted: Mapping[str, str] = field(default_factory=dict)


def belonging(store: Store, project_id: str) -> Belonging | None:
    """Tries every way on the project's records and documents; None where there are no documents or no records.

    The database's rows are read, one query a table; nothing is stored.

    Raises:
        SourceUnavailable: The database does not answer.
        LimitExceeded: It took too long.
    """
    inputs = _inputs(store, project_id)
    if inputs is None:
        return None
    with store.read() as connection:
        documents = sources.documents(connection, inputs.corpus.id)
        chosen = document_mappings.latest(connection, project_id, inputs.corpus.id)
    proposals = propose(inputs.records, documents, inputs.needed)
    not_counted = _not_counted(inputs, proposals.tables)
    if chosen is None or chosen.way is Way.EXACT:
        exact = proposals.of(Way.EXACT)
        return Belonging(proposals=proposals, chosen=chosen, now=exact, outdated=False, not_counted=not_counted)
    made_of = (chosen.corpus_fingerprint, chosen.database_fingerprint)
    now = (inputs.corpus.fingerprint, inputs.database.fingerprint if inputs.database else "")
    rules = {table: rule for table, rule in chosen.rules.items() if _has(inputs.records, table)}
    kept = follow(chosen.way, rules, inputs.records, documents, proposals.tables)
    return Belonging(proposals=proposals, chosen=chosen, now=kept, outdated=made_of != now, not_counted=not_counted)


def try_rules(store: Store, project_id: str, way: Way, rules: Mapping[str, str]) -> Proposal:
    """What a person's own rules would match; nothing is stored.

    Raises:
        NotFound: There are no documents or records, or no such table.
        InvalidInput: A template cannot be used.
    """
    return _followed(store, _required(store, project_id), way, rules)


def choose(store: Store, project_id: str, way: Way, rules: Mapping[str, str], *, actor: str) -> DocumentMapping:
    """Keeps a decision: from now on gold ids name the documents that it matches, also in runs made before.

    Test sets stay as they are; ids become documents when they are read. Scores that are stored stay until the run is
    scored again.

    Args:
        store: Where the project lives.
        project_id: The project.
        way: How documents are found; `Way.EXACT` withdraws what was decided before.
        rules: What is compared, by table, as proposed or a person's own.
        actor: Who decides.

    Raises:
        NotFound: There are no documents or records, or no such table.
        InvalidInput: A template cannot be used, or nothing would be matched.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    inputs = _required(store, project_id)
    proposal = _followed(store, inputs, way, rules)
    if way is not Way.EXACT and not proposal.matches:
        raise InvalidInput("No record gets a document in this way.", "Choose another way, or change its rule.")
    mapping = DocumentMapping(
        id=new_id("map"),
        project_id=project_id,
        way=way,
        rules=proposal.rules,
        matches=proposal.matches,
        records=proposal.records,
        matched=proposal.matched,
        database_id=inputs.database.id if inputs.database else "",
        database_fingerprint=inputs.database.fingerprint if inputs.database else "",
        corpus_id=inputs.corpus.id,
        corpus_fingerprint=inputs.corpus.fingerprint,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    detail = {"way": str(way), "rules": dict(mapping.rules), "records": mapping.records, "matched": mapping.matched}
    with store.write(actor, ACTION, project_id=project_id, subject=inputs.corpus.id, detail=detail) as connection:
        document_mappings.put(connection, mapping)
    return mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inputs:
    corpus: Source
    database: Source | None
    records: list[Records]
    needed: tuple[str, ...]


def _inputs(store: Store, project_id: str) -> _Inputs | None:
    with store.read() as connection:
        corpus = sources.latest(connection, project_id, SourceKind.CORPUS)
        database = sources.latest(connection, project_id, SourceKind.DATABASE)
        newest = newest_original(testsets.all(connection, project_id))
        gold_ids = dict.fromkeys(testsets.gold_ids(connection, newest.id)) if newest else {}
    if corpus is None:
        return None
    tables = {match.group(1): None for gold in gold_ids if (match := NAMESPACE.match(normalise_id(gold)))}
    if database is None:
        records = of_ids(gold_ids)
    else:
        with open_database(database) as opened:
            records = read(opened, tables)
    if not any(table.ids for table in records):
        return None
    return _Inputs(corpus=corpus, database=database, records=records, needed=tuple(tables))


def _not_counted(inputs: _Inputs, counted: Sequence[str]) -> dict[str, str]:
    """The tables whose records do not count, each with the reason; none where there is no database."""
    schema = inputs.database.schema if inputs.database else None
    others = [table for table in schema.without_views if table.name not in counted] if schema else []
    read_tables = {table.table for table in inputs.records}

    def why(table: Table) -> str:
        if table.association:
            return LINKS
        if not table.primary_key:
            return NO_KEY
        if inputs.needed:
            return NOT_NAMED
        return NO_WAY if table.name in read_tables else TOO_MANY

    return {table.name: why(table) for table in others}


def _required(store: Store, project_id: str) -> _Inputs:
    inputs = _inputs(store, project_id)
    if inputs is None:
        raise NotFound("There are no records or no documents to compare.", "Connect both on the Connect page.")
    return inputs


def _followed(store: Store, inputs: _Inputs, way: Way, rules: Mapping[str, str]) -> Proposal:
    with store.read() as connection:
        documents = sources.documents(connection, inputs.corpus.id)
    return follow(way, rules, inputs.records, documents, inputs.needed)


def _has(records: list[Records], table: str) -> bool:
    return any(one.table.casefold() == table.casefold() for one in records)
