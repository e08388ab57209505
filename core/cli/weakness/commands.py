"""The command weakness: which levels, cells and slices of a run or of a file of scores are weak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.models.judge_trust import judge_line, score_document
from core.cli.output import MISSED, AsJson, FailUnder, Seed, emit, ignored_keys, tell
from core.cli.weakness.cases import Cases, FileColumns, WeaknessRequest, of_file, of_run
from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.weakness.binning import Binning
    from core.weakness.slices.report import SliceReport

Rows = list[dict[str, object]]

SETTLED = ("accepted", "dismissed")
"""Statuses of recorded findings that --fail-on-weak lets pass."""


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("weakness")(weakness)


def weakness(
    run: Annotated[str | None, typer.Option(metavar="RUN", help="A run's id, or its --out folder.")] = None,
    data: Annotated[Path | None, typer.Option(metavar="F", help="Scored rows: JSONL, JSON, CSV, TSV, Parquet.")] = None,
    score: Annotated[
        str,
        typer.Option(
            "--score", "--metric", metavar="S", help="Metric of a run (default: verdict) or column of a file."
        ),
    ] = "",
    attribute: Annotated[str, typer.Option(metavar="A", help="Attribute with levels to test; all by default.")] = "",
    by: Annotated[str, typer.Option(metavar="B", help="Second attribute, for a map of both. Also --by A,B.")] = "",
    threshold: Annotated[float | None, typer.Option(help="Test the share of cases that reach this score.")] = None,
    bins: Annotated[
        list[str] | None, typer.Option("--bins", metavar="A=4", help="Number of levels, or their upper bounds: A=8,16.")
    ] = None,
    slices: Annotated[bool, typer.Option("--slices", help="Search for slices of up to three attributes.")] = False,
    findings: Annotated[bool, typer.Option("--findings", help="Describe the weak parts in words.")] = False,
    record: Annotated[bool, typer.Option("--record", help="Store the findings of the run.")] = False,
    q: Annotated[float, typer.Option("--q", "--fdr", help="Accepted false discovery rate.")] = 0.1,
    min_effect: Annotated[float, typer.Option(help="Smallest difference from the rest that counts.")] = 0.1,
    cluster: Annotated[str, typer.Option(metavar="COL", help="Column of the source that rows of a file share.")] = "",
    lower: Annotated[bool, typer.Option("--lower", help="Lower scores are better (files).")] = False,
    verdict: Annotated[
        str, typer.Option(metavar="COL", help="Column that says whether answers are right (files).")
    ] = "",
    accept_from: Annotated[
        float | None, typer.Option(help="The lowest value of --verdict that counts as right.")
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="F", help="Write the table to a file.")] = None,
    fail_on_weak: Annotated[bool, typer.Option("--fail-on-weak", help="Exit with 1 when anything is weak.")] = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Finds where answers are weak: levels of attributes, cells of two, slices of three, each against the rest."""
    from core.cli.weakness.documents import refuse_twins
    from core.weakness import WeaknessOptions

    if (run is None) == (data is None):
        raise InvalidInput("Give exactly one of a run and a file.", "Use --run RUN, or --data F with --metric COL.")
    if record and run is None:
        raise InvalidInput("Findings of a file cannot be recorded.", "Give --run, or leave out --record.")
    names = _names(attribute, by)
    refuse_twins(names)
    request = WeaknessRequest(
        names=names,
        slices=slices,
        findings=findings or record,
        record=record,
        threshold=threshold,
        options=WeaknessOptions(q=q, min_effect=min_effect),
        bins=_bins(bins or []),
        seed=seed,
    )
    if data is not None:
        of_columns = FileColumns(cluster=cluster, lower=lower, verdict=verdict, accept_from=accept_from)
        cases = of_file(data, score, request, of_columns)
        document, lines, rows = _answer(cases, request)
    else:
        from core.cli import workspace
        from core.weakness.service.scores import metrics_behind

        with workspace.opened(str(run)) as (store, stored):
            cases = of_run(store, stored, score, request)
            document, lines, rows = _answer(cases, request)
            judged = score_document(store, stored, metrics_behind(store, str(document["score"])))
            document |= judged
            lines += judge_line(judged)
    if csv is not None:
        from core.io.whole_files import write_whole
        from core.weakness.findings.exports import rows_as_csv

        columns = [*dict.fromkeys(name for row in rows for name in row if name != "levels")]
        write_whole(csv, rows_as_csv(columns, rows))
        tell(f"{len(rows):,} rows written to {csv}.")
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)
    weak = document["weak"]
    if fail_on_weak and isinstance(weak, int) and weak:
        tell(f"{weak} {'part is' if weak == 1 else 'parts are'} weak.")
        raise typer.Exit(MISSED)


def _names(attribute: str, by: str) -> tuple[str, ...]:
    return tuple(name.strip() for text in (attribute, by) for name in text.split(",") if name.strip())


def _bins(pairs: Sequence[str]) -> dict[str, Binning]:
    """``A=4`` is four levels by quantile, ``A=8,16`` levels that end at 8 and at 16."""
    from core.weakness.binning import Binning

    bins = {}
    for text in pairs:
        name, _, value = text.partition("=")
        try:
            edges = tuple(float(part) for part in value.split(","))
        except ValueError:
            edges = ()
        if not name.strip() or not edges:
            raise InvalidInput(
                f"--bins {text!r} is not A=4 or A=8,16.", "Give a number of levels, or their upper bounds."
            )
        count = edges[0] if len(edges) == 1 and value.strip().isdigit() else None
        bins[name.strip()] = (
            Binning(kind="edges", edges=edges) if count is None else Binning(kind="quantile", bins=int(count))
        )
    return bins


def _answer(cases: Cases, request: WeaknessRequest) -> tuple[dict[str, object], list[str], Rows]:
    """The JSON document, the lines for a person, and the rows of the table that was asked for."""
    from core.cli.weakness import documents
    from core.cli.weakness import lines as weakness_lines
    from core.cli.weakness.holding import holding_document, holding_lines
    from core.weakness.findings.drafts.wording import what_is_told

    table, options = cases.table, request.options
    overall = documents.overall(table)
    if len(request.names) == 2:
        parts = documents.two_attributes(table, request.names, options)
    elif request.names:
        parts = documents.one_attribute(table, request.names[0], options)
    else:
        parts = documents.all_attributes(table, cases.offered, options, cases.labels)
    held = holding_document(cases, request)
    document: dict[str, object] = {
        **cases.source,
        "threshold": request.threshold,
        "higher_is_better": cases.words.higher_is_better,
        "q": options.q,
        "min_effect": options.min_effect,
        "seed": request.seed,
        "overall": overall,
        **parts,
        **held,
        "weak": parts["weak_cells"],
        **({} if cases.store is not None else ignored_keys(cases.ignored)),
    }
    what = what_is_told(cases.words)
    lines = [weakness_lines.overall_line(what[0].upper() + what[1:], overall)]
    lines += weakness_lines.map_lines(parts) if request.names else weakness_lines.overview_lines(parts)
    lines += holding_lines(held)
    rows = weakness_lines.rows_of(parts["cells"])
    if request.slices:
        report, search = _slices(cases, request)
        document |= {"slices": search, "weak": sum(bool(row["weak"]) for row in rows) + len(report.weak)}
        lines += weakness_lines.slice_lines(search)
    if request.findings:
        findings, flat = _findings(cases, request)
        live = [row for row in findings if row["kind"] != "unscored" and row.get("status") not in SETTLED]
        document |= {"findings": findings, "weak": len(live)}
        lines += weakness_lines.finding_lines(findings)
        rows = rows if request.names else flat
    return document, lines, rows


def _slices(cases: Cases, request: WeaknessRequest) -> tuple[SliceReport, dict[str, object]]:
    from core.cli.weakness.documents import slices_document
    from core.weakness.slices.finder import SliceOptions, find_slices

    options = SliceOptions(q=request.options.q, min_effect=request.options.min_effect, seed=request.seed)
    attributes = tuple(cases.table.attribute(name) for name in cases.searched)
    report = find_slices(replace(cases.table, attributes=attributes), options)
    return report, slices_document(report)


def _findings(cases: Cases, request: WeaknessRequest) -> tuple[Rows, Rows]:
    """What is weak in words, and the same as rows of a table."""
    from core.cli.weakness.documents import draft_rows, drafts_document
    from core.settings import settings
    from core.weakness.findings.drafts.drafting import draft_findings
    from core.weakness.findings.exports import finding_rows, findings_as_json
    from core.weakness.findings.search import FindingSearch, search_findings
    from core.weakness.findings.service import record_findings

    pairs = (request.names,) if len(request.names) == 2 else () if request.names else None
    if cases.store is None:
        report = _slices(cases, request)[0] if request.slices or not request.names else None
        names = request.names or cases.searched
        drafts = draft_findings(
            cases.table, cases.words, request.options, attributes=names, pairs=pairs, slices=report
        ).drafts
        return drafts_document(cases.table, drafts), draft_rows(cases.table, drafts)
    search = FindingSearch(
        attributes=request.names or None,
        pairs=pairs,
        bins=request.bins,
        threshold=request.threshold,
        slices=request.slices or not request.names,
        clusters=not request.names,
        seed=request.seed,
    )
    run_id, score = cases.source["run"], cases.source["score"]
    if request.record:
        recorded = record_findings(cases.store, run_id, score, request.options, settings().actor, search=search)
        return findings_as_json(recorded), finding_rows(recorded)
    searched = search_findings(cases.store, run_id, score, request.options, search)
    return drafts_document(searched.table, searched.drafts), draft_rows(searched.table, searched.drafts)
