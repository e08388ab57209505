"""The command that writes the validation report of a run, and the tests that continuous integration shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, Document, FailUnder, emit, missed_thresholds, progress_line, shown, tell
from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.report.render.junit import Check
    from core.store.database import Store

JUnit = Annotated[
    Path | None,
    typer.Option("--junit", metavar="F.xml", help="Cases and acceptance criteria as JUnit tests."),
]


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("report")(report)


def report(
    run: Annotated[str, typer.Option(metavar="RUN", help="A run's id, or its --out folder.")],
    out: Annotated[Path, typer.Option(metavar="F", help="The file: .html, .json, .pdf, .docx or .xlsx.")],
    calibration: Annotated[str, typer.Option(metavar="ID", help="A calibration of the run; its newest else.")] = "",
    against: Annotated[
        str, typer.Option(metavar="RUN", help="The earlier run to compare with; the newest of the same questions else.")
    ] = "",
    without: Annotated[str, typer.Option(metavar="A,B", help="Sections to leave out, such as safety,robustness.")] = "",
    date: Annotated[str, typer.Option(metavar="DATE", help="The date on the report; today else.")] = "",
    junit: JUnit = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Writes the validation report of a run: one offline HTML file, JSON, PDF, DOCX, or the cases as XLSX."""
    from core.cli import workspace
    from core.report.cases import case_rows
    from core.report.collecting import ReportOptions, collect
    from core.report.files import check_ending, report_bytes
    from core.report.record import digest

    ending = check_ending(out)
    off = frozenset(name.strip() for name in without.split(",") if name.strip())
    with workspace.opened(run) as (store, stored):
        options = ReportOptions(calibration_id=calibration, against=against, off=off, date=date)
        content = collect(store, stored.id, options, progress=progress_line())
        file = report_bytes(content, ending, lambda: case_rows(store, stored.id))
        write_file(out, file)
        if junit is not None:
            write_junit(store, stored.id, junit)
    verdicts = Counter(str(one["verdict"]) for one in content.figures["criteria"])
    document = {
        "path": str(out),
        "sha256": digest(file),
        "findings": [dict(finding) for finding in content.findings],
        "open_findings": content.figures["open_findings"],
        "open_findings_of_earlier_runs": content.figures["open_findings_of_earlier_runs"],
        "run": content.run_id,
        "date": content.date,
        "cases": content.figures["cases"],
        "accuracy": content.figures["accuracy"],
        "metrics": {name: one["mean"] for name, one in content.figures["metrics"].items()},
        "criteria": {
            "of": sum(verdicts.values()),
            "met": verdicts["met"],
            "not_met": verdicts["not met"],
            "cannot_tell": verdicts["cannot be told"],
            "share_met": verdicts["met"] / sum(verdicts.values()) if verdicts else None,
        },
    }
    lines = [
        f"{out}: {len(file):,} bytes, sha256 {document['sha256']}",
        f"accuracy {shown(content.figures['accuracy'])}; criteria met {verdicts['met']} of {sum(verdicts.values())}; "
        f"open findings {content.figures['open_findings']}, and {content.figures['open_findings_of_earlier_runs']} of "
        "earlier runs that were tested again",
    ]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def write_junit(store: Store, run_id: str, path: Path) -> None:
    """Writes the cases and the acceptance criteria of a run as JUnit XML."""
    from core.criteria.judging import criterion_results
    from core.report.cases import case_rows
    from core.report.collecting import criterion_json
    from core.report.masking import Masker
    from core.report.render.junit import as_junit
    from core.safety.service import options_of
    from core.store.results import runs

    with store.read() as connection:
        project_id = runs.get(connection, run_id).project_id
    masker = Masker(options_of(store, project_id).rules)
    criteria = [criterion_json(masker.safe, item) for item in criterion_results(store, run_id, seconds=None)]
    write_file(path, as_junit(run_id, case_rows(store, run_id), criteria))
    tell(f"Wrote {path}.")


def threshold_checks(document: Document, fail_under: Sequence[str] | None) -> list[Check]:
    """The thresholds of a command as tests."""
    from core.report.render.junit import FAILURE, PASSED, Check

    return [
        Check(name=threshold, of="thresholds", outcome=FAILURE if said else PASSED, message=said, type="missed")
        for threshold, said in missed_thresholds(document, fail_under).items()
    ]


def write_file(path: Path, data: bytes) -> None:
    """Writes a file as a whole: a reader sees the old one or the new one.

    Raises:
        InvalidInput: It cannot be written.
    """
    if path.parent != Path() and not path.parent.is_dir():
        raise InvalidInput(f"There is no folder {path.parent}.", "Make it first, or name another file.")
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror or error}.",
            "Check the path, its permissions and the space left, or name another file.",
        ) from error
