"""The command that compares two runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, emit, shown, tell
from core.cli.runs.report import threshold_checks, write_file

if TYPE_CHECKING:
    from core.comparison.pairs import Change
    from core.comparison.result import Comparison
    from core.domain.results.runs import Run
    from core.store.database import Store


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("compare")(compare)


def compare(
    run: Annotated[
        list[str],
        typer.Option(
            metavar="RUN",
            help="Give it twice: the run before and the run after a change; once more for each further run to compare "
            "with the first.",
        ),
    ],
    accept_differences: Annotated[
        bool,
        typer.Option(
            help="Compare although the test set or the judge differs; only cases with the same answers count then."
        ),
    ] = False,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="F.xml", help="Cases that became wrong, and thresholds, as JUnit tests."),
    ] = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Compares two runs case by case: did the change help, where, and in which module?"""
    from core.cli import workspace
    from core.domain.errors import InvalidInput
    from core.report.cases import case_rows
    from core.report.render.junit import changes_as_junit

    if len(run) < 2:
        raise InvalidInput("One run is given.", "Give two or more: --run A --run B.")
    if len(run) > 2:
        if junit is not None:
            raise InvalidInput(f"{len(run)} runs are given, and --junit is about two.", "Give two: --run A --run B.")
        document, lines = _several(run, accept=accept_differences)
        emit(document, as_json=as_json, lines=lines, fail_under=fail_under)
        return
    with workspace.opened(run[0]) as (store, first), workspace.opened(run[1]) as (other, second):
        comparison = _compared(store, first, other, second, accept=accept_differences)
        document = comparison.as_json()
        if junit is not None:
            thresholds = threshold_checks(document, fail_under)
            rows = case_rows(store, first.id), case_rows(other, second.id)
            write_file(junit, changes_as_junit(first.id, second.id, *rows, thresholds))
            tell(f"Wrote {junit}.")
    emit(document, as_json=as_json, lines=_lines(comparison), fail_under=fail_under)


def _compared(store: Store, first: Run, other: Store, second: Run, *, accept: bool) -> Comparison:
    from core.comparison.service import compare_runs
    from core.comparison.settings import OtherSettings
    from core.domain.errors import InvalidInput

    try:
        return compare_runs(store, first.id, second.id, other=other, accept=accept)
    except OtherSettings as error:
        raise InvalidInput(error.message, f"{error.hint} Here that is --accept-differences.") from error


def _several(names: list[str], *, accept: bool) -> tuple[dict[str, object], list[str]]:
    """Every further run against the first, the p-values of accuracy adjusted over the runs."""
    from core.cli import workspace
    from core.comparison.several import adjusted_over_runs
    from core.domain.errors import InvalidInput
    from core.domain.specs import bare_spec

    found = {}
    with workspace.opened(names[0]) as (store, first):
        for name in names[1:]:
            with workspace.opened(name) as (other, second):
                comparison = _compared(store, first, other, second, accept=accept)
                if second.id in found:
                    raise InvalidInput(f"Run {second.id} is given twice.", "Give each run once.")
                found[second.id] = (comparison, bare_spec(second.target))
    changes = adjusted_over_runs([comparison.accuracy for comparison, _ in found.values()])
    document: dict[str, object] = {
        "a": first.id,
        "comparisons": {
            run_id: {**comparison.as_json(), "p_adjusted_over_runs": change.p_adjusted}
            for (run_id, (comparison, _)), change in zip(found.items(), changes, strict=True)
        },
    }
    lines = [f"Every run against {first.id} ({bare_spec(first.target)}); p adjusted over {len(found)} runs"]
    for (run_id, (comparison, target)), change in zip(found.items(), changes, strict=True):
        lines.append(f"{run_id} ({target}): {_line(change)}")
        lines.append(f"  became right {len(comparison.fixed):,}, became wrong {len(comparison.broken):,}")
        lines += [f"  {_line(module, 'module ')}" for module in comparison.modules]
    return document, lines


def _lines(comparison: Comparison) -> list[str]:
    lines = [comparison.conclusion, f"{comparison.cases:,} cases in both runs, {comparison.left_out:,} left out"]
    lines += [f"differs: {one.name}: {one.before} -> {one.after}" for one in comparison.settings]
    lines.append(
        f"fixed {shown(comparison.fixed_share)} of the wrong, broken {shown(comparison.broken_share)} of the right"
    )
    if comparison.noise is None:
        lines.append(f"noise not measured: {comparison.no_noise}")
    else:
        lines.append(f"noise: {shown(comparison.noise)} of the verdicts differ between repeated runs")
    lines += [_line(change) for change in (comparison.accuracy, *comparison.metrics)]
    lines += [_line(change, "module ") for change in comparison.modules]
    return lines


def _line(change: Change, lead: str = "") -> str:
    difference = change.difference
    if difference.value is None or change.before is None or change.after is None:
        return f"{lead}{change.name}: scored in no case of both runs"
    ends = "" if difference.low is None else f" [{difference.low:+.3f}, {difference.high:+.3f}]"
    p = "" if change.p_adjusted is None else f", adjusted p = {change.p_adjusted:.3g}"
    return (
        f"{lead}{change.name}: {change.before:.3f} -> {change.after:.3f}, {difference.value:+.3f}{ends}"
        f" (n = {difference.n:,}){p}"
    )
