"""Documents made from the project's database and stored as its corpus: here, or as a job that can be resumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice

from core.domain.errors import InvalidInput, LimitExceeded, Stopped
from core.domain.identity import content_hash, new_id
from core.domain.sources.document_ids import normalise_id
from core.domain.sources.documents import Corpus, Document, SkippedFile
from core.domain.sources.projects import Role, Source, SourceKind
from core.domain.sources.schema import Schema
from core.jobs import Job, JobContext, job, start
from core.knowledge.exporting import file_name
from core.knowledge.fluent import PROMPT, Writer, Written, require_consent, write_all
from core.knowledge.records import Record, read_records, writable_tables
from core.knowledge.sentences import rule_text
from core.llm import Limits, load_prompt, open_chat
from core.net.gate.refusals import recorded
from core.project.service import require
from core.sources.corpora import CUT
from core.sources.service import open_database, project_database
from core.store import sources
from core.store.database import Store
from core.store.trail import audit_details

KIND = "build_knowledge"
ACTION = "corpus.build"
METHODS = ("rules", "llm")
BUILT = "built:"
"""What the location of a corpus begins with that was made from a database; the database's id follows."""

MAX_DOCUMENTS = 200_000
"""The targets that search the documents hold them in memory."""

KEPT_REASONS = 200
"""Fallbacks listed one by one; the others are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What is to be built.

    Attributes:
        method: ``"rules"`` or ``"llm"``.
        tables: Their names; none for every table that can be made into documents.
        per_table: The most rows of each table, None for all.
        model: ``MODEL@BASE_URL``, for ``"llm"``.
        send_rows: A person's consent to send the rows to that model.
        limits: The spending limits for that model.
    """

    method: str = "rules"
    tables: tuple[str, ...] = ()
    per_table: int | None = None
    model: str = ""
    send_rows: bool = False
    limits: Limits = field(default_factory=Limits)

    def check(self) -> None:
        """Refuses what cannot be built.

        Raises:
            InvalidInput: A method of another name, no model, or no row.
            Forbidden: A model is to write and there is no consent to send it rows.
        """
        if self.method not in METHODS:
            raise InvalidInput(f"The method is {self.method!r}.", f"Choose one of: {', '.join(METHODS)}.")
        if self.per_table is not None and self.per_table < 1:
            raise InvalidInput(f"The most rows of a table cannot be {self.per_table}.", "Give 1 or more.")
        if self.method == "llm":
            require_consent(self.send_rows)
            if not self.model.strip():
                raise InvalidInput("No model is named.", "Name it as MODEL@BASE_URL.")

    @classmethod
    def of(cls, params: Mapping[str, object]) -> Build:
        """The build that a job's parameters describe."""
        tables, most = params.get("tables"), params.get("per_table")
        return cls(
            method=str(params.get("method", "rules")),
            tables=tuple(map(str, tables)) if isinstance(tables, list | tuple) else (),
            per_table=None if most is None else int(str(most)),
            model=str(params.get("model", "")),
            send_rows=params.get("send_rows") is True,
            limits=Limits.of(params),
        )

    def as_params(self) -> dict[str, object]:
        """Plain JSON, for a job and for the audit trail."""
        return {
            "method": self.method,
            "tables": list(self.tables),
            "per_table": self.per_table,
            "model": self.model,
            "send_rows": self.send_rows,
            **self.limits.as_params(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """The result of a build.

    Attributes:
        build: The build requested.
        documents: How many documents there are.
        writers: How many of them each writer wrote.
        fallbacks: Id and reason of the documents where the model failed and the rule text was used; the first
            `KEPT_REASONS` of them.
        prompt: Id, version and hash of the model's prompt; empty for rules.
    """

    build: Build
    documents: int
    writers: Mapping[str, int]
    fallbacks: tuple[tuple[str, str], ...] = ()
    prompt: Mapping[str, str] = field(default_factory=dict)

    def as_detail(self) -> dict[str, object]:
        """Plain JSON, for the audit trail."""
        return {
            **self.build.as_params(),
            "documents": self.documents,
            "writers": dict(self.writers),
            "fallbacks": [list(item) for item in self.fallbacks],
            "prompt": dict(self.prompt),
        }


def preview_documents(store: Store, project_id: str, build: Build, *, actor: str, n: int = 3) -> tuple[Written, ...]:
    """The first documents of a build, from different tables where there are several; nothing is stored.

    Raises:
        NotFound: No database is connected.
        InvalidInput: The build cannot be made.
        Forbidden: The actor may not change the project, or there is no consent to send rows to the model.
        NothingAnswered: The model gave no usable reply at all.
    """
    build.check()
    require(store, project_id, actor, Role.VALIDATOR)
    records = first_records(store, project_id, build, n)
    return tuple(_texts(store, project_id, build, iter(records), lambda: False)[0])


def first_records(store: Store, project_id: str, build: Build, n: int) -> list[Record]:
    """The first rows of a build, from different tables where there are several.

    Raises:
        NotFound: No database is connected, or it has no such table.
    """
    with open_database(project_database(store, project_id)) as database:
        tables = build.tables or writable_tables(database.schema)[0]
        by_turn: list[list[Record]] = [[] for _ in range(n)]
        counts: Counter[str] = Counter()
        for record in read_records(database, tables, per_table=n):
            by_turn[counts[record.table]].append(record)
            counts[record.table] += 1
        return list(islice((record for turn in by_turn for record in turn), n))


def build_documents(
    store: Store,
    project_id: str,
    build: Build,
    *,
    actor: str,
    source_id: str = "",
    job_id: str = "",
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[Source, BuildResult]:
    """Writes a document for each row of the chosen tables and makes them the project's corpus.

    The database is read with one query per table. Equal databases give equal documents, byte for byte, where rules
    write them. A model's replies are in the ledger, so that a resumed build repeats no request.

    Args:
        store: Where the project lives.
        project_id: The project.
        build: What to build.
        actor: Who does it.
        source_id: The id the corpus gets; an existing corpus is returned unchanged, so that a build that was killed
            after its last write is not repeated.
        job_id: The job that builds, whose spending counts towards the budget; without one the count begins here.
        progress: Called with the stage, the documents written and how many there will be.
        should_stop: Called before each document.

    Raises:
        Stopped: A stop was requested; no corpus is stored.
        NothingAnswered: The model gave no usable reply at all; no corpus is stored.
        BudgetSpent: The budget is used up; no corpus is stored, and what was written is in the ledger.
        InvalidInput: The build cannot be made, or no row made a document.
        Forbidden: The actor may not change the project, or there is no consent to send rows to the model.
        NotFound: No database is connected, or it has no such table.
        LimitExceeded: There are more rows than a corpus may have.
    """
    build.check()
    require(store, project_id, actor, Role.VALIDATOR)
    with store.read() as connection:
        existing = next((source for source in sources.all(connection, project_id) if source.id == source_id), None)
    if existing is not None and (existing_result := build_result(store, existing)) is not None:
        return existing, existing_result
    database_source = project_database(store, project_id)
    with open_database(database_source) as database:
        total = expected_documents(database.schema, build)
        if total > MAX_DOCUMENTS:
            raise LimitExceeded(
                f"That makes about {total:,} documents, and a corpus holds at most {MAX_DOCUMENTS:,}.",
                "Choose fewer tables, or limit the rows of each table.",
            )
        records = read_records(database, build.tables, per_table=build.per_table)
        writing, prompt = _texts(store, project_id, build, records, should_stop, job_id)
        texts: list[Written] = []
        progress("Writing documents", 0, total)
        for item in writing:
            texts.append(item)
            progress("Writing documents", len(texts), max(total, len(texts)))
        unfit = writable_tables(database.schema)[1] if not build.tables else ()
    if should_stop():
        raise Stopped(f"The build was stopped after {len(texts):,} documents.", "Resume it.")
    corpus = corpus_of(texts, [SkippedFile(path=table.table, reason=table.reason) for table in unfit])
    if not corpus.documents:
        raise InvalidInput("The chosen tables have no row.", "Choose tables with rows.")
    source = Source(
        id=source_id or new_id("src"),
        project_id=project_id,
        kind=SourceKind.CORPUS,
        name=f"Documents from {database_source.name}",
        location=f"{BUILT}{database_source.id}",
        fingerprint=corpus.fingerprint,
        loaded_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    fallen = [(item.record.document_id, item.reason) for item in texts if item.reason]
    result = BuildResult(
        build=build,
        documents=len(corpus.documents),
        writers=dict(Counter(str(item.writer) for item in texts)),
        fallbacks=tuple(fallen[:KEPT_REASONS]),
        prompt=prompt,
    )
    progress("Storing documents", 0, len(corpus.documents))
    with store.write(actor, ACTION, project_id=project_id, subject=source.id, detail=result.as_detail()) as connection:
        sources.put(connection, source)
        sources.put_documents(connection, source.id, corpus)
    return source, result


def expected_documents(schema: Schema, build: Build) -> int:
    """About how many documents a build makes, from the rows counted when the database was connected."""
    names = {schema.table(name).name for name in build.tables} or set(writable_tables(schema)[0])
    alone = len(names) == 1
    rows = [table.rows for table in schema.tables if table.name in names and (alone or not table.association)]
    return sum(count if build.per_table is None else min(count, build.per_table) for count in rows)


def is_built(source: Source) -> bool:
    """Whether a corpus was made from a database, not loaded from files."""
    return source.kind is SourceKind.CORPUS and source.location.startswith(BUILT)


def build_result(store: Store, source: Source) -> BuildResult | None:
    """How a corpus was built, from the audit trail; None for a corpus that was loaded from files."""
    if not is_built(source):
        return None
    source_id = source.id
    with store.read() as connection:
        detail = audit_details.latest(connection, ACTION, source.id)
        while detail is None and (cut := audit_details.latest(connection, CUT, source_id)):
            source_id = str(cut["of"])  # the same documents, cut anew: they were built with the corpus before
            detail = audit_details.latest(connection, ACTION, source_id)
    if detail is None:
        return None
    writers, fallbacks, prompt = detail.get("writers"), detail.get("fallbacks"), detail.get("prompt")
    return BuildResult(
        build=Build.of(detail),
        documents=int(str(detail.get("documents", 0))),
        writers={str(name): int(n) for name, n in writers.items()} if isinstance(writers, dict) else {},
        fallbacks=tuple((str(item[0]), str(item[1])) for item in fallbacks) if isinstance(fallbacks, list) else (),
        prompt={str(name): str(value) for name, value in prompt.items()} if isinstance(prompt, dict) else {},
    )


def start_documents(store: Store, project_id: str, build: Build, *, actor: str) -> Job:
    """Starts a worker that builds the documents; the id the corpus will have is the job's ``source_id`` parameter.

    Raises:
        InvalidInput: The build cannot be made, its model cannot be opened, or there is a budget in money and no price
            of it.
        Forbidden: The actor may not change the project, or there is no consent to send rows to the model.
        NotFound: No database is connected.
    """
    build.check()
    require(store, project_id, actor, Role.VALIDATOR)
    project_database(store, project_id)
    if build.method == "llm":
        with recorded(store, project_id, actor):
            open_chat(store, project_id, build.model, budget=build.limits.budget(store))
    params = {**build.as_params(), "source_id": new_id("src")}
    return start(store, project_id=project_id, kind=KIND, params=params, actor=actor, subject=str(params["source_id"]))


@job(KIND)
def build_job(context: JobContext) -> bool:
    """Builds the documents that the job's parameters describe; whether it is done."""
    try:
        build_documents(
            context.store,
            context.job.project_id,
            Build.of(context.params),
            actor=context.actor,
            source_id=str(context.params["source_id"]),
            job_id=context.job.id,
            progress=context.progress,
            should_stop=context.should_stop,
        )
    except Stopped:
        return False
    return True


def _texts(
    store: Store,
    project_id: str,
    build: Build,
    records: Iterator[Record],
    should_stop: Callable[[], bool],
    job_id: str = "",
) -> tuple[Iterator[Written], dict[str, str]]:
    if build.method == "rules":
        return _by_rules(records, should_stop), {}
    budget = build.limits.budget(store, job_id=job_id)
    chat = open_chat(store, project_id, build.model, job_id=job_id, budget=budget)
    prompt = load_prompt(PROMPT, variant=chat.prompts, store=store, project_id=project_id)
    made_by = {"id": prompt.ref.id, "version": prompt.ref.version, "hash": prompt.ref.hash}
    return write_all(records, chat, prompt, send_rows=build.send_rows, should_stop=should_stop), made_by


def _by_rules(records: Iterator[Record], should_stop: Callable[[], bool]) -> Iterator[Written]:
    for record in records:
        if should_stop():
            return
        yield Written(record=record, text=rule_text(record), writer=Writer.RULES)


def corpus_of(texts: Sequence[Written], skipped: list[SkippedFile]) -> Corpus:
    """The documents in their order; a later one with an id in use is left out and listed among the skipped."""
    used_ids: set[str] = set()
    documents: list[Document] = []
    for item in texts:
        document_id = item.record.document_id
        if normalise_id(document_id) in used_ids:
            skipped.append(SkippedFile(path=document_id, reason="another row has the same id"))
            continue
        used_ids.add(normalise_id(document_id))
        documents.append(
            Document(
                id=document_id,
                title=item.record.label,
                text=item.text,
                path=file_name(document_id),
                format=str(item.writer),
                sha256=sha256(item.text.encode()).hexdigest(),
            )
        )
    return Corpus(
        documents=tuple(documents),
        skipped=tuple(skipped),
        fingerprint=content_hash([[document.id, document.text] for document in documents]),
    )
