"""A database made of CSV files and workbooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import AsJson, emit
from core.domain.errors import InvalidInput, UnreadableFile


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("make-database")(make_database)


def make_database(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="CSV files, workbooks, or folders of them.")],
    out: Annotated[Path | None, typer.Option(help="SQLite file to be made; without it only the plan is shown.")] = None,
    plan_out: Annotated[
        Path | None, typer.Option("--plan-out", help="CSV file for the types and keys that were guessed.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option(help="Such a file after a person looked at it: its types and keys are used.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Makes a database of CSV files or workbooks: types and keys are guessed, and a person can change them."""
    from core.sources.database.files.building import FilesDatabase
    from core.sources.database.files.plan import changed, plan_csv, plan_rows, read_plan

    if out is not None and out.exists():
        raise InvalidInput(f"{out} exists already.", "Name a new file, or remove that one.")
    with FilesDatabase() as database:
        tables = database.read(_contents(files))
        if plan is not None:
            tables = changed(tables, read_plan(_text(plan)))
        if plan_out is not None:
            try:
                plan_out.write_text(plan_csv(tables), encoding="utf-8")
            except OSError as error:
                raise InvalidInput(
                    f"{plan_out} cannot be written: {error.strerror}.", "Choose another file."
                ) from error
        if out is not None:
            database.write(out, tables)
        left_out = [{"name": file.name, "reason": file.reason} for file in database.left_out]
    document = {
        "tables": [
            {"name": table.name, "file": table.file, "rows": table.rows, "notes": table.notes} for table in tables
        ],
        "columns": plan_rows(tables),
        "left_out": left_out,
        "path": str(out) if out else None,
    }
    lines = []
    for table in tables:
        lines.append(f"{table.name}: {table.rows:,} rows from {table.file}")
        lines += [f"  note: {note}" for note in table.notes]
        for column in table.columns:
            key = ", key" if column.key else ""
            points = f", points to {column.points_to}" if column.points_to else ""
            note = f" (look at it: {column.note})" if column.note else ""
            lines.append(f"  {column.header}: {column.kind}{key}{points}{note}")
    lines += [f"{file['name']} is left out: {file['reason']}" for file in left_out]
    if out is not None:
        lines.append(f"The database is {out}; use it as --db sqlite:///{out}")
    emit(document, as_json=as_json, lines=lines)


def _contents(paths: list[Path]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The files of the paths, and those of folders, in the order of their names."""
    for path in paths:
        if not path.exists():
            raise UnreadableFile(f"There is no file or folder {path}.", "Check the path.")
        for file in sorted(item for item in path.iterdir() if item.is_file()) if path.is_dir() else [path]:
            yield file.name, lambda file=file: _bytes(file)  # type: ignore[misc]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise UnreadableFile(f"The plan {path} cannot be read: {error}.", "Give the file that was written.") from error
