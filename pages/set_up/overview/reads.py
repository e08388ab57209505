"""Cached reads of the Overview page: profile, criteria and their results, coverage, labels, findings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.criteria.judging import criterion_results, removed_since
from core.criteria.service import CriterionChange, criteria_changes
from core.criteria.service import criteria as stored_criteria
from core.domain.results.acceptance import AcceptanceCriterion, CriterionResult
from core.domain.results.findings import FindingKind, FindingStatus, Severity
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.profiles import ProjectProfile
from core.labelling.rating.progress import progress
from core.project.profiles import project_profile
from core.runs.scores.summary import score_matrix
from core.stats.planning import Grouping, grouping_of
from core.store.database import Store
from core.store.people import findings as finding_table
from core.store.people import labels as label_table
from core.testset.coverage import TestSetCoverage, coverage_of
from pages.kit.cache import read


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Findings that are not settled.

    Attributes:
        findings: How many.
        high: Of these, with a high severity.
        run_id: The newest run that has one.
    """

    findings: int = 0
    high: int = 0
    run_id: str = ""


@read("criteria")
def profile(store: Store, project_id: str) -> ProjectProfile:
    """The profile of a project."""
    return project_profile(store, project_id)


@read("criteria")
def criteria(store: Store, project_id: str) -> tuple[AcceptanceCriterion, ...]:
    """The present criteria of a project."""
    return stored_criteria(store, project_id)


@read("criteria")
def changes(store: Store, project_id: str) -> tuple[CriterionChange, ...]:
    """Every version of every criterion, oldest first."""
    return criteria_changes(store, project_id)


@read(
    "criteria",
    "runs",
    "answers",
    "scores",
    "test_sets",
    "sources",
    "evidence",
    "labels",
    "calibrations",
    "templates",
    max_entries=16,
)
def results(store: Store, project_id: str, run_id: str) -> tuple[CriterionResult, ...]:
    """The present criteria judged by a run; of the whole project, since runs on variants count as well."""
    return criterion_results(store, run_id)


@read("criteria", "runs")
def removed(store: Store, project_id: str, run_id: str) -> tuple[AcceptanceCriterion, ...]:
    """Criteria that stood when a run was started and were removed since."""
    return removed_since(store, run_id)


@read("test_sets", "sources", "topics", max_entries=16)
def coverage(store: Store, project_id: str, test_set_id: str) -> TestSetCoverage:
    """What a test set asks about."""
    return coverage_of(store, test_set_id)


@read("labels")
def labelled(store: Store, project_id: str) -> tuple[int, int]:
    """Tasks of raters that are done, and all of them, in rounds that are open."""
    with store.read() as connection:
        rounds = [one.id for one in label_table.rounds(connection, project_id) if not one.closed]
    raters = [rater for round_id in rounds for rater in progress(store, round_id)]
    return sum(rater.done for rater in raters), sum(rater.of for rater in raters)


@read("findings", "runs")
def open_findings(store: Store, project_id: str) -> Open:
    """The findings of a project that are not settled; one that several runs have counts once."""
    settled = (FindingStatus.ACCEPTED, FindingStatus.RESOLVED, FindingStatus.DISMISSED)
    with store.read() as connection:
        there = finding_table.newest_of_threads(connection, project_id)
    unsettled = [
        one for one in there if one.status not in settled and one.kind is not FindingKind.UNSCORED and not one.gone
    ]
    return Open(
        findings=len(unsettled),
        high=sum(one.severity is Severity.HIGH for one in unsettled),
        run_id=unsettled[0].run_id if unsettled else "",
    )


@read("runs", "answers", "scores", "test_sets")
def grouping(store: Store, run_id: str) -> tuple[float | None, Grouping]:
    """The accuracy of a run, and how its cases hang together; no accuracy where nothing is judged."""
    matrix = score_matrix(store, run_id, [VERDICT_METRIC])
    values = matrix.values[:, 0]
    judged = ~np.isnan(values)
    if not judged.any():
        return None, Grouping()
    return float(values[judged].mean()), grouping_of(values[judged] == 1.0, matrix.clusters[judged])
