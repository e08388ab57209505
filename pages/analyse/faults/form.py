"""A new trial from the screen: the set-up, which faults, in how many facts, and what that asks."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.domain.sources.projects import SourceKind
from core.domain.testset.cases import TestSet
from core.faults.kinds import FAULTS, TITLES, fault_named, kinds_named
from core.faults.service import TrialPlan, fitting, kept_answers, searches_documents, start_trial, usual
from core.llm import Limits
from pages.analyse.faults import reads
from pages.kit import errors, frame, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.models import judge

ABOUT: Final = (
    "This page plants faults of known kinds in copies of a working set-up and shows whether the diagnosis calls each "
    "by its name."
)


def missing(page: Page) -> bool:
    """Tells what a trial waits for, with the next step as a button; whether it waits for anything."""
    if not any(test_set.frozen for test_set in project_reads.test_sets(page.store, page.project.id)):
        frame.empty("No test set is frozen yet.", ABOUT, "test_set", "Build a test set")
        return True
    if project_reads.source(page.store, page.project.id, SourceKind.CORPUS) is None:
        frame.empty("The project has no documents yet.", ABOUT, "connect", "Load documents", view="documents")
        return True
    return False


def draw(page: Page, *, opened: bool) -> None:
    """The form that starts a trial.

    Args:
        page: The page.
        opened: Whether it is drawn open.
    """
    if opened:
        st.markdown(ABOUT)
    with st.expander("Plant faults in a working set-up", key="faults_form", expanded=opened, icon=":material/science:"):
        test_set_at, system_at, k_at = st.columns([3, 3, 1])
        with test_set_at:
            test_set = page.choose_test_set(frozen_only=True)
        systems = reads.systems(page)
        chosen = system_at.selectbox(
            "System", list(systems), key="faults_system", format_func=lambda key: systems[key].title
        )
        if test_set is None or chosen is None:
            return
        system = systems[chosen]
        options = dict(system.options)
        if system.default_k is not None:
            options["k"] = int(
                k_at.number_input(
                    "k", 1, 100, system.default_k, key=f"faults_k_{chosen}", help="Documents it retrieves."
                )
            )
        _faults(page, test_set, system, options)


def _faults(page: Page, test_set: TestSet, system: reads.System, options: dict[str, object]) -> None:
    searches = searches_documents(system.target, options)
    fit = fitting(system.target, options)
    names = st.multiselect(
        "Faults",
        [str(kind) for kind in fit],
        default=[str(kind) for kind in usual(system.target, options)],
        format_func=lambda name: TITLES[fault_named(name)],
        key=f"faults_kinds_{len(fit)}",
        placeholder="Choose faults",
        help="Each in a copy of the set-up: a kind alone, all kinds mixed in facts of their own, or two that meet in "
        "one fact. Documents, runs and test set stay as they are.",
    )
    share_at, seed_at, _ = st.columns([1, 1, 3])
    share = share_at.number_input(
        "Share of facts",
        0.01,
        1.0,
        0.1,
        step=0.05,
        key="faults_share",
        help="Of the facts that the documents state and the system answers rightly in some wording. A mix takes a "
        "share for each of its kinds.",
    )
    seed = seed_at.number_input("Seed", 0, 2**31 - 1, 0, key="faults_seed", help="Fixes which facts are drawn.")
    if not searches:
        left_out = ", ".join(TITLES[fault].lower() for fault in FAULTS if fault not in fit)
        st.caption(f"This system has documents of its own, so these cannot be planted: {left_out}.")
    with errors.shown():
        asked = reads.asking_of(page.store, test_set.id, tuple(names), float(share), searches)
        st.caption(
            f"Asks {numbers.count(asked.first, 'question')} first and at most {asked.most:,} more. "
            f"At most {asked.faults:,} of {numbers.count(asked.facts, 'fact')} get a fault of each kind."
        )
        limits = Limits()
        if system.target.startswith("openai:") or system.judge.startswith("llm:"):
            st.caption("Each question is a call of a model unless the ledger has its reply.")
            fields = judge.budget("faults")
            most = fields["budget_calls"]
            limits = Limits(money=fields["budget"], calls=None if most is None else int(most))
        plan = TrialPlan(
            test_set_id=test_set.id,
            target=system.target,
            judge=system.judge,
            options=options,
            kinds=kinds_named(names),
            share=float(share),
            seed=int(seed),
            limits=limits,
        )
        _kept(page, plan)
        if st.button("Plant faults", key="start_faults", type="primary", disabled=not names):
            job = start_trial(page.store, plan, actor=page.actor)
            state.update(job=job.id, case="", page=1)
            st.rerun()


def _kept(page: Page, plan: TrialPlan) -> None:
    """Says how many answers of an unfinished trial are not asked again, and offers to ask them."""
    kept = kept_answers(page.store, plan)
    count = 0 if kept is None else kept.count()
    if kept is None or not count:
        return
    said_at, again_at = st.columns([4, 1], vertical_alignment="center")
    said_at.caption(
        f"{numbers.count(count, 'answer')} of a trial that was not finished are kept and not asked again. If the "
        "system changed since, ask them again."
    )
    if again_at.button("Ask again", key="forget_answers"):
        kept.forget()
        st.rerun()
