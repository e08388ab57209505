"""Everything a report says of a run, read from the store by the functions that the pages and the commands call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.calibration.service.pass_rate import PassRate, pass_rate
from core.calibration.service.report import CalibrationReport
from core.calibration.service.stored import calibration_of, calibrations_of, report_of, stale
from core.criteria.judging import criterion_results, removed_since
from core.diagnosis import Diagnosis, diagnose
from core.diagnosis.service.rows import RunRows, diagnosis_rows
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.jobs import Report, silent
from core.domain.results.acceptance import AcceptanceCriterion, CriterionResult
from core.domain.results.findings import Finding
from core.domain.results.forms import with_forms_named
from core.domain.results.judge_tests import JudgeTestRun
from core.domain.results.labels import Criterion, LabelRound, ScaleKind
from core.domain.results.runs import Run, RunState
from core.domain.sources.profiles import ProjectProfile
from core.domain.sources.projects import Project, Source, SourceKind
from core.domain.testset.cases import TestSet
from core.judges.unit_tests.figures import JudgeTestFigures
from core.judges.unit_tests.gate import Trust, run_figures, run_trusts
from core.labelling.agreement.report import AgreementReport
from core.labelling.agreement.service import agreement_of_run
from core.project.profiles import project_profile
from core.report.collect.cases import Coverage, Example, coverage, examples
from core.report.collect.earlier import Earlier, earlier
from core.report.collect.records import Records, records
from core.report.content import Commentary
from core.report.masking import Masker
from core.robustness.result import Robustness
from core.robustness.service import robustness, variant_runs
from core.runs.scores.summary import MetricSummary, metric_summaries
from core.runs.summary import RunSummary, summarise
from core.safety.service import SafetyResult, latest_result
from core.safety.service import options_of as safety_options
from core.store import projects, reports, sources
from core.store.database import Store
from core.store.people import labels
from core.store.people.calibrations import StoredCalibration
from core.store.results import judge_tests, runs
from core.store.testset import testsets
from core.testset.gold_fit import GoldFit, gold_fit
from core.weakness.findings.over_runs.threads import Thread, threads
from core.weakness.findings.service import findings
from core.weakness.service.attributes import RunAttributes, run_attributes

RESAMPLES = 1_000
"""Of the bootstrap of the raters' agreement; seeded, so that the same labels give the same interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationEvidence:
    """A calibration as a report shows it.

    Attributes:
        stale: Why it no longer fits scores and labels; empty where it does.
        passing: The share of answers that people would accept; None where it cannot be estimated.
        others: Further calibrations of the run.
    """

    stored: StoredCalibration
    report: CalibrationReport
    stale: tuple[str, ...]
    passing: PassRate | None
    others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantResult:
    """What became of variants of the run's questions."""

    run: Run
    result: Robustness


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gathered:
    """The state of a project as far as a report of one run shows it."""

    project: Project
    run: Run
    test_set: TestSet
    database: Source | None
    corpus: Source | None
    documents: int
    summary: RunSummary
    metrics: tuple[MetricSummary, ...]
    attributes: RunAttributes
    coverage: Coverage
    rows: RunRows
    diagnosis: Diagnosis
    examples: tuple[Example, ...]
    fit: GoldFit | None
    criteria: tuple[Criterion, ...]
    rounds: tuple[LabelRound, ...]
    agreement: tuple[AgreementReport, ...]
    calibration: CalibrationEvidence | None
    trusts: Mapping[str, Trust]
    judge_runs: Mapping[str, tuple[JudgeTestRun, JudgeTestFigures]]
    variants: tuple[VariantResult, ...]
    safety: SafetyResult | None
    findings: tuple[Finding, ...]
    threads: tuple[Thread, ...]
    records: Records
    masker: Masker
    other_runs: tuple[Run, ...]
    profile: ProjectProfile
    outcomes: tuple[CriterionResult, ...]
    removed: tuple[AcceptanceCriterion, ...]
    earlier: Earlier | None
    commentary: Mapping[str, tuple[Commentary, ...]] = field(default_factory=dict)

    @property
    def simulated(self) -> int:
        """Labels of the run that a machine gave."""
        return self.records.simulated_labels


def gather(
    store: Store,
    run_id: str,
    *,
    calibration_id: str = "",
    against: str = "",
    changes: bool = True,
    seconds: float | None = None,
    progress: Report = silent,
) -> Gathered:
    """Reads all of it.

    Args:
        store: Where the run is.
        run_id: A run.
        calibration_id: Which of its calibrations; the newest where it is empty.
        against: The earlier run to compare with; the newest of the same questions and judge where it is empty.
        changes: Whether it is compared with an earlier run at all.
        seconds: The longest search of the documents for facts of wrong answers; None for however long it takes.
        progress: Told what is read.

    Raises:
        NotFound: There is no such run or calibration.
        InvalidInput: The calibration is of another run, or the runs cannot be compared.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        project = projects.get(connection, run.project_id)
        test_set = testsets.get(connection, run.test_set_id)
        corpus = sources.get(connection, run.corpus_id) if run.corpus_id else None
        documents = sources.count_documents(connection, corpus.id) if corpus else 0
        database = sources.latest(connection, run.project_id, SourceKind.DATABASE)
        stored_runs = runs.all(connection, run.project_id)
        rounds = tuple(labels.rounds(connection, run.project_id, run_id))
        criteria = tuple(labels.criteria_of(connection, run.project_id))
    masker = Masker(safety_options(store, run.project_id).rules)
    progress("Reading the diagnosis", 0, 4)
    rows = diagnosis_rows(store, run_id, seconds=seconds)
    diagnosis = diagnose(with_forms_named(rows.rows), known_ids=rows.known_ids)
    progress("Reading the scores", 1, 4)
    attributes = run_attributes(store, run_id)
    trusts = run_trusts(store, run)
    progress("Reading the labels", 2, 4)
    agreement = _agreement(store, run_id, criteria, rounds)
    evidence = _calibration(store, run_id, calibration_id)
    progress("Reading the rest", 3, 4)
    gathered = Gathered(
        project=project,
        run=run,
        test_set=test_set,
        database=database,
        corpus=corpus,
        documents=documents,
        summary=summarise(store, run_id),
        metrics=metric_summaries(store, run_id),
        attributes=attributes,
        coverage=coverage(store, run, attributes, rows),
        rows=rows,
        diagnosis=diagnosis,
        examples=examples(store, run_id, diagnosis, masker),
        fit=gold_fit(store, run.test_set_id),
        criteria=criteria,
        rounds=rounds,
        agreement=agreement,
        calibration=evidence,
        trusts=trusts,
        judge_runs=_judge_runs(store, trusts),
        variants=_variants(store, run),
        safety=latest_result(store, run_id),
        findings=findings(store, run_id),
        threads=threads(store, run.project_id),
        profile=project_profile(store, run.project_id),
        outcomes=criterion_results(store, run_id, seconds=seconds),
        removed=removed_since(store, run_id),
        earlier=earlier(store, run, stored_runs, against, seconds=seconds) if changes else None,
        # Last: what was searched for above leaves an entry in the trail, whose head it shows.
        records=records(store, run),
        commentary=_commentary(store, run_id, masker),
        masker=masker,
        other_runs=tuple(item for item in stored_runs if item.id != run_id and item.state is RunState.FINISHED),
    )
    progress("Reading the rest", 4, 4)
    return gathered


def _commentary(store: Store, run_id: str, masker: Masker) -> dict[str, tuple[Commentary, ...]]:
    with store.read() as connection:
        newest = reports.comments(connection, run_id)
    return {
        section: (Commentary(text=masker.safe(one.text), by=masker.name(one.by), at=one.at),)
        for section, one in newest.items()
    }


def _agreement(
    store: Store, run_id: str, criteria: tuple[Criterion, ...], rounds: tuple[LabelRound, ...]
) -> tuple[AgreementReport, ...]:
    used = {criterion_id for label_round in rounds for criterion_id in label_round.criteria}
    reports = [
        agreement_of_run(store, run_id, criterion.id, resamples=RESAMPLES)
        for criterion in criteria
        if criterion.id in used and criterion.kind is not ScaleKind.COMMENT
    ]
    return tuple(report for report in reports if report.labels)


def _calibration(store: Store, run_id: str, calibration_id: str) -> CalibrationEvidence | None:
    there = calibrations_of(store, run_id)
    if calibration_id:
        stored = calibration_of(store, calibration_id)
        if stored.run_id != run_id:
            raise InvalidInput(
                f"Calibration {calibration_id} is of run {stored.run_id}.", "Choose a calibration of the run."
            )
    elif there:
        stored = there[0]
    else:
        return None
    try:
        passing = pass_rate(store, stored.id)
    except (InsufficientData, InvalidInput):
        passing = None
    return CalibrationEvidence(
        stored=stored,
        report=report_of(stored),
        stale=stale(store, stored),
        passing=passing,
        others=max(0, len(there) - 1),
    )


def _judge_runs(store: Store, trusts: Mapping[str, Trust]) -> dict[str, tuple[JudgeTestRun, JudgeTestFigures]]:
    tested: dict[str, Any] = {}
    for trust in trusts.values():
        if trust.test_run and trust.judge not in tested:
            with store.read() as connection:
                tested[trust.judge] = judge_tests.get(connection, trust.test_run), run_figures(store, trust.test_run)
    return tested


def _variants(store: Store, run: Run) -> tuple[VariantResult, ...]:
    of_run = [
        item
        for item in variant_runs(store, run.project_id)
        if item.parent is not None and item.parent.id == run.id and item.run.state is RunState.FINISHED
    ]
    return tuple(VariantResult(run=item.run, result=robustness(store, item.run.id, run.id)) for item in of_run[:1])
