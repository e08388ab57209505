"""Which step comes next: milestones, the diagnosis, and what follows once it was read."""

from __future__ import annotations

from pages.kit import navigation


def next_button(app):
    return app.button(key="do_next").label


def test_next_goes_on_after_the_diagnosis_was_opened(open_page, bank):
    first = open_page("overview", project=bank.id)
    assert next_button(first) == "See which module is broken"
    first.switch_page(navigation.spec("diagnose").file).run()
    first.switch_page(navigation.spec("overview").file).run()
    assert next_button(first) == "Put answers to people"
