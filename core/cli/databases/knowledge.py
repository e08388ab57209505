"""The command that writes documents from the rows of a database (GRAMMAR, appendix H)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.databases.commands import BudgetCalls, Database, Model, Semantic, by_model, connected
from core.cli.models.endpoints import Access, model_at, with_endpoint
from core.cli.output import AsJson, FailUnder, PromptKind, emit, one_of, progress_line, tell
from core.domain.errors import Forbidden, InvalidInput

if TYPE_CHECKING:
    from core.knowledge.fluent import Written
    from core.knowledge.records import Record
    from core.sources.database import DatabaseSource

SHOWN = 20
"""Tables and rows without a document that are printed; JSON has all."""
CONSENT = (
    "Writing documents with a language model sends the rows of the database to it.",
    "Add --send-rows if that service may see them, or write them by rules, which sends nothing.",
)


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("knowledge")(knowledge)


@with_endpoint
def knowledge(
    db: Database,
    access: Access,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="New folder for the documents.")],
    generator: Annotated[str, typer.Option(help="rules or llm")] = "rules",
    table: Annotated[list[str] | None, typer.Option("--table", help="Only rows of this table; repeatable.")] = None,
    per_table: Annotated[
        int | None, typer.Option("--per-table", min=1, help="Largest number of rows of each table, the first by key.")
    ] = None,
    ending: Annotated[str, typer.Option("--format", help="txt or md")] = "txt",
    model: Model = "",
    send_rows: Annotated[
        bool, typer.Option("--send-rows", help="Agree that rows are sent to the model of --generator llm.")
    ] = False,
    prompts: PromptKind = "auto",
    budget_calls: BudgetCalls = None,
    semantic: Semantic = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Writes a document for each row of a database, so that a system can be tested where only a database exists.

    Each is named as test cases look for it, table:key. Rules write one sentence for each fact and send nothing; a model
    is sent the rows, and every fact is checked to be in its text.
    """
    from core.domain.sources.documents import SkippedFile
    from core.knowledge.building import MAX_DOCUMENTS, Build, corpus_of, expected_documents
    from core.knowledge.exporting import ENDINGS, write_folder
    from core.knowledge.records import read_records, writable_tables

    ending = one_of("--format", ending, ENDINGS)
    fluent = by_model(generator, "rules", model)
    if fluent and not send_rows:
        raise Forbidden(*CONSENT)
    with connected(db, semantic) as source:
        tables = tuple(table or ())
        fit, unfit = writable_tables(source.schema)
        if not (tables or fit):
            reasons = "; ".join(f"{item.table}: {item.reason}" for item in unfit)
            raise InvalidInput(f"No table can be made into documents. {reasons}.", "Connect a database with keys.")
        total = expected_documents(source.schema, Build(tables=tables, per_table=per_table))
        if total > MAX_DOCUMENTS:
            raise InvalidInput(
                f"That makes about {total:,} documents, and a corpus holds at most {MAX_DOCUMENTS:,}.",
                "Name tables with --table, or give --per-table.",
            )
        records = read_records(source, tables, per_table=per_table)
        texts: list[Written] = []
        progress = progress_line()
        for item in _written(source, records, model if fluent else "", access, prompts, budget_calls):
            texts.append(item)
            progress("Writing documents", len(texts), max(total, len(texts)))
    corpus = corpus_of(texts, [SkippedFile(path=item.table, reason=item.reason) for item in ([] if tables else unfit)])
    if not corpus.documents:
        raise InvalidInput("The tables have no row.", "Choose tables with rows.")
    removed = write_folder(corpus.documents, out, ending)
    if removed:
        tell(f"{removed:,} files of an earlier call, whose rows are gone, were removed from {out}.")
    kept = {document.id for document in corpus.documents}
    facts = sum(len(item.record.facts) for item in texts if item.record.document_id in kept)
    fallen = [{"document": item.record.document_id, "reason": item.reason} for item in texts if item.reason]
    document = {
        "documents": len(corpus.documents),
        "facts": facts,
        "without_document": [{"name": item.path, "reason": item.reason} for item in corpus.skipped],
        "tables": dict(Counter(item.record.table for item in texts)),
        "writers": dict(Counter(str(item.writer) for item in texts)),
        "fallbacks": fallen,
        "fingerprint": corpus.fingerprint,
        "path": str(out),
    }
    lines = [
        f"{len(corpus.documents):,} documents with {facts:,} facts in {out}",
        *(f"  {name}: {count:,}" for name, count in Counter(item.record.table for item in texts).items()),
        *(f"  without a document: {item.path}: {item.reason}" for item in corpus.skipped[:SHOWN]),
        *(f"  by rules instead: {item['document']}: {item['reason']}" for item in fallen[:SHOWN]),
    ]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def _written(
    source: DatabaseSource,
    records: Iterator[Record],
    model: str,
    access: Access,
    prompts: str,
    budget_calls: int | None,
) -> Iterator[Written]:
    """The texts of records, by rules or by a model whose replies are kept in the default store."""
    from core.knowledge.fluent import PROMPT, Writer, Written, write_all
    from core.knowledge.sentences import rule_text

    if not model:
        for record in records:
            yield Written(record=record, text=rule_text(record), writer=Writer.RULES)
        return
    from core.llm import Limits, load_prompt, open_chat
    from core.llm.variants import asked_variant
    from core.settings import settings
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        named, endpoint = model_at(access, store, model)
        budget = Limits(calls=budget_calls).budget(store)
        chat = open_chat(store, "", named, budget=budget, endpoint=endpoint, prompts=asked_variant(prompts))
        yield from write_all(records, chat, load_prompt(PROMPT, variant=chat.prompts), send_rows=True)
