"""Commands about people's labels: the agreement of raters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, Seed, emit, ignored_keys, one_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from core.domain.estimates import Estimate
    from core.io.labels import LabelRow, LabelTable
    from core.labelling.agreement.report import AgreementReport
    from core.stats import Level

AUTO = "auto"
LEVELS = (AUTO, "nominal", "ordinal", "interval")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("agreement")(agreement)


def agreement(
    labels: Annotated[Path, typer.Option(metavar="F", help="Rows with case_id, criterion, rater and value.")],
    level: Annotated[str, typer.Option(help="auto, nominal, ordinal or interval.")] = AUTO,
    gold: Annotated[Path | None, typer.Option(metavar="F", help="Gold labels: case_id, criterion and value.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Measures how far raters agree on each criterion, and whether scores may be calibrated against such labels.

    InspectorRAGet's JSON is read as well, the answers of all its models together. Without --level words and two values
    are nominal, whole numbers ordinal and other numbers interval.
    """
    from core.io.exchange.inspectorraget_labels import is_inspectorraget, read_inspectorraget
    from core.io.labels import LabelFile, label_table, read_labels

    one_of("--level", level, LEVELS)
    file = (
        LabelFile(rows=tuple(read_inspectorraget(labels).labels(together=True)))
        if is_inspectorraget(labels)
        else read_labels(labels)
    )
    rows = file.rows
    right = () if gold is None else read_labels(gold, rated=False).rows
    by_criterion: defaultdict[str, list[LabelRow]] = defaultdict(list)
    for row in rows:
        by_criterion[row.criterion].append(row)
    if gold is not None:
        _refuse_unknown(right, by_criterion, gold)
    reports = [
        _report(
            name, label_table(criterion_report, labels), [row for row in right if row.criterion == name], level, seed
        )
        for name, criterion_report in by_criterion.items()
    ]
    document = {
        "labels": sum(report.labels for report in reports),
        "cannot_judge": sum(row.value is None for row in rows),
        "criteria": {report.criterion: report.as_json() for report in reports},
        **ignored_keys(file.ignored),
    }
    lines = [line for report in reports for line in _lines(report)]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def _refuse_unknown(right: Sequence[LabelRow], by_criterion: defaultdict[str, list[LabelRow]], gold: Path) -> None:
    from core.domain.errors import InvalidInput

    for row in right:
        if row.criterion not in by_criterion:
            raise InvalidInput(
                f"Row {row.number} of {gold} has the criterion {row.criterion}, which no rater labelled.",
                f"The criteria are {', '.join(by_criterion)}.",
            )


def _report(name: str, table: LabelTable, right: Sequence[LabelRow], level: str, seed: int) -> AgreementReport:
    from core.labelling.agreement.alpha import agreement as agree

    return agree(
        table.values,
        table.raters,
        level=_level(table, level),
        criterion=name,
        numbers=not table.words,
        repeats=table.repeats,
        cannot_judge=table.cannot_judge,
        gold=_gold(table, right),
        seed=seed,
    )


def _level(table: LabelTable, level_name: str) -> Level:
    import numpy as np

    from core.labelling.agreement.alpha import LEVELS as NAMED

    level = next((level for level in NAMED if level == level_name), None)
    if level is not None or table.words:
        return level or "nominal"
    values = np.unique(table.values[~np.isnan(table.values)])
    if values.size <= 2:
        return "nominal"
    return "ordinal" if bool((values == np.round(values)).all()) else "interval"


def _gold(table: LabelTable, right: Sequence[LabelRow]) -> npt.NDArray[np.float64] | None:
    """The right label of each case of the table; one that is a word where labels are numbers fits no label."""
    import numpy as np

    from core.domain.errors import InvalidInput

    if not right:
        return None
    places = {case_id: place for place, case_id in enumerate(table.case_ids)}
    codes = np.full(len(places), np.nan)
    for row in right:
        if row.value is None or row.case_id not in places:
            continue
        if isinstance(row.value, str) and not table.words:
            raise InvalidInput(
                f"The gold label {row.value!r} of case {row.case_id} is a word; the labels are numbers.",
                "Give the gold labels on the scale of the raters.",
            )
        codes[places[row.case_id]] = table.code(row.value)
    return codes


def _lines(report: AgreementReport) -> list[str]:
    """The same for a person."""
    fleiss = report.fleiss
    left_out = f", {fleiss.left_out:,} cases with another number of labels left out" if fleiss.left_out else ""
    lines = [
        f"{report.criterion}: {report.reading}",
        f"  {report.labels:,} labels by {report.raters:,} raters on {report.items:,} cases, {report.shared:,} with two",
        *(f"  {f'alpha, {level}':<24}{_figure(alpha)}" for level, alpha in report.alphas.items()),
        f"  {'Fleiss kappa':<24}{_figure(fleiss.estimate)}{left_out}",
        f"  {'mean kappa of pairs':<24}{_figure(report.kappa)}",
        f"  {'rank, one to others':<24}{_figure(report.rank)}",
    ]
    if report.gold.n:
        lines.append(f"  {'kappa with gold':<24}{_figure(report.gold)}")
    for pair in report.pairs:
        equal = f", same label {pair.same.num:,} of {pair.same.den:,}" if pair.same.den else ""
        lines.append(f"  {f'{pair.a} and {pair.b}':<24}{_figure(pair.kappa)}{equal}")
    return [*lines, *(f"  {note}" for note in report.notes)]


def _figure(estimate: Estimate) -> str:
    if estimate.value is None:
        return f"-  {estimate.method}"
    interval = "" if estimate.low is None or estimate.high is None else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{estimate.value:.3f}{interval} (n = {estimate.n:,})"
