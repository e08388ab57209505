"""The command calibrate: from scores and people's labels to probabilities and sets with guaranteed coverage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, Seed, emit, ignored_keys, one_of, shown, tell

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.calibration.report import Report
    from core.calibration.sets.conformal import Method
    from core.domain.estimates import Estimate
    from core.io.score_tables import ScoreTable

LARGE = 20_000
"""From this number of rows on, each stage is reported on stderr."""

METHODS = ("auto", "logistic", "ordinal", "isotonic", "boosting")
CONFORMAL = ("lac", "aps")
RATERS = ("median", "majority", "mean")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("calibrate")(calibrate)


def calibrate(
    data: Annotated[Path, typer.Option(metavar="F", help="Scored rows with labels: JSONL, JSON, CSV, TSV, Parquet.")],
    score: Annotated[str, typer.Option(metavar="COL[,COL]", help="Columns with scores.")],
    label: Annotated[str, typer.Option(metavar="COL[,COL]", help="Columns with people's labels, one for each rater.")],
    method: Annotated[str, typer.Option(metavar="NAME", help=f"One of {', '.join(METHODS)}.")] = "auto",
    alpha: Annotated[float, typer.Option(help="Accepted share of prediction sets without the label.")] = 0.1,
    conformal: Annotated[str, typer.Option(metavar="NAME", help="Conformal score: lac (the paper's) or aps.")] = "lac",
    group: Annotated[
        str, typer.Option(metavar="COL", help="Guarantee the coverage in each group of this column.")
    ] = "",
    cluster: Annotated[
        str, typer.Option(metavar="COL", help="Column of the source that rows share; group_id by default.")
    ] = "",
    split: Annotated[
        str, typer.Option(metavar="A,B,C", help="Shares of rows for fit, conformal step and test.")
    ] = "0.4,0.3,0.3",
    accept_from: Annotated[float | None, typer.Option(help="The lowest label that counts as accepted.")] = None,
    raters: Annotated[
        str, typer.Option(metavar="RULE", help=f"How several raters' labels are combined: {', '.join(RATERS)}.")
    ] = "median",
    threshold: Annotated[float, typer.Option(help="Lowest probability at which an answer is accepted.")] = 0.5,
    lower: Annotated[str, typer.Option(metavar="COL[,COL]", help="Scores for which lower values are better.")] = "",
    random: Annotated[
        str, typer.Option(metavar="COL", help="Column that marks rows drawn at random; all by default.")
    ] = "",
    probability: Annotated[
        str, typer.Option(metavar="COL", help="Column with each row's probability of being labelled.")
    ] = "",
    insist: Annotated[bool, typer.Option("--insist", help="Calibrate even if raters do not agree.")] = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Turns scores into the probability that a person accepts an answer, and into sets with guaranteed coverage."""
    from core.calibration.decisions import Threshold
    from core.calibration.double import calibrate as double_calibrate
    from core.domain.results.labels import LabelRule
    from core.io.score_tables import Columns, read_score_table
    from core.io.tables.layout import tell_ignored

    one_of("--method", method, METHODS)
    rule = LabelRule(one_of("--raters", raters, RATERS))
    names = _listed("--score", score)
    columns = Columns(
        scores=names,
        labels=_listed("--label", label),
        group=group,
        cluster=cluster,
        random=random,
        probability=probability,
    )
    shares = _shares(split)
    kind: Method = "aps" if one_of("--conformal", conformal, CONFORMAL) == "aps" else "lac"
    table = read_score_table(data, columns, accept_from=accept_from, rule=rule)
    tell_ignored(data, table.ignored)
    progress = tell if len(table.labels) >= LARGE else None
    if progress:
        progress(f"{len(table.labels):,} rows read")
    turned = _turned(table, names, {name.strip() for name in lower.split(",") if name.strip()})
    result = double_calibrate(
        turned,
        table.labels,
        levels=max(len(table.levels), 2),
        accept_from=max(table.accept_from, 1),
        names=names,
        clusters=table.clusters,
        random=table.random,
        weights=table.weights,
        groups=table.groups,
        method=method,
        alpha=alpha,
        conformal=kind,
        threshold=Threshold(value=threshold),
        agreement=_agreement(table, seed),
        insist=insist,
        undecided=table.undecided,
        shares=shares,
        seed=seed,
        progress=progress,
    )
    document = _document(result.report, table)
    emit(document, as_json=as_json, lines=_lines(result.report, table), fail_under=fail_under)


def _listed(option: str, text: str) -> tuple[str, ...]:
    from core.domain.errors import InvalidInput

    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise InvalidInput(f"{option} names no column.", "Name one or more, separated by commas.")
    return names


def _shares(text: str) -> tuple[float, float, float]:
    from core.domain.errors import InvalidInput

    try:
        fit, conformal, test = (float(part) for part in text.split(","))
    except ValueError:
        raise InvalidInput(f"--split {text!r} is not three numbers.", "Write for example 0.4,0.3,0.3.") from None
    return fit, conformal, test


def _turned(table: ScoreTable, names: tuple[str, ...], lower: set[str]) -> NDArray[np.float64]:
    """Scores with higher better: by the option, and where a column is a metric that says so itself."""
    from core.domain.errors import InvalidInput
    from core.metrics.direction import turned

    for name in sorted(lower - set(names)):
        raise InvalidInput(f"--lower names {name!r}, which is not a score.", f"The scores are: {', '.join(names)}.")
    return turned(table.scores, names, lower)


def _agreement(table: ScoreTable, seed: int) -> Estimate | None:
    """Krippendorff's alpha of the labels as they were given, where several columns of them have cases in common."""
    import numpy as np

    from core.domain.errors import InsufficientData
    from core.stats import krippendorff_alpha

    if len(table.ratings) < 2:
        return None
    several = np.unique(table.ratings[~np.isnan(table.ratings)]).size > 2
    try:
        return krippendorff_alpha(table.ratings, level="ordinal" if several else "nominal", seed=seed)
    except InsufficientData:
        return None


def _document(report: Report, table: ScoreTable) -> dict[str, object]:
    whole = report.as_json()
    counts: dict[str, int] = {}
    for level_set in report.sets:
        counts[str(len(level_set.levels))] = counts.get(str(len(level_set.levels)), 0) + level_set.n
    errors = report.errors
    ece, brier, loss = (report.figure(name) for name in ("ece", "brier", "log_loss"))
    return {
        "n": whole["n"],
        "method": report.choice.model.value,
        "recommendation": report.choice.sentence,
        "ece_before": ece.before.as_json(),
        "ece_after": ece.after.as_json(),
        "brier_before": brier.before.as_json(),
        "brier_after": brier.after.as_json(),
        "log_loss_before": loss.before.as_json(),
        "log_loss_after": loss.after.as_json(),
        "before": report.reading,
        "quantile": report.quantiles[0].value,
        "quantiles": whole["quantiles"],
        "coverage": report.coverage.as_json(),
        "coverage_expected": {"low": report.expected_low, "high": report.expected_high},
        "coverage_by_group": {group.group: group.coverage.as_json() for group in report.coverage_by_group},
        "sets": dict(sorted(counts.items())),
        "sets_by_levels": {_set_name(level_set.levels, table): level_set.n for level_set in report.sets},
        "sets_all": {_set_name(level_set.levels, table): level_set.n for level_set in report.sets_all},
        "decisions": {count.decision.value: count.n for count in report.decisions_all},
        "threshold": report.threshold,
        "type_1": errors.type_1.as_json() if errors else None,
        "type_2": errors.type_2.as_json() if errors else None,
        "raters": None if table.rule is None else table.rule.value,
        "levels": list(table.levels),
        "accept_from": table.levels[min(table.accept_from, len(table.levels) - 1)],
        "agreement": report.agreement.as_json() if report.agreement else None,
        "insisted": report.insisted,
        "candidates": _of(whole, "choice", "candidates"),
        "populations": whole["populations"],
        "warnings": [f"{caution.text} {caution.remedy}" for caution in report.cautions],
        "cautions": whole["cautions"],
        "cluster": table.cluster or None,
        "alpha": report.alpha,
        "seed": report.seed,
        **ignored_keys(table.ignored),
    }


def _of(whole: dict[str, object], first: str, second: str) -> object:
    inner = whole[first]
    return inner[second] if isinstance(inner, dict) else None


def _set_name(levels: tuple[int, ...], table: ScoreTable) -> str:
    return "{" + ", ".join(table.levels[level] for level in levels) + "}"


def _accepted(table: ScoreTable) -> list[str]:
    """From which of several labels an answer counts as accepted; two labels need no word."""
    if len(table.levels) <= 2:
        return []
    first = table.levels[min(table.accept_from, len(table.levels) - 1)]
    return [
        f"Accepted is an answer labelled {first} or higher, of {table.levels[0]} to {table.levels[-1]} (--accept-from)"
    ]


def _lines(report: Report, table: ScoreTable) -> list[str]:
    n, quantile = report.n, report.quantiles[0]
    lines = [
        f"{n.labelled:,} labels of {n.cases:,} rows: {n.fit} to fit, {n.conformal} to conformalise, {n.test} to test",
        *([f"Labels of {len(table.ratings)} raters combined by {table.rule}"] if table.rule else []),
        *([f"{n.undecided:,} more rows were looked at and have no one label"] if n.undecided else []),
        *_accepted(table),
        report.choice.sentence,
    ]
    for figure, name in (("ece", "Calibration error"), ("brier", "Brier score"), ("log_loss", "Log loss")):
        change = report.figure(figure)
        lines.append(f"{name:<20}{change.before.value:.3f} before, {change.after.value:.3f} after")
    value = "none: every level is in every set" if quantile.value is None else f"{quantile.value:.4f}"
    lines += [
        f"{'Quantile':<20}{value}",
        f"{'Coverage':<20}{shown(report.coverage)}, promised {1 - report.alpha:.3f}",
    ]
    lines += [f"  {group.group:<18}{shown(group.coverage)}" for group in report.coverage_by_group]
    if report.errors:
        lines += [
            f"{'Type I':<20}{shown(report.errors.type_1)}  accepted, of those that people reject",
            f"{'Type II':<20}{shown(report.errors.type_2)}  rejected, of those that people accept",
        ]
    decided = ", ".join(f"{count.decision.value} {count.n:,}" for count in report.decisions_all)
    lines.append(f"{'Decisions':<20}{decided}")
    return [*lines, *(f"Note: {caution.text} {caution.remedy}" for caution in report.cautions)]
