"""Commands about metrics: which there are, and scoring answers from a file."""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.models.endpoints import Access, with_endpoint
from core.cli.models.judge_trust import file_document, judge_line
from core.cli.models.ledgers import LedgerPath
from core.cli.output import (
    MEAN,
    AsJson,
    FailUnder,
    PromptKind,
    Seed,
    check_figures,
    emit,
    ignored_keys,
    one_of,
    progress_line,
    tell,
)
from core.cli.runs import judging
from core.cli.runs.judging import EnsembleName, Judges
from core.cli.runs.report import threshold_checks, write_file
from core.cli.runs.row_checks import RowChecks

if TYPE_CHECKING:
    from core.domain.results.responses import Score
    from core.io.scored_rows import Kind
    from core.io.tables.layout import Layout
    from core.metrics import Metric, Models, Sample

ENSEMBLES = ("mean", "majority")
MOST_VECTORS = 200_000
"""Sentence vectors kept while a file is scored; with 384 numbers each that is 300 MB."""


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("metrics")(metrics)
    app.command("score")(score)


def metrics(as_json: AsJson = False) -> None:
    """Lists every metric: its question, its needs, its range and which direction is better."""
    from core.metrics import list_metrics

    specs = list_metrics()
    width = max(len(spec.name) for spec in specs) + 2
    lines = [f"{spec.name:<{width}}{spec.family:<14}{spec.question}" for spec in specs]
    emit({"metrics": [spec.as_json() for spec in specs]}, as_json=as_json, lines=lines)


@with_endpoint
def score(
    access: Access,
    data: Annotated[Path, typer.Option(metavar="F", help="Answered questions: JSONL, JSON, CSV, TSV, Parquet, XLSX.")],
    metrics: Annotated[
        str, typer.Option(metavar="A,B", help="Names from the metrics command; precision@5 has a cut-off.")
    ],
    out: Annotated[Path, typer.Option(metavar="F", help="File for the scored rows; its ending selects the format.")],
    encoder: Annotated[str, typer.Option(metavar="SPEC", help="minilm, or a sentence-transformers model.")] = "",
    nli: Annotated[str, typer.Option(metavar="SPEC", help="An NLI cross-encoder, by folder or name.")] = "",
    judge: Judges = None,
    ensemble: EnsembleName = "mean",
    single: Annotated[bool, typer.Option("--single", help="Show GroUSE's judge the answer only.")] = False,
    prompts: PromptKind = "auto",
    ledger: LedgerPath = None,
    precision: Annotated[str, typer.Option(metavar="NAME", help="float32 or bfloat16.")] = "",
    language: Annotated[str, typer.Option(metavar="CODE", help="Language whose rules split sentences.")] = "",
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="F.xml", help="Rows by metric, and thresholds, as JUnit tests.")
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Scores answered questions from a file and writes each row with its scores and their evidence.

    The metrics whose names begin with claim_ and grouse_ ask the judging models; what these have said is kept in a
    ledger, so that a second time costs nothing.
    """
    from core.encoders.cache import MemoryCache
    from core.io.scored_rows import Kind, check_ending, scored_row, writing
    from core.io.tables.layout import lay_out, tell_ignored
    from core.metrics import find_metrics, score_samples
    from core.metrics.evidence import with_words
    from core.metrics.samples.files import READ, read_samples
    from core.runs.scores.choice import ScoringOptions, made_with, open_models

    started = time.perf_counter()
    one_of("--ensemble", ensemble, ENSEMBLES)
    selected = find_metrics(metrics.split(","))
    check_ending(out)
    means = [MEAN.format(metric.name) for metric in selected]
    counts = [f"metrics.{metric.name}.{count}" for metric in selected for count in ("scored", "of")]
    check_figures(fail_under, ["rows", *means, *counts, "llm_calls", "llm_calls_from_cache", "seconds"])
    column_kinds: dict[str, Kind] = {}
    for metric in selected:
        column_kinds |= {
            metric.name: Kind.NUMBER,
            f"{metric.name}_status": Kind.TEXT,
            f"{metric.name}_detail": Kind.TEXT,
        }
    layout = lay_out(data)
    rows, kinds, is_citing = _survey(data, layout)
    ignored = {name: why for name, why in layout.ignored(READ).items() if name not in column_kinds}
    tell_ignored(data, ignored)
    report = progress_line()
    waiting: deque[tuple[dict[str, object], Sample, str]] = deque()

    def samples() -> Iterator[Sample]:
        for row, sample, cluster in read_samples(data, layout):
            waiting.append((dict(row), sample, cluster))
            yield sample

    if replaced := [name for name in column_kinds if name in kinds]:
        tell(f"The columns {', '.join(replaced)} of {data} are replaced in {out} by the new scores.")
    columns = kinds | column_kinds
    numbers = frozenset(name for name, kind in columns.items() if kind is Kind.NUMBER)
    whole = frozenset(name for name, kind in columns.items() if kind is Kind.WHOLE)
    tally = _Tally(selected)
    checks = RowChecks() if junit is not None else None
    with (
        judging.opened(judge, access, ledger=ledger, prompts=prompts) as judges,
        writing(out, list(columns), numbers, whole) as writer,
    ):
        for said in judging.warnings(judges.specs):
            tell(f"Warning: {said}")
        options = ScoringOptions(
            encoder=encoder,
            nli=nli,
            precision=precision,
            language=language,
            metric_judges=judges.specs,
            ensemble=ensemble,
        )
        models = open_models(selected, options, MemoryCache(MOST_VECTORS), chat=judges.chat, prompts=judges.prompts)
        if models.panel is not None:
            models = replace(models, panel=replace(models.panel, cites=is_citing, paired=not single))
        for batch in score_samples(samples(), selected, models):
            for place in range(0, len(batch), len(selected)):
                row, sample, cluster = waiting.popleft()
                scores = batch[place : place + len(selected)]
                tally.add(scores, cluster)
                if checks is not None:
                    checks.add(tally.rows, sample.question, scores)
                writer.write(scored_row(row, [with_words(sample, score) for score in scores]))
            report("Scoring", tally.rows, rows)
        uses, cached = judges.used()
        judged = {item.name: made_with(item, models) for item in selected} if models.panel is not None else {}
    trusted = file_document(access, judged) if judged else {}
    document = {
        "rows": rows,
        "metrics": tally.as_json(),
        "models": _model_names(models),
        **trusted,
        "llm_calls": uses,
        "llm_calls_from_cache": cached,
        **ignored_keys(ignored),
        "out": str(out),
        "seconds": round(time.perf_counter() - started, 3),
    }
    if junit is not None and checks is not None:
        write_file(junit, checks.xml(data.name, threshold_checks(document, fail_under)))
        tell(f"Wrote {junit}.")
    replies = [f"model replies: {uses:,}, of them from the ledger: {cached:,}"] if uses else []
    emit(document, as_json=as_json, lines=[*tally.lines(), *judge_line(trusted), *replies], fail_under=fail_under)


def _survey(data: Path, layout: Layout) -> tuple[int, dict[str, Kind], bool]:
    """Reads the whole file once, so that a bad row is told before anything is scored.

    Returns:
        The rows, the columns by their kind, and whether one of the answers cites a passage by its number.
    """
    from core.io.scored_rows import Column
    from core.judging.grouse import cites
    from core.metrics.samples.files import read_samples

    rows = 0
    is_citing = False
    columns: dict[str, Column] = {}
    for row, sample, _ in read_samples(data, layout):
        rows += 1
        is_citing = is_citing or cites([sample.answer])
        for name, value in row.items():
            columns.setdefault(name, Column()).add(value)
    return rows, {name: column.kind for name, column in columns.items()}, is_citing


def _model_names(models: Models) -> dict[str, object]:
    panel = models.panel
    judges = {"judges": list(panel.names), "ensemble": panel.ensemble.value} if panel else {"judges": []}
    return {
        **judges,
        "encoder": models.encoder.name if models.encoder else None,
        "nli": models.nli.name if models.nli else None,
        "language": models.language,
    }


class _Tally:
    """Values by metric with their clusters, and reasons where there is none."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self.rows = 0
        self._metrics = metrics
        self._values: defaultdict[str, list[float]] = defaultdict(list)
        self._clusters: defaultdict[str, list[int]] = defaultdict(list)
        self._reasons: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._numbers: dict[str, int] = {}

    def add(self, scores: Sequence[Score], cluster: str) -> None:
        """Counts the scores of one row."""
        self.rows += 1
        number = self._numbers.setdefault(cluster, len(self._numbers))
        for score in scores:
            if score.value is None:
                self._reasons[score.metric][score.status.value] += 1
            else:
                self._values[score.metric].append(score.value)
                self._clusters[score.metric].append(number)

    def as_json(self) -> dict[str, object]:
        """The command's figures: mean with interval, n scored of N, reasons."""
        return {metric.name: self._figures(metric) for metric in self._metrics}

    def lines(self) -> list[str]:
        """The same for a person."""
        lines = []
        for metric in self._metrics:
            values = self._values[metric.name]
            mean = f"{sum(values) / len(values):.3f}" if values else "-"
            reasons = "".join(f", {reason} {count:,}" for reason, count in self._reasons[metric.name].items())
            lines.append(f"{metric.name:<28}{mean:>8}  {len(values):,} of {self.rows:,} scored{reasons}")
        return lines

    def _figures(self, metric: Metric) -> dict[str, object]:
        from core.domain.estimates import Estimate
        from core.stats import clustered_mean

        values = self._values[metric.name]
        mean = (
            clustered_mean(values, self._clusters[metric.name], low=metric.spec.low, high=metric.spec.high)
            if values
            else Estimate(value=None, low=None, high=None, n=0, method="no score")
        )
        clusters = len(set(self._clusters[metric.name]))
        return {
            "mean": {**mean.as_json(), "clusters": clusters},
            "scored": len(values),
            "of": self.rows,
            "unscored": dict(self._reasons[metric.name]),
        }
