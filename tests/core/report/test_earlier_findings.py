"""Findings of earlier runs in the report of a run that was never searched itself."""

from __future__ import annotations

import pytest

from core.domain.results.findings import FindingStatus
from core.report.collecting import ReportOptions, collect
from core.report.content import Table
from core.weakness.findings.over_runs.retesting import retest_findings
from core.weakness.findings.service import change_finding, findings, record_findings
from tests.core.weakness.findings.over_runs.test_retesting import QUICK, next_run, weak
from tests.support.weakness.planted_run import ACTOR, planted_run


@pytest.fixture
def retested(store):
    """A run without a search of its own, on which the finding of the run before it is still there."""
    first = planted_run(store, weak(2))
    record_findings(store, first.id, "verdict", None, ACTOR, search=QUICK)
    (found,) = findings(store, first.id)
    status = FindingStatus.IN_PROGRESS
    change_finding(store, found.id, status=status, owner="Priya Nair", due="2026-12-15", actor=ACTOR)
    second = next_run(store, first, weak(2))
    retest_findings(store, second.id, actor=ACTOR)
    return second


def test_a_finding_that_is_still_there_is_named_with_its_decision(store, retested):
    content = collect(store, retested.id, ReportOptions(date="2026-11-29"))
    (section,) = (part for part in content.sections if part.title == "Weaknesses and findings")
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    ((name, outcome, _, decision, _),) = table.rows
    assert name == "Questions about loans whose answer is a number"
    assert outcome == "still there"
    assert decision == "high, in progress: Priya Nair, by 2026-12-15"
    # No finding is this run's own, and the one that stays is counted apart.
    assert (content.figures["open_findings"], content.figures["open_findings_of_earlier_runs"]) == (0, 1)
