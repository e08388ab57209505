"""What a person does with a case after reading it: put it into a finding, send it to raters."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.domain.results.findings import Finding, Severity
from core.domain.results.labels import LabelRound
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.labelling.chosen_cases import add_case as add_to_round
from core.labelling.chosen_cases import rounds_for_chosen, start_round
from core.labelling.criteria import list_criteria
from core.labelling.rounds import LONGEST_NAME, list_rounds
from core.store.database import Store
from core.weakness.findings import cases as finding_cases
from core.weakness.findings.naming import name_of
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers

NEW: Final = ""
"""The choice that stands for a new finding or round."""


def draw(page: Page, run: Run, case_id: str) -> None:
    """Draws the findings the case is in, and for a validator the two ways on."""
    inside = _findings_of(page.store, run.id, case_id)
    for one in inside:
        _is_in(run, one)
    if not page.may(Role.VALIDATOR):
        return
    with st.container(horizontal=True, key="hand_on"):
        with st.popover("Add to a finding", icon=":material/flag:", key="to_finding", type="tertiary"):
            _to_finding(page, run, case_id, {one.id for one in inside})
        with st.popover("Send to labelling", icon=":material/rate_review:", key="to_labelling", type="tertiary"):
            _to_labelling(page, run, case_id)


def _is_in(run: Run, one: Finding) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"In the finding: {errors.plain(name_of(one))}", width="content")
        if st.button("Open the finding", key=f"open_{one.id}", type="tertiary"):
            state.go("weakness", run=run.id, view="findings", cell=one.id)


def _to_finding(page: Page, run: Run, case_id: str, inside: set[str]) -> None:
    written = {one.id: one for one in _written(page.store, run.id) if one.id not in inside}
    target = NEW
    if written:
        target = st.selectbox(
            "Finding",
            [NEW, *written],
            key="finding_target",
            format_func=lambda key: name_of(written[key]) if key in written else "A new finding",
        )
    title, severity = "", Severity.MEDIUM
    if target == NEW:
        title = st.text_input(
            "What is wrong, in one line",
            key=state.fresh("finding_title"),
            max_chars=finding_cases.LONGEST_TITLE,
            placeholder="Fees of closed accounts are quoted as current",
        )
        severity = st.segmented_control(
            "Severity",
            list(Severity),
            default=Severity.MEDIUM,
            required=True,
            key="finding_severity",
            format_func=lambda level: level.value.capitalize(),
        )
    else:
        st.caption(numbers.count(len(written[target].case_ids), "case") + " so far")
    if st.button("Add the case", key="finding_add", type="primary"):
        with errors.shown():
            if target == NEW:
                one = finding_cases.write_finding(
                    page.store, run.id, title, [case_id], severity=severity, actor=page.actor
                )
                state.renew("finding_title")
            else:
                one = finding_cases.add_case(page.store, target, case_id, actor=page.actor)
            state.say(f"The case is in the finding {errors.plain(name_of(one))}.")
            st.rerun()


def _to_labelling(page: Page, run: Run, case_id: str) -> None:
    rounds = {one.id: one for one in _rounds(page.store, page.project.id, run.id)}
    target = NEW
    if rounds:
        target = st.selectbox(
            "Round",
            [*rounds, NEW],
            key="round_target",
            format_func=lambda key: rounds[key].name if key in rounds else "A new round",
        )
    if target != NEW:
        st.caption(f"Raters: {errors.plain(', '.join(rounds[target].raters))}")
        if st.button("Add the case", key="round_add_case", type="primary"):
            with errors.shown():
                add_to_round(page.store, target, case_id, actor=page.actor)
                state.say(f"The case is in the round {errors.plain(rounds[target].name)}.")
                st.rerun()
        return
    criteria = {one.id: one.name for one in list_criteria(page.store, page.project.id)}
    if not criteria:
        st.caption("The project has no criteria yet: say on the Label page what raters are asked.")
        if st.button("Set up criteria", key="round_criteria_first"):
            state.go("label", run=run.id, view="setup")
        return
    name = st.text_input(
        "Name of the round", value="Answers to discuss", key=state.fresh("chosen_name"), max_chars=LONGEST_NAME
    )
    asked = st.multiselect(
        "Criteria", list(criteria), default=list(criteria)[:1], key="chosen_criteria", format_func=criteria.__getitem__
    )
    raters = st.text_area(
        "Raters, one name on each line", value="\n".join(_raters(page, run)), key="chosen_raters", height=90
    )
    st.caption("Picked cases have rounds of their own: promises rest on cases that were drawn at random.")
    if st.button("Start the round", key="round_start", type="primary"):
        with errors.shown():
            one = start_round(
                page.store,
                run.id,
                [case_id],
                name=name,
                criteria=asked,
                raters=[line.strip() for line in raters.splitlines() if line.strip()],
                actor=page.actor,
            )
            state.renew("chosen_name")
            state.say(f"The round {errors.plain(one.name)} is open with this case. Its links are on the Label page.")
            st.rerun()


def _raters(page: Page, run: Run) -> tuple[str, ...]:
    """The raters of the newest round of the run; else who is here."""
    earlier = next(iter(_every_round(page.store, page.project.id, run.id)), None)
    return earlier.raters if earlier is not None else (page.actor,)


@cache.read("findings")
def _findings_of(store: Store, run_id: str, case_id: str) -> tuple[Finding, ...]:
    return finding_cases.findings_of_case(store, run_id, case_id)


@cache.read("findings")
def _written(store: Store, run_id: str) -> tuple[Finding, ...]:
    return finding_cases.written_findings(store, run_id)


@cache.read("labels")
def _rounds(store: Store, project_id: str, run_id: str) -> tuple[LabelRound, ...]:
    return rounds_for_chosen(store, project_id, run_id)


@cache.read("labels")
def _every_round(store: Store, project_id: str, run_id: str) -> tuple[LabelRound, ...]:
    return list_rounds(store, project_id, run_id)
