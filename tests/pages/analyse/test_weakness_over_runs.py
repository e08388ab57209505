"""Findings over runs on the Weakness page: retested by a click, one decision for all runs, merged by a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.results.findings import FindingKind, FindingStatus, Severity
from core.store.people import findings as stored
from core.weakness.findings.over_runs.threads import threads
from core.weakness.findings.service import finding, findings, record_findings
from tests.core.weakness.findings.over_runs.test_retesting import QUICK, next_run, weak
from tests.pages.clicks import captions, holding, keys, select, table
from tests.pages.conftest import window
from tests.pages.people.test_label import everything
from tests.support.small_bank import said
from tests.support.weakness.planted_run import ACTOR, planted_run


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
    over_runs = holding(app, "Outcome")
    assert over_runs["Outcome"].tolist() == ["found", "fixed"]
    assert "+" in over_runs["Change"].iloc[1] or "0.6" in over_runs["Change"].iloc[1]
    app.button(key="open_finding_run").click().run()
    assert not app.exception
    assert table(app, "findings_table")["In this run"].tolist() == ["Found"]


def test_name_and_due_date_are_saved_for_every_run(open_page, store, two):
    first, second = two
    record_findings(store, second.id, "verdict", None, ACTOR, search=QUICK)
    (own,) = findings(store, first.id)
    app = open_page("weakness", run=first.id, view="findings", cell=own.id)
    app.text_input(key=f"title_{own.id}_0").set_value("Loans *in* numbers")
    app.button(key=f"save_{own.id}_0").click().run()
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


# Two validators decide on one finding at once.


@pytest.fixture
def deciders(data, store, two):
    """Two windows with the same finding open, and the finding."""
    (own,) = findings(store, two[0].id)
    place = {"project": own.project_id, "run": own.run_id, "view": "findings", "cell": own.id}
    return own, window("weakness", **place), window("weakness", **place)


def stands(store, own):
    return finding(store, own.id)


def test_a_second_decision_on_a_finding_is_told_the_first_and_may_keep_it(store, deciders):
    own, first, second = deciders
    first.selectbox(key=f"status_{own.id}_0").set_value(FindingStatus.ACCEPTED)
    first.text_input(key=f"owner_{own.id}_0").set_value("Ada \u202e <b>")
    first.button(key=f"save_{own.id}_0").click().run()
    assert "changed this finding" not in everything(first)
    second.selectbox(key=f"status_{own.id}_0").set_value(FindingStatus.DISMISSED)
    second.text_area(key=f"comment_{own.id}_0").set_value("It is a test.")
    second.button(key=f"save_{own.id}_0").click().run()
    assert not second.exception
    assert (stands(store, own).status, stands(store, own).comment) == (FindingStatus.ACCEPTED, "")
    words = everything(second)
    assert f"{ACTOR} changed this finding while it was open here. Your decision here is not saved yet." in words
    assert "UTC: Accepted risk" in words
    assert "UTC: Ada ⟨U+202E⟩ <b>" in words
    assert "Status, yours: Dismissed" in words
    assert "Comment, yours: It is a test." in words
    second.button(key=f"keep_finding_{own.id}").click().run()
    assert stands(store, own).status is FindingStatus.ACCEPTED
    assert "changed this finding" not in everything(second)
    assert second.selectbox(key=f"status_{own.id}_1").value is FindingStatus.ACCEPTED
    assert second.text_area(key=f"comment_{own.id}_1").value == ""


def test_a_second_decision_on_a_finding_replaces_only_its_own_fields_and_only_what_it_was_shown(store, deciders):
    own, first, second = deciders
    first.text_input(key=f"owner_{own.id}_0").set_value("Ada")
    first.button(key=f"save_{own.id}_0").click().run()
    second.selectbox(key=f"severity_{own.id}_0").set_value(Severity.LOW)
    second.button(key=f"save_{own.id}_0").click().run()
    assert stands(store, own).severity is own.severity
    # The first person decides once more while the second one chooses: that is told before anything is replaced.
    first.selectbox(key=f"severity_{own.id}_1").set_value(Severity.MEDIUM)
    first.button(key=f"save_{own.id}_1").click().run()
    second.button(key=f"replace_finding_{own.id}").click().run()
    assert stands(store, own).severity is Severity.MEDIUM
    assert "UTC: Medium" in everything(second)
    second.button(key=f"replace_finding_{own.id}").click().run()
    assert (stands(store, own).severity, stands(store, own).owner) == (Severity.LOW, "Ada")


def test_a_finding_that_changed_under_the_hand_keeps_what_was_begun_and_is_told(store, deciders):
    own, first, second = deciders
    first.text_input(key=f"owner_{own.id}_0").set_value("Ada")
    first.button(key=f"save_{own.id}_0").click().run()
    second.run()
    assert "changed this finding while it was open here" in everything(second)
    assert second.text_input(key=f"owner_{own.id}_0").value == ""
    second.text_input(key=f"title_{own.id}_0").set_value("Loans in numbers")
    second.button(key=f"save_{own.id}_0").click().run()
    assert (stands(store, own).title, stands(store, own).owner) == ("", "Ada")
    second.button(key=f"replace_finding_{own.id}").click().run()
    assert (stands(store, own).title, stands(store, own).owner) == ("Loans in numbers", "Ada")
