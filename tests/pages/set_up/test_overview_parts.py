"""The parts of the Overview page: purpose and risks, acceptance criteria, sample size, name and deletion."""

from __future__ import annotations

import re

import pytest

from core.criteria.service import criteria, criterion, lock_criteria, save_criteria
from core.domain.results.acceptance import Bound
from core.project.profiles import project_profile
from core.project.service import create_project
from core.store import projects
from tests.pages.clicks import MARKUP, as_viewer, captions, keys, table
from tests.support.small_bank import ACTOR, said


def test_purpose_and_risks_are_written_and_read_again(open_page, store, project):
    app = open_page("overview", project=project.id, view="profile")
    assert not app.exception
    assert "Not written yet: purpose, scope, intended use, system under test, users, risks" in captions(app)
    app.text_area(key="purpose_").set_value("Decide on the pilot.")
    app.text_input(key="system_name_").set_value(MARKUP)
    app.text_input(key="risk_0_").set_value("Wrong rate quoted")
    app.button(key="save_profile").click().run()
    assert not app.exception
    profile = project_profile(store, project.id)
    assert (profile.purpose, profile.system.name) == ("Decide on the pilot.", MARKUP)
    assert [risk.name for risk in profile.risks] == ["Wrong rate quoted"]
    assert app.text_input(key=f"risk_0_{profile.changed_at}").value == "Wrong rate quoted"
    app.text_input(key=f"risk_0_{profile.changed_at}").set_value("")
    app.button(key="save_profile").click().run()
    assert project_profile(store, project.id).risks == ()


def test_what_cannot_be_saved_is_said_and_stays_in_its_field(open_page, store, project):
    app = open_page("overview", project=project.id, view="profile")
    app.text_area(key="purpose_").set_value("x" * 20_000)
    app.button(key="save_profile").click().run()
    assert not app.exception
    assert "20,000" in app.error[0].value
    assert app.text_area(key="purpose_").value == "x" * 20_000
    assert project_profile(store, project.id).purpose == ""
    # A risk that is described and has no name is no empty line.
    app.text_area(key="purpose_").set_value("Decide.")
    app.text_input(key="risk_about_1_").set_value("A clerk quotes a wrong rate.")
    app.button(key="save_profile").click().run()
    assert "The risk described as 'A clerk quotes a wrong rate.' has no name." in app.error[0].value
    assert app.text_input(key="risk_about_1_").value == "A clerk quotes a wrong rate."
    app.text_input(key="risk_1_").set_value("Wrong rate")
    app.button(key="save_profile").click().run()
    assert [risk.name for risk in project_profile(store, project.id).risks] == ["Wrong rate"]


def test_a_viewer_reads_the_profile_and_changes_nothing(open_page, store, project, monkeypatch):
    app = open_page("overview", project=project.id, view="profile")
    app = as_viewer(app, store, project, monkeypatch)
    assert not app.exception
    assert "save_profile" not in keys(app)
    assert "Only a validator of the project may change this." in captions(app)


@pytest.mark.slow
def test_a_criterion_is_added_judged_locked_and_changed_with_a_reason(open_page, finished, bank):
    app = open_page("overview", project=bank.id, view="criteria")
    assert not app.exception
    assert "No criterion is set" in said(app)
    app.number_input(key="criterion_threshold_new_0").set_value(0.2)
    app.selectbox(key="criterion_bound_new_0").set_value(True)
    app.button(key="save_criterion_new_0").click().run()
    assert not app.exception
    (made,) = criteria(finished, bank.id)
    assert (made.metric, made.threshold, made.bound) == ("accuracy", 0.2, Bound.LOWER)
    row = table(app, "criteria_table").iloc[0]
    assert row["Criterion"] == "Accuracy: lower bound at least 0.2"
    assert row["Verdict"] in ("✓ Met", "✗ Not met")
    assert row["Set"] in ("after the run", "before")  # the run is seconds old

    app.button(key="lock_criteria").click().run()
    assert criteria(finished, bank.id)[0].locked
    assert "lock_criteria" not in keys(app)

    app = open_page("overview", project=bank.id, view="criteria", criterion=made.id)
    tag = f"{made.id}_1"
    app.number_input(key=f"criterion_threshold_{tag}").set_value(0.1)
    app.button(key=f"save_criterion_{tag}").click().run()
    assert "is locked" in app.error[0].value
    app.text_input(key=f"criterion_reason_{tag}").set_value("Agreed with the owner.")
    app.button(key=f"save_criterion_{tag}").click().run()
    assert not app.exception
    assert criteria(finished, bank.id)[0].threshold == 0.1
    history = next(item.value for item in app.dataframe if "Reason" in item.value.columns)
    assert "Agreed with the owner." in list(history["Reason"])

    app.button(key=f"remove_criterion_{made.id}_2").click().run()
    assert criteria(finished, bank.id) == ()


def test_criteria_are_shown_before_there_is_a_run(open_page, store, project):
    save_criteria(store, project.id, [criterion("accuracy", 0.9, note=MARKUP)], actor=ACTOR)
    lock_criteria(store, project.id, actor=ACTOR)
    app = open_page("overview", project=project.id, view="criteria")
    assert not app.exception
    assert "No run has finished yet" in captions(app)
    assert table(app, "criteria_table")["Set"].iloc[0] == "locked"


def test_a_threshold_outside_the_range_is_refused(open_page, store, project):
    app = open_page("overview", project=project.id, view="criteria")
    app.number_input(key="criterion_threshold_new_0").set_value(90.0)
    app.button(key="save_criterion_new_0").click().run()
    assert "90 is no threshold for Accuracy" in app.error[0].value
    assert criteria(store, project.id) == ()


@pytest.mark.slow
def test_the_glance_has_four_figures_and_what_the_test_set_covers(open_page, finished, bank):
    save_criteria(finished, bank.id, [criterion("accuracy", 0.01), criterion("flip_rate", 0.1)], actor=ACTOR)
    app = open_page("overview", project=bank.id)
    figures = {metric.label: metric.value for metric in app.metric}
    assert figures["Criteria met"] == "1 of 2"
    assert figures["Open findings"] == "0"
    assert "the test set asks about" in said(app)
    # Connect, templates, test set, run and the diagnosis of a finished run; nobody labelled, searched or froze.
    assert "5 of 9 steps are done" in said(app)


def test_a_new_project_is_led_to_write_down_what_it_is_for(open_page, store, project):
    app = open_page("overview", project=project.id)
    assert {"write_profile", "set_criteria"} <= keys(app)
    app.button(key="set_criteria").click().run()
    assert not app.exception
    assert "No criterion is set" in said(app)
    save_criteria(store, project.id, [criterion("accuracy", 0.9)], actor=ACTOR)
    app = open_page("overview", project=project.id, view="glance")
    assert "set_criteria" not in keys(app)


def test_the_sample_size_is_planned_from_the_latest_run(open_page, bank):
    app = open_page("overview", project=bank.id, view="sample")
    assert not app.exception
    assert "design effect" in captions(app)
    before = int(next(metric.value for metric in app.metric if metric.label == "Facts").replace(",", ""))
    app.number_input(key="plan_width").set_value(0.02).run()
    after = int(next(metric.value for metric in app.metric if metric.label == "Facts").replace(",", ""))
    assert after > before


def test_the_plan_writes_every_number_as_it_was_entered(open_page, project):
    app = open_page("overview", project=project.id, view="sample")
    app.number_input(key="plan_size").set_value(1.0)
    app.number_input(key="plan_share").set_value(0.005)
    app.number_input(key="plan_width").set_value(0.005).run()
    assert not app.exception
    shares = ("plan_share", "plan_width", "plan_likeness")
    assert {app.number_input(key=key).proto.format for key in shares} == {"%.3f"}
    assert "1 wording of each fact" in captions(app)
    # Near 0 the interval reaches further up than down: 0.005 more or less would begin at 0.
    assert re.search(r"A share of 0.005 then has a 95% interval of about \[0.00[1-9], 0.01[0-9]\]", said(app))


def test_what_cannot_be_planned_says_why(open_page, project):
    app = open_page("overview", project=project.id, view="sample")
    assert "No run has finished yet" in captions(app)
    app.segmented_control(key="plan_goal").set_value("pass").run()
    assert not app.exception
    app.number_input(key="plan_threshold").set_value(0.95).run()
    assert "cannot be shown to be above 0.95" in app.error[0].value
    app.segmented_control(key="plan_goal").set_value("change").run()
    assert not app.exception
    assert any(metric.label == "Facts" for metric in app.metric)


def test_a_project_is_renamed(open_page, store, project):
    app = open_page("overview", project=project.id, view="project")
    app.text_input(key=f"rename_name_{project.id}").set_value(MARKUP)
    app.button(key="rename_project").click().run()
    assert not app.exception
    with store.read() as connection:
        assert projects.get(connection, project.id).name == MARKUP


@pytest.mark.slow
def test_a_project_is_deleted_after_its_name_is_typed(open_page, store, project):
    other = create_project(store, "Other", ACTOR)
    app = open_page("overview", project=project.id, view="project")
    app.text_input(key=f"delete_name_{project.id}").set_value("something else")
    app.button(key="delete_project").click().run()
    assert "Type it exactly" in app.error[0].value
    app.text_input(key=f"delete_name_{project.id}").set_value(project.name)
    app.button(key="delete_project").click().run()
    assert not app.exception
    with store.read() as connection:
        assert [one.id for one in projects.all(connection)] == [other.id]


def test_only_an_owner_may_delete(open_page, store, project, monkeypatch):
    app = open_page("overview", project=project.id, view="project")
    app = as_viewer(app, store, project, monkeypatch)
    assert not {"rename_project", "delete_project"} & keys(app)
    assert "Only an owner of the project" in captions(app)
