"""The figures of a run that a criterion can be about, each with what cases without an outcome could make of it.

A figure of a run is read once with its 95% interval, clustered on the filled SQL query as everywhere. Beside it stands
the range it could lie in if the cases that have no outcome had one: a criterion that this range leaves open is not
decided by the cases that happen to have one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.calibration.service.pass_rate import pass_rate
from core.calibration.service.stored import calibrations_of, report_of, stale
from core.criteria.readings import Reading, from_share, nothing
from core.diagnosis import Attribution, Diagnosis, diagnose
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.domain.results.acceptance import Direction
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.variants import REPEAT
from core.metrics import find_metric
from core.metrics.direction import lower_is_better
from core.robustness.flips import flip_share
from core.robustness.service import robustness, variant_runs
from core.runs.scores.edits import score_range
from core.runs.scores.samples import behaviour_of
from core.runs.scores.summary import MetricSummary, metric_summaries
from core.runs.summary import RunSummary, summarise
from core.stats import clustered_proportion
from core.store.database import Store

OUTSIDE: Final = frozenset({Status.NOT_APPLICABLE.value, Status.NULL_JUDGEMENT.value})
"""Reasons of cases that a metric is not about; any other case without a value is missing."""

OPEN_MODULES: Final = (Attribution.UNDECIDED, Attribution.UNRESOLVED_GAP)
"""Wrong answers of which nobody knows the module."""


class RunFacts:
    """What several figures of one run are read from, each part once.

    Args:
        store: Where the run is.
        run: The run.
        seconds: The longest search for evidence, as in :func:`core.diagnosis.service.rows.diagnosis_rows`.
    """

    def __init__(self, store: Store, run: Run, seconds: float | None) -> None:
        self.store, self.run, self._seconds = store, run, seconds
        self._summary: RunSummary | None = None
        self._metrics: dict[str, MetricSummary] | None = None
        self._diagnosis: Diagnosis | None = None

    @property
    def summary(self) -> RunSummary:
        """Counts and accuracy."""
        if self._summary is None:
            self._summary = summarise(self.store, self.run.id)
        return self._summary

    @property
    def metrics(self) -> dict[str, MetricSummary]:
        """The scored metrics by name."""
        if self._metrics is None:
            self._metrics = {summary.name: summary for summary in metric_summaries(self.store, self.run.id)}
        return self._metrics

    @property
    def diagnosis(self) -> Diagnosis:
        """The plain diagnosis."""
        if self._diagnosis is None:
            rows = diagnosis_rows(self.store, self.run.id, seconds=self._seconds)
            self._diagnosis = diagnose(rows.rows, known_ids=rows.known_ids)
        return self._diagnosis


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure that a criterion can be about.

    Attributes:
        name: In files and on the command line.
        label: For people.
        meaning: One sentence.
        better: Which side of a threshold is good.
        low: Least possible value, None where there is no bound.
        high: Greatest possible value, None where there is no bound.
    """

    name: str
    label: str
    meaning: str
    better: Direction = Direction.AT_LEAST
    low: float | None = 0.0
    high: float | None = 1.0
    read: Callable[[RunFacts], Reading]


def _accuracy(facts: RunFacts) -> Reading:
    summary = facts.summary
    return from_share(summary.accuracy, of=summary.cases, missing=summary.cases - summary.accuracy.den, what="judged")


def _calibrated(facts: RunFacts) -> Reading:
    stored = calibrations_of(facts.store, facts.run.id)
    if not stored:
        return nothing("The run is not calibrated; label a sample of its answers and calibrate a score.")
    newest = stored[0]
    reasons = stale(facts.store, newest)
    if reasons:
        return nothing(f"The calibration is out of date: {reasons[0].rstrip('.').lower()}; calibrate again.")
    try:
        rate = pass_rate(facts.store, newest.id)
    except InsufficientData as error:
        return nothing(f"There are too few labels: {error.message}")
    note = f'Share of answers that people accept under "{report_of(newest).criterion}", from {rate.labels:,} labels.'
    if rate.simulated:
        note += f" {rate.simulated:,} of them come from simulated raters."
    return Reading(estimate=rate.found.estimate, of=rate.cases, note=note)


def _abstention(facts: RunFacts) -> Reading:
    table = behaviour_of(facts.store, facts.run.id)
    if not table.unanswerable:
        return nothing("The test set has no unanswerable case with an answer; add out-of-scope questions.")
    return from_share(table.declined_unanswerable, of=table.unanswerable, missing=0, what="answered")


def _module(part: Attribution) -> Callable[[RunFacts], Reading]:
    def read(facts: RunFacts) -> Reading:
        diagnosis = facts.diagnosis
        rows = [row for group in diagnosis.groups for row in group.rows]
        judged = [row for row in rows if row.judged]
        clusters = {group: number for number, group in enumerate(dict.fromkeys(row.row.group_id for row in judged))}
        share = clustered_proportion(
            [row.attribution is part for row in judged], [clusters[row.row.group_id] for row in judged]
        )
        open_rows = sum(row.attribution in OPEN_MODULES for row in judged)
        if diagnosis.pending:
            return nothing(
                f"The documents are still to be searched for the facts of {diagnosis.pending:,} wrong answers; open "
                "Diagnose and let the search end."
            )
        return from_share(
            share,
            of=len(rows),
            missing=len(rows) - len(judged),
            what="judged",
            unresolved=open_rows,
            unresolved_what="wrong answers without a module",
        )

    return read


def _flips(facts: RunFacts) -> Reading:
    made = [
        variant
        for variant in variant_runs(facts.store, facts.run.project_id)
        if variant.parent is not None and variant.parent.id == facts.run.id and variant.run.state is RunState.FINISHED
    ]
    if not made:
        return nothing("No variants of this run's questions were run; make some on the Robustness page.")
    pairs = [
        pair
        for pair in robustness(facts.store, made[0].run.id, facts.run.id).pairs
        if pair.kind != REPEAT and pair.answerable and pair.parent is not None
    ]
    share = flip_share(pairs)
    return from_share(share, of=len(pairs), missing=len(pairs) - share.den, what="judged on both sides")


def _mean_of(name: str) -> Callable[[RunFacts], Reading]:
    def read(facts: RunFacts) -> Reading:
        summary = facts.metrics.get(name)
        if summary is None:
            return nothing(f"The run was not scored with {name}; score it on the Evaluate page.")
        outside = sum(number for reason, number in summary.unscored.items() if reason in OUTSIDE)
        of = summary.of - outside
        if not summary.scored:
            listed = ", ".join(f"{reason.replace('_', ' ')} {number:,}" for reason, number in summary.unscored.items())
            return nothing(f"None of the {summary.of:,} cases has a value: {listed}.", of=of)
        low, high = score_range(name)
        return Reading(
            estimate=summary.mean,
            of=of,
            missing=of - summary.scored,
            least=_imputed(summary.mean, of, low),
            most=_imputed(summary.mean, of, high),
            note=f"{outside:,} cases that the metric is not about are left out." if outside else "",
            what="scored",
        )

    return read


def _imputed(mean: Estimate, of: int, end: float | None) -> float | None:
    """The mean over all cases if those without a value had one end of the range."""
    if mean.value is None or end is None or not of:
        return mean.value if of == mean.n else None
    return (mean.value * mean.n + end * (of - mean.n)) / of


FIGURES: Final[tuple[Figure, ...]] = (
    Figure(
        name="accuracy",
        label="Accuracy",
        meaning="Correct answers of those that are judged.",
        read=_accuracy,
    ),
    Figure(
        name="calibrated_accuracy",
        label="Calibrated accuracy",
        meaning="The share of all answers that people would accept, from labels and calibrated scores.",
        read=_calibrated,
    ),
    Figure(
        name="abstention",
        label="Abstention on unanswerable cases",
        meaning="Answers that decline, of those to questions that the documents do not answer.",
        read=_abstention,
    ),
    Figure(
        name="knowledge_gap",
        label="Wrong through a knowledge gap",
        meaning="Judged answers that are wrong because the documents do not hold the fact.",
        better=Direction.AT_MOST,
        read=_module(Attribution.KNOWLEDGE_GAP),
    ),
    Figure(
        name="retrieval",
        label="Wrong through retrieval",
        meaning="Judged answers that are wrong because the right passage was not retrieved.",
        better=Direction.AT_MOST,
        read=_module(Attribution.RETRIEVAL),
    ),
    Figure(
        name="language_model",
        label="Wrong through the language model",
        meaning="Judged answers that are wrong although the passages hold the fact.",
        better=Direction.AT_MOST,
        read=_module(Attribution.LANGUAGE_MODEL),
    ),
    Figure(
        name="flip_rate",
        label="Verdicts that flip under rewording",
        meaning="Variants of questions whose verdict differs from that of their original, of pairs judged on both "
        "sides.",
        better=Direction.AT_MOST,
        read=_flips,
    ),
)
"""The figures that are no mean of a metric."""

_BY_NAME: Final = {figure.name: figure for figure in FIGURES}


def figure_named(name: str, *, known: bool = True) -> Figure:
    """A figure by name; any metric is one, by its mean over the cases it is about.

    Args:
        name: ``accuracy``, ``knowledge_gap``, ``groundedness``, ``precision@5``, ...
        known: Whether it must be a figure or a metric of this version; otherwise the name stands for the mean of
            scores of that name.

    Raises:
        InvalidInput: There is none of that name.

    >>> figure_named("groundedness").label, figure_named("flip_rate").better.value
    ('Mean groundedness', 'at_most')
    """
    requested = "accuracy" if name.strip() == VERDICT_METRIC else name.strip()
    if requested in _BY_NAME:
        return _BY_NAME[requested]
    try:
        metric = find_metric(requested)
    except InvalidInput as error:
        if not known:
            return Figure(
                name=requested, label=f"Mean {requested}", meaning="", low=None, high=None, read=_mean_of(requested)
            )
        listed = ", ".join(_BY_NAME)
        raise InvalidInput(
            f"There is no figure {requested!r} that a criterion could be about.",
            f"Use one of: {listed}, or the name of a metric such as groundedness (the command metrics lists them).",
        ) from error
    spec = metric.spec
    cut = f" at {metric.name.partition('@')[2]}" if "@" in metric.name else ""
    return Figure(
        name=metric.name,
        label=f"Mean {spec.title[:1].lower()}{spec.title[1:]}{cut}",
        meaning=spec.question,
        better=Direction.AT_MOST if lower_is_better(metric.name) else Direction.AT_LEAST,
        low=spec.low,
        high=spec.high,
        read=_mean_of(metric.name),
    )
