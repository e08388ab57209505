"""A run that ends while a page is drawn is news to that page: it is drawn once more."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.domain.results.runs import Run, RunState
from pages.kit.work import live


class Drawn(Exception):
    """The page is drawn again."""


def rerun():
    raise Drawn


@pytest.fixture
def page(monkeypatch):
    """A page of a project with one run at work; its looks are made by hand."""
    seen = SimpleNamespace(state=RunState.RUNNING, look=lambda: None)
    run = Run(id="r", project_id="p", test_set_id="t", target="keyword")

    def fragment(look, run_every):
        return lambda *arguments: setattr(seen, "look", lambda: look(*arguments))

    monkeypatch.setattr(live.project_reads, "runs", lambda store, project: (replace(run, state=seen.state),))
    monkeypatch.setattr(live, "st", SimpleNamespace(fragment=fragment, rerun=rerun))
    seen.store, seen.project = None, SimpleNamespace(id="p")
    return seen


def test_what_ends_while_the_page_is_drawn_is_not_missed(page):
    standing = live.standing(page)
    page.state = RunState.FINISHED  # the page has drawn it at work by now
    live.follow_runs(page, standing)
    with pytest.raises(Drawn):
        page.look()


def test_nothing_is_drawn_again_where_nothing_changed(page):
    live.follow_runs(page, live.standing(page))
    page.look()
