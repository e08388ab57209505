"""Which step comes next: milestones, the diagnosis, and what follows once it was read."""

from __future__ import annotations

from pages.kit import navigation
from pages.kit.project_reads import Progress


def next_button(app):
    return app.button(key="do_next").label


def test_next_goes_on_after_the_diagnosis_was_opened(open_page, bank):
    first = open_page("overview", project=bank.id)
    assert next_button(first) == "See which module is broken"
    first.switch_page(navigation.spec("diagnose").file).run()
    first.switch_page(navigation.spec("overview").file).run()
    assert next_button(first) == "Put answers to people"


def test_a_test_set_waits_for_what_the_project_can_give():
    waits = {
        "documents": navigation.spec("test_set").step(Progress(documents=5)).waits_for,
        "a database": navigation.spec("test_set").step(Progress(tables=4, documents=5)).waits_for,
        "approved questions": navigation.spec("test_set").step(Progress(documents=5, questions_approved=2)).waits_for,
    }
    assert waits == {"documents": "needs questions", "a database": "needs templates", "approved questions": ""}
