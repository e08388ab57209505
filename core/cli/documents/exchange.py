"""Commands that read other tools' files and write a run for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, emit, ignored_keys

if TYPE_CHECKING:
    from core.runs.exchange.reading import Imported
    from core.store.database import Store

DEFAULT_PROJECT = "Imported"
MOST_ENABLED = 4


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("import")(import_file)
    app.command("export")(export_run)


def import_file(
    file: Annotated[
        Path, typer.Argument(metavar="F", help="JSON lines, JSON, CSV, TSV, Parquet, XLSX; TruLens also SQLite.")
    ],
    name: Annotated[
        str, typer.Option("--format", metavar="NAME", help="auto, or the tool: ragas, deepeval ...")
    ] = "auto",
    overrules: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="COLUMN=FIELD", help="Field that a column becomes, such as passages=contexts."),
    ] = None,
    lists: Annotated[str, typer.Option(metavar="HOW", help="Lists in cells: auto, none, or the delimiter.")] = "auto",
    model: Annotated[str, typer.Option(metavar="ID", help="The model, if the file has answers of several.")] = "",
    project: Annotated[
        str, typer.Option(metavar="NAME", help="A project's name or id; it is created if missing.")
    ] = DEFAULT_PROJECT,
    title: Annotated[
        str, typer.Option("--name", metavar="TEXT", help="Name of the test set; the file's name by default.")
    ] = "",
    judge: Annotated[str, typer.Option(metavar="SPEC", help="Judge of answers without a verdict, such as match.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read, map and check; store nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Imports another tool's file as a frozen test set and a finished run, its scores under the tool's name."""
    from core.runs.exchange.importing import import_exchange
    from core.runs.exchange.reading import read_exchange
    from core.settings import settings
    from core.store.database import Store

    imported = read_exchange(file, name, overrules=_overrules(overrules or ()), lists=lists, model=model)
    document: dict[str, object] = {
        "rows": len(imported.records),
        "format": imported.spec.name,
        "confidence": imported.detected.confidence,
        "why": imported.detected.why,
        "mapped": imported.mapped,
        **ignored_keys(imported.ignored),
        "lists": {item.mapped.column: item.read_as for item in imported.columns if item.read_as},
        "enables": {item.mapped.column: list(item.enables) for item in imported.columns if item.enables},
        "metrics": list(imported.metrics),
        "notes": list(imported.notes),
    }
    lines = _lines(imported)
    if dry_run:
        emit(document, as_json=as_json, lines=[*lines, "Nothing was stored."])
        return
    actor = settings().actor
    with Store.open(settings().database_url) as store:
        project_id = _project(store, project, actor)
        stored = import_exchange(store, project_id, imported, actor=actor, name=title, judge=judge)
    document |= {
        "run": stored.run.id if stored.run else None,
        "testset": stored.test_set_id,
        "project": project_id,
        "judged": stored.judged,
        "scored": dict(stored.scores),
    }
    if stored.run is None:
        lines.append(
            f"No row has an answer: test set {stored.test_set_id} with {stored.rows:,} cases, ready to be run."
        )
    else:
        lines.append(f"Run {stored.run.id}: {stored.rows:,} cases, {stored.judged:,} judged.")
        if not stored.judged and any(item.case.reference_answers for item in imported.records) and not judge:
            lines.append("The file holds no verdict; --judge match judges its answers by rules.")
    emit(document, as_json=as_json, lines=lines)


def export_run(
    file: Annotated[Path, typer.Argument(metavar="F", help="File to write; its ending selects the file type.")],
    name: Annotated[str, typer.Option("--format", metavar="NAME", help="The tool: ragas, deepeval, grouse ...")],
    run: Annotated[str, typer.Option(metavar="RUN", help="A run's id, or its --out folder.")],
    as_json: AsJson = False,
) -> None:
    """Writes a run in another tool's format, with our fields and scores beside what the tool has names for."""
    from core.cli.models.judge_trust import trusts_of
    from core.cli.workspace import opened
    from core.judges.unit_tests.gate import trust_marks
    from core.runs.exchange.exporting import export_exchange
    from core.settings import settings

    with opened(run) as (store, stored):
        marks = trust_marks(trusts_of(store, stored))
        exported = export_exchange(store, stored.id, file, name, actor=settings().actor, marks=marks)
    document = {
        "rows": exported.rows,
        "format": name,
        "run": stored.id,
        "path": str(exported.path),
        "mapped": dict(exported.mapped),
        **ignored_keys(exported.ignored),
    }
    width = max(map(len, exported.mapped), default=0)
    lines = [f"{exported.rows:,} answers written to {exported.path}."]
    lines += [f"  {ours:<{width}}  as {theirs}" for ours, theirs in exported.mapped.items()]
    lines += [f"  left out: {what}: {why}" for what, why in exported.ignored.items()]
    emit(document, as_json=as_json, lines=lines)


def _overrules(pairs: Sequence[str]) -> dict[str, str]:
    """``column=field`` pairs; a column's name may hold an equals sign.

    Raises:
        InvalidInput: One is none, or two are about one column.
    """
    from core.domain.errors import InvalidInput

    fields: dict[str, str] = {}
    for pair in pairs:
        column, parted, field = pair.rpartition("=")
        if not parted or not column.strip() or not field.strip():
            raise InvalidInput(f"--map {pair!r} is not COLUMN=FIELD.", "Write for example passages=contexts.")
        if column.strip() in fields:
            raise InvalidInput(f"--map names the column {column.strip()!r} twice.", "Map each column once.")
        fields[column.strip()] = field.strip()
    return fields


def _project(store: Store, name: str, actor: str) -> str:
    """The project of that id or name; made where there is none."""
    from core.project.service import create_project
    from core.store import projects

    with store.read() as connection:
        existing = projects.all(connection)
    match = next((candidate for candidate in existing if name.strip() in (candidate.id, candidate.name)), None)
    return match.id if match is not None else create_project(store, name, actor).id


def _lines(imported: Imported) -> list[str]:
    lines = [f"{imported.spec.title}: {imported.detected.why} {len(imported.records):,} rows."]
    width = max(len(column.mapped.column) for column in imported.columns)
    for column in imported.columns:
        mapped = column.mapped
        meaning = f"ignored: {mapped.why}" if mapped.ours == "ignored" else mapped.ours
        read = f", read as {column.read_as}" if column.read_as else ""
        more = f" and {len(column.enables) - MOST_ENABLED} more" if len(column.enables) > MOST_ENABLED else ""
        enables = f", enables {', '.join(column.enables[:MOST_ENABLED])}{more}" if column.enables else ""
        lines.append(f"  {mapped.column:<{width}}  {meaning}{read}{enables}")
    return [*lines, *imported.notes]
