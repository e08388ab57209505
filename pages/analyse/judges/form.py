"""Further judges of a run from the screen: which, with which model, how often; start and watch."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.judges.comparing import KIND, start_judging
from core.judges.scorers import JudgeOptions
from core.judging.llm_judge import OFFERED_REPEATS
from core.judging.self_check import SAMPLES
from core.judging.stored import RAGAS_FACT, SELF_CHECK
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.models import form, judge
from pages.kit.work import jobs

JUDGES: Final = {
    "match": "Match: rules, no model",
    "llm": "Model that sees the true answer",
    RAGAS_FACT: "RAGAS-Fact: claims against contexts, no true answer",
    SELF_CHECK: "SelfCheck-QA: asks the target again, no true answer",
}
MODELS: Final = frozenset({"llm", RAGAS_FACT, SELF_CHECK})


def draw(page: Page, run: Run, *, opened: bool) -> None:
    """The job that judges the run, or the form that starts one.

    Args:
        page: The page.
        run: The run.
        opened: Whether the form is drawn open.
    """
    if jobs.of_run(page, run, KIND, key="judge_job"):
        return
    if run.state is not RunState.FINISHED:
        st.info("This run is not finished yet; more judges can judge its answers then.")
        return
    if not page.may(Role.VALIDATOR):
        st.caption("Only a validator of the project may add judges to a run.")
        return
    with st.expander("Judge this run with more judges", key="judge_panel", expanded=opened, icon=":material/gavel:"):
        _form(page, run)


def calls(judges: list[str], answers: int, repeats: int) -> int:
    """The most calls of models that judging takes, those of the target among them.

    >>> calls(["match"], 100, 3), calls(["llm"], 100, 3), calls(["ragas_fact", "self_check_qa"], 100, 1)
    (0, 300, 1100)
    """
    each = {"llm": repeats, RAGAS_FACT: 2, SELF_CHECK: 1 + 2 * SAMPLES}
    return answers * sum(each.get(name, 0) for name in judges)


def _form(page: Page, run: Run) -> None:
    # The verdicts of the run itself are not given a second time.
    offered = [name for name in JUDGES if name != run.judge]
    chosen = st.multiselect(
        "Judges",
        offered,
        default=[name for name in offered if name not in MODELS],
        format_func=JUDGES.__getitem__,
        key="judges_chosen",
        placeholder="Choose judges",
    )
    asking = bool(MODELS & set(chosen))
    model = form.choose_model(page, "compare") if asking else ""
    options = JudgeOptions()
    if "llm" in chosen:
        options = _votes(page, run, model)
    answers = project_reads.summary(page.store, run.id).cases
    if most := calls(chosen, answers, options.repeats):
        limits = judge.budget("compare")
        options = replace(options, money=limits["budget"], calls=_whole(limits["budget_calls"]))
        st.caption(
            f"{numbers.count(answers, 'answer')}; at most {numbers.count(most, 'model call')}. What was asked before "
            "is not asked again; what the run has spent counts towards a limit. Questions, answers and contexts are "
            "sent to the model, the true answers only to the judge that sees them."
        )
    else:
        st.caption(f"{numbers.count(answers, 'answer')}; no model is asked.")
    ready = bool(chosen) and (bool(model) or not asking)
    if st.button("Judge the answers", key="start_judging", type="primary", disabled=not ready):
        with errors.shown():
            specs = [f"{name}:{model}" if name in MODELS else name for name in chosen]
            job = start_judging(page.store, run.id, specs, actor=page.actor, options=options)
            state.update(job=job.id)
            st.rerun()


def _votes(page: Page, run: Run, model: str) -> JudgeOptions:
    """How often the model that sees the true answer is asked, and whether rules go first."""
    repeats_at, first_at = st.columns([2, 5], vertical_alignment="bottom")
    repeats = repeats_at.selectbox(
        "Verdicts on each answer",
        OFFERED_REPEATS,
        key="compare_repeats",
        help="One at temperature 0, or several at temperature 1 of which the majority decides.",
    )
    match_first = first_at.toggle(
        "Rules first, a model for the rest",
        key="compare_match_first",
        help="Where the match rules decide, no model is asked.",
    )
    judge.warn_of_same_family(page, f"llm:{model}", run.target)
    return JudgeOptions(repeats=int(repeats), match_first=bool(match_first))


def _whole(limit: float | int | None) -> int | None:
    return None if limit is None else int(limit)
