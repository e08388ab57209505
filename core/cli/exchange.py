"""Commands that read other tools' files and write a run for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, emit

if TYPE_CHECKING:
    from core.interchange.exchange_reading import Imported
    from core.store.database import Store

DEFAULT_PROJECT = "Imported"
MOST_ENABLED = 4


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("import")(import_file)
    app.command("export")(export_run)


def import_file(
    file: Annotated[
        Path, typer.Argument(metavar="F", help="JSON lines, JSON, CSV, TSV, Parquet; TruLens also SQLite.")
    ],
    name: Annotated[
        str, typer.Option("--format", metavar="NAME", help="auto, or the tool: ragas, deepeval ...")
    ] = "auto",
    overrules: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="COLUMN=FIELD", help="What a column becomes, such as passages=contexts."),
    ] = None,
    lists: Annotated[str, typer.Option(metavar="HOW", help="Lists in cells: auto, none, or the delimiter.")] = "auto",
    model: Annotated[str, typer.Option(metavar="ID", help="Whose answers, where a file has those of several.")] = "",
    project: Annotated[
        str, typer.Option(metavar="NAME", help="A project's name or id; one that is not there is made.")
    ] = DEFAULT_PROJECT,
    title: Annotated[str, typer.Option("--name", metavar="TEXT", help="Of the test set; the file's by default.")] = "",
    judge: Annotated[
        str, typer.Option(metavar="SPEC", help="Judges answers that came without a verdict, such as match.")
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read, map and check; store nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Imports another tool's file as a frozen test set and a finished run, its scores under the tool's name."""
    from core.interchange.exchange_import import import_exchange
    from core.interchange.exchange_reading import read_exchange
    from core.settings import settings
    from core.store.database import Store

    found = read_exchange(file, name, overrules=_overrules(overrules or ()), lists=lists, model=model)
    document: dict[str, object] = {
        "rows": len(found.records),
        "format": found.spec.name,
        "confidence": found.detected.confidence,
        "why": found.detected.why,
        "mapped": found.mapped,
        "ignored": list(found.ignored),
        "ignored_because": dict(found.ignored),
        "lists": {one.mapped.column: one.read_as for one in found.columns if one.read_as},
        "enables": {one.mapped.column: list(one.enables) for one in found.columns if one.enables},
        "metrics": list(found.metrics),
        "notes": list(found.notes),
    }
    lines = _lines(found)
    if dry_run:
        emit(document, as_json=as_json, lines=[*lines, "Nothing was stored."])
        return
    actor = settings().actor
    with Store.open(settings().database_url) as store:
        project_id = _project(store, project, actor)
        made = import_exchange(store, project_id, found, actor=actor, name=title, judge=judge)
    document |= {
        "run": made.run.id if made.run else None,
        "testset": made.test_set_id,
        "project": project_id,
        "judged": made.judged,
        "scored": dict(made.scores),
    }
    if made.run is None:
        lines.append(f"No row has an answer: test set {made.test_set_id} with {made.rows:,} cases, ready to be run.")
    else:
        lines.append(f"Run {made.run.id}: {made.rows:,} cases, {made.judged:,} judged.")
        if not made.judged and any(one.case.reference_answers for one in found.records) and not judge:
            lines.append("The file holds no verdict; --judge match judges its answers by rules.")
    emit(document, as_json=as_json, lines=lines)


def export_run(
    file: Annotated[Path, typer.Argument(metavar="F", help="Where to; its ending decides between the format's kinds.")],
    name: Annotated[str, typer.Option("--format", metavar="NAME", help="The tool: ragas, deepeval, grouse ...")],
    run: Annotated[str, typer.Option(metavar="RUN", help="A run's id, or its --out folder.")],
    as_json: AsJson = False,
) -> None:
    """Writes a run in another tool's format, with our fields and scores beside what the tool has names for."""
    from core.cli.workspace import opened
    from core.interchange.exchange_export import export_exchange
    from core.settings import settings

    with opened(run) as (store, known):
        made = export_exchange(store, known.id, file, name, actor=settings().actor)
    document = {
        "rows": made.rows,
        "format": name,
        "run": known.id,
        "path": str(made.path),
        "mapped": dict(made.mapped),
        "ignored": list(made.ignored),
        "ignored_because": dict(made.ignored),
    }
    width = max(map(len, made.mapped), default=0)
    lines = [f"{made.rows:,} answers written to {made.path}."]
    lines += [f"  {ours:<{width}}  as {theirs}" for ours, theirs in made.mapped.items()]
    lines += [f"  left out: {what}: {why}" for what, why in made.ignored.items()]
    emit(document, as_json=as_json, lines=lines)


def _overrules(given: Sequence[str]) -> dict[str, str]:
    """``column=field`` pairs; a column's name may hold an equals sign.

    Raises:
        InvalidInput: One is none, or two are about one column.
    """
    from core.domain.errors import InvalidInput

    found: dict[str, str] = {}
    for pair in given:
        column, parted, wanted = pair.rpartition("=")
        if not parted or not column.strip() or not wanted.strip():
            raise InvalidInput(f"--map {pair!r} is not COLUMN=FIELD.", "Write for example passages=contexts.")
        if column.strip() in found:
            raise InvalidInput(f"--map names the column {column.strip()!r} twice.", "Map each column once.")
        found[column.strip()] = wanted.strip()
    return found


def _project(store: Store, name: str, actor: str) -> str:
    """The project of that id or name; made where there is none."""
    from core.project.service import create_project
    from core.store import projects

    with store.read() as connection:
        known = projects.all(connection)
    found = next((one for one in known if name.strip() in (one.id, one.name)), None)
    return found.id if found is not None else create_project(store, name, actor).id


def _lines(found: Imported) -> list[str]:
    lines = [f"{found.spec.title}: {found.detected.why} {len(found.records):,} rows."]
    width = max(len(one.mapped.column) for one in found.columns)
    for one in found.columns:
        mapped = one.mapped
        said = f"ignored: {mapped.why}" if mapped.ours == "ignored" else mapped.ours
        read = f", read as {one.read_as}" if one.read_as else ""
        more = f" and {len(one.enables) - MOST_ENABLED} more" if len(one.enables) > MOST_ENABLED else ""
        enables = f", enables {', '.join(one.enables[:MOST_ENABLED])}{more}" if one.enables else ""
        lines.append(f"  {mapped.column:<{width}}  {said}{read}{enables}")
    return [*lines, *found.notes]
