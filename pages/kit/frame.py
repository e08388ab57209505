"""The frame of every page: who is there, which project, the title, the line of context, the sidebar.

A page starts with ``page = frame.begin(__file__)`` and gets a `Page`; nothing in it relies on `app.py` having run, so a
page reached in any way still checks who is there. Then it calls ``page.context(...)`` and draws.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NoReturn, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.errors import Forbidden, NotFound, PlumblineError
from core.domain.results.runs import Run
from core.domain.sources.projects import Project, Role
from core.domain.testset.cases import TestSet
from core.project.service import require
from core.settings import Settings, settings
from core.store.database import Store
from core.testset.variants.service import parent_of
from pages.kit import cache, entry, errors, navigation, project_reads, run_names, state
from pages.kit.look import copy_link, theme
from pages.kit.navigation import PageSpec
from pages.kit.state.links import Link

PRODUCT = "Plumbline"

SIDEBAR_PIXELS = 304
"""The sidebar takes its longest entry, "Know, read, retrieve needs a test set"."""

_CALM = frozenset({"label", "overview"})
"""Pages without the button that copies the link: a place of its own, and one that has no view to send."""

Thing = TypeVar("Thing", TestSet, Run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a page is given.

    Attributes:
        spec: Which page it is.
        store: The store; write through `core` services with `actor`.
        settings: The settings of this server.
        actor: Who is there.
        link: The view the URL names.
        chosen: The project, or None where there is none yet (only with ``needs_project=False``).
    """

    spec: PageSpec
    store: Store
    settings: Settings
    actor: str
    link: Link
    chosen: Project | None
    _line: DeltaGenerator = field(repr=False)
    _notes: list[str] = field(default_factory=list, repr=False)

    @property
    def project(self) -> Project:
        """The project; pages that need one are never drawn without."""
        if self.chosen is None:
            raise NotFound("There is no project yet.", "Create one on the Overview page.")
        return self.chosen

    def context(self, *parts: str) -> None:
        """Writes the line under the title: the project and these parts; empty parts are left out.

        Under it stands which run is in view, once `choose_run` knows it.
        """
        names = [f"Project **{errors.plain(self.chosen.name)}**"] if self.chosen else []
        line = " · ".join([*names, *(part for part in parts if part)])
        if line:
            self._line.caption("  \n".join([line, *self._notes]))

    def may(self, role: Role) -> bool:
        """Whether the actor has that role here; `core` checks again on every action."""
        try:
            require(self.store, self.project.id, self.actor, role)
        except Forbidden:
            return False
        return True

    def test_set(self) -> TestSet | None:
        """The test set in view: the URL's, else the one looked at last, else the newest; None where there is none.

        An id that names nothing, or a test set of another project, is told with a way back and ends the page.
        """
        sets = project_reads.test_sets(self.store, self.project.id)
        return _in_view(self, "test_set", sorted(sets, key=lambda test_set: bool(parent_of(test_set))))

    def run(self) -> Run | None:
        """The run in view: the URL's, else the finished one looked at last, else the newest of a connected system.

        The newest baseline stands in where no run of a connected system is finished.

        A run that is still going is in view only where a link names it, since what it shows changes by itself. None
        where no run is finished.
        """
        runs = project_reads.runs_on_cases(self.store, self.project.id)
        return _in_view(self, "run", runs, project_reads.finished_runs(self.store, self.project.id))

    def choose_run(self, label: str = "Run", *, preferred: Collection[str] = ()) -> Run | None:
        """A select box of the project's runs, newest first, bound to the URL; the run in view.

        Where no link names a run, the newest of the `preferred` ones (those that have what the page shows) goes before
        one that has nothing to show.

        The line under the title says how the run stands among the others, and the URL names it even where nobody chose
        it, so that a copied link keeps its evidence. None where no run is finished and no link names one; `no_run` then
        says so.
        """
        runs = {run.id: run for run in project_reads.runs(self.store, self.project.id)}
        current = self.run()
        if current is None:
            return None
        if preferred and not state.link().run and current.id not in preferred:
            current = next((run for run in runs.values() if run.id in preferred), current)
        sets = {test_set.id: test_set for test_set in project_reads.test_sets(self.store, self.project.id)}
        selected = state.choose(
            label,
            list(runs),
            "run",
            default=current.id,
            name=lambda run_id: run_names.run_label(runs[run_id], sets),
            pinned=True,
        )
        state.remember(run=selected)
        self.names_run(runs[selected])
        return runs[selected]

    def names_run(self, run: Run) -> None:
        """Says under the line of context how the run in view stands among the others of the project."""
        runs = project_reads.runs_on_cases(self.store, self.project.id)
        variants = project_reads.variant_sets(self.store, self.project.id)
        self._notes[:] = [run_names.standing(run, [other for other in runs if other.test_set_id not in variants])]
        self.context()

    def no_run(self, why: str) -> None:
        """The empty state where there is no run to show: what the page will hold, and the way to a run.

        Args:
            why: What will be here once a run is finished.
        """
        waiting = next(iter(project_reads.runs_on_cases(self.store, self.project.id)), None)
        if waiting is None:
            empty("No run yet.", why, "run", "Run the test set")
            return
        with st.container(border=True, key="empty_state"):
            st.markdown(f"**No run is finished yet.**  \n{why}")
            with st.container(horizontal=True):
                if st.button("Watch the run", key="go_run", type="primary"):
                    state.go("run", run=waiting.id)
                if st.button("Show what it has so far", key="show_unfinished", type="tertiary"):
                    state.update(run=waiting.id)
                    st.rerun()

    def choose_test_set(self, label: str = "Test set", *, frozen_only: bool = False) -> TestSet | None:
        """A select box of the project's test sets, newest first, bound to the URL; the one in view."""
        test_sets = {
            test_set.id: test_set
            for test_set in project_reads.test_sets(self.store, self.project.id)
            if test_set.frozen or not frozen_only
        }
        if not test_sets:
            return None
        current = self.test_set()
        default = current.id if current and current.id in test_sets else next(iter(test_sets))
        picked = state.choose(
            label,
            list(test_sets),
            "test_set",
            default=default,
            name=lambda set_id: run_names.test_set_label(test_sets[set_id]),
        )
        state.remember(test_set=picked)
        return test_sets[picked]


def configure(title: str) -> None:
    """Sets the title of the browser's tab, the width of the page and that of the sidebar."""
    st.set_page_config(
        page_title=title, page_icon=str(navigation.ICON), layout="wide", initial_sidebar_state=SIDEBAR_PIXELS
    )


def begin(page: str, *, needs_project: bool = True, questions: Mapping[str, str] | None = None) -> Page:
    """Starts a page: sign-in, project, title, messages.

    Args:
        page: The page's ``__file__`` or key.
        needs_project: Whether the page makes no sense without a project; then it offers to create one instead.
        questions: Questions of the page's views by their ``view`` in the URL; the page's own elsewhere.

    Returns:
        What the page works with.
    """
    spec = navigation.spec(page)
    configure(f"{spec.title} - {PRODUCT}")
    theme.apply()
    config = settings()
    actor = entry.sign_in(config)
    store = cache.store()
    st.title((questions or {}).get(st.query_params.get("view", ""), spec.question), anchor=False)
    try:
        link = state.link()
        project = entry.current_project(store, actor)
    except PlumblineError as error:
        stop_with(error)
    started = Page(
        spec=spec, store=store, settings=config, actor=actor, link=link, chosen=project, _line=_line_of_context(spec)
    )
    started.context()
    for message in state.messages():
        st.success(message, icon=":material/check:")
    if project is None and needs_project:
        empty("There is no project yet.", "Create one, or start with the sample.", "overview", "Open the overview")
        st.stop()
    if project is not None:
        state.update(project=project.id)
        state.keep(state.visited(spec.key), True)
    return started


def _line_of_context(spec: PageSpec) -> DeltaGenerator:
    """The place of the line under the title, with the button that copies the link beside it."""
    if spec.key in _CALM:
        return st.empty()
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key="context"):
        line = st.empty()
        copy_link.draw()
    return line


def stop_with(error: PlumblineError) -> NoReturn:
    """Shows an error that leaves nothing to draw, with a way back, and ends the page."""
    errors.show(error)
    if st.button("Back to the overview", key="back_to_overview"):
        state.remember(project="", run="", test_set="")
        st.switch_page(navigation.spec("overview").path, query_params={})
    st.stop()


def empty(what: str, why: str, page: str, label: str, **parameters: str | int) -> None:
    """An empty state: what this page will show, what it waits for, and the next step as a button.

    Args:
        what: What is missing ("No test set is frozen yet.").
        why: What will be here, or what to do.
        page: The page that has the next step.
        label: The button's verb.
        **parameters: Of the link to that page.
    """
    with st.container(border=True, key="empty_state"):
        st.markdown(f"**{what}**  \n{why}")
        if st.button(label, key=f"go_{page}", type="primary"):
            state.go(page, **parameters)


def _in_view(
    page: Page, name: Literal["test_set", "run"], things: Sequence[Thing], usual: Sequence[Thing] | None = None
) -> Thing | None:
    """The thing that the URL names among `things`; else the remembered or the first one of `usual`, all by default."""
    unasked = {thing.id: thing for thing in (things if usual is None else usual)}
    things_by_id = {thing.id: thing for thing in things}
    linked_id = getattr(page.link, name)
    if linked_id and linked_id not in things_by_id:
        word = name.replace("_", " ")
        errors.show(
            NotFound(f"This project has no {word} {linked_id}.", f"Choose a {word} of this project, or check the link.")
        )
        if st.button("Show the latest instead", key="show_latest"):
            cleared: dict[str, str | int] = {name: "", "case": "", "page": 1}
            state.update(**cleared)
            st.rerun()
        st.stop()
    chosen = things_by_id.get(linked_id) or unasked.get(state.remembered(name)) or next(iter(unasked.values()), None)
    if chosen is not None:
        state.remember(**{name: chosen.id})
    return chosen
