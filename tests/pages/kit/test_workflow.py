"""Which step comes next: milestones, the diagnosis, and what follows once it was read."""

from __future__ import annotations

from dataclasses import replace

from core.domain.results.runs import VERDICT_METRIC
from core.store.results import runs
from core.weakness.findings.service import record_findings
from core.weakness.options import WeaknessOptions
from pages.kit import navigation, project_reads, workflow
from pages.kit.project_reads import Progress
from tests.support.small_bank import ACTOR


def next_button(app):
    return app.button(key="do_next").label


def test_next_goes_on_after_the_diagnosis_was_opened(open_page, bank):
    first = open_page("overview", project=bank.id)
    assert next_button(first) == "See which module is broken"
    first.switch_page(navigation.spec("diagnose").file).run()
    first.switch_page(navigation.spec("overview").file).run()
    assert next_button(first) == "Put answers to people"


def test_the_weaknesses_and_the_report_come_next_until_they_are_recorded():
    made = Progress(tables=3, documents=9, sql=1, sql_approved=1, texts_approved=1, frozen=1, finished=1)
    read = replace(made, labels=8, calibrations=1)
    assert upcoming(read) == "weakness"
    assert upcoming(replace(read, searched=True)) == "report"
    assert upcoming(replace(read, searched=True, snapshots=1)) == "diagnose"


def upcoming(has):
    return workflow.upcoming({spec.key: spec.step(has) for spec in navigation.PAGES})


def test_a_search_that_finds_nothing_is_a_search(finished, bank):
    assert not project_reads.progress(finished, bank.id).searched
    with finished.read() as connection:
        (run,) = runs.all(connection, bank.id)
    assert record_findings(finished, run.id, VERDICT_METRIC, WeaknessOptions(min_effect=0.99), ACTOR) == ()
    assert project_reads.progress(finished, bank.id).searched


def test_a_test_set_waits_for_what_the_project_can_give():
    waits = {
        "documents": navigation.spec("test_set").step(Progress(documents=5)).waits_for,
        "a database": navigation.spec("test_set").step(Progress(tables=4, documents=5)).waits_for,
        "approved questions": navigation.spec("test_set").step(Progress(documents=5, questions_approved=2)).waits_for,
    }
    assert waits == {"documents": "needs questions", "a database": "needs templates", "approved questions": ""}
