"""Findings over runs on the Weakness page: retested by a click, one decision for all runs, merged by a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.results.findings import FindingKind
from core.store.people import findings as stored
from core.weakness.findings.over_runs.threads import threads
from core.weakness.findings.service import findings, record_findings
from tests.core.weakness.findings.over_runs.test_retesting import QUICK, next_run, weak
from tests.pages.clicks import captions, keys, select, table
from tests.support.planted_run import ACTOR, planted_run
from tests.support.small_bank import said


@pytest.fixture
def two(store):
    """A run with a finding, and one in which the finding is mended."""
    first = planted_run(store, weak(2))
    record_findings(store, first.id, "verdict", None, ACTOR, search=QUICK)
    return first, next_run(store, first, weak(8))


def test_an_earlier_finding_is_retested_and_says_fixed(open_page, store, two):
    second = two[1]
    app = open_page("weakness", run=second.id, view="findings")
    assert not app.exception
    assert table(app, "findings_table")["In this run"].tolist() == ["Not retested"]
    assert "1 finding of other runs" in captions(app)
    app.button(key="retest_findings").click().run()
    assert not app.exception
    assert "1 finding retested: 1 fixed." in app.success[0].value
    row = table(app, "findings_table").iloc[0]
    assert (row["In this run"], row["Finding"]) == ("✓ Fixed", "Questions about loans whose answer is a number")
    assert "retest_findings" not in keys(app)
    select(app, "findings_table", 0, "id")
    assert not app.exception
    over_runs = next(item.value for item in app.dataframe if "Says" in item.value.columns)
    assert over_runs["Says"].tolist() == ["found", "fixed"]
    assert "+" in over_runs["Change"].iloc[1] or "0.6" in over_runs["Change"].iloc[1]
    app.button(key="open_finding_run").click().run()
    assert not app.exception
    assert table(app, "findings_table")["In this run"].tolist() == ["Found"]


def test_name_and_due_date_are_saved_for_every_run(open_page, store, two):
    first, second = two
    record_findings(store, second.id, "verdict", None, ACTOR, search=QUICK)
    (own,) = findings(store, first.id)
    app = open_page("weakness", run=first.id, view="findings", cell=own.id)
    app.text_input(key=f"title_{own.id}").set_value("Loans *in* numbers")
    app.button(key=f"save_{own.id}").click().run()
    assert not app.exception
    (thread,) = threads(store, first.project_id)
    assert thread.name == "Loans *in* numbers"
    assert "Loans *in* numbers" in said(app).replace("\\", "")


@pytest.mark.slow
def test_two_findings_with_the_same_cases_are_merged_by_a_person(open_page, store, two):
    first, second = two
    (own,) = findings(store, first.id)
    twin = replace(
        own, id="fnd_twin", run_id=second.id, thread="", kind=FindingKind.SLICE, conditions=(("topic", "loans"),)
    )
    with store.write(ACTOR, "findings.record", project_id=first.project_id) as connection:
        stored.put(connection, [twin])
    app = open_page("weakness", run=second.id, view="findings")
    (button,) = (key for key in keys(app) if key.startswith("merge_"))
    app.button(key=button).click().run()
    assert not app.exception
    (whole,) = threads(store, first.project_id)
    app = open_page("weakness", run=second.id, view="findings", cell=whole.newest.id)
    (back,) = (key for key in keys(app) if key.startswith("split_"))
    app.button(key=back).click().run()
    assert not app.exception
    assert len(threads(store, first.project_id)) == 2
