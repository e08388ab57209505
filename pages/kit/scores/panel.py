"""Scoring a run from the screen: which metrics it can have, what each needs, with which models, start and watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core import jobs as job_control
from core.domain.jobs import Job
from core.domain.projects import Role
from core.domain.runs import Run, RunState
from core.evaluation.applicable import Applicable
from core.evaluation.metric_summary import MetricSummary
from core.evaluation.scoring import KIND, ScoringOptions, start_scoring
from pages.ui import errors, jobs, metric_names, metric_reads, numbers, state, tables
from pages.ui.frame import Page

DEPTHS: Final = (1, 3, 5, 10)
WIDTHS: Final = {
    "Metric": st.column_config.TextColumn(width=190),
    "Here": st.column_config.TextColumn(width=330),
    "Needs": st.column_config.TextColumn(width=260),
    "Looks at": st.column_config.TextColumn(width=110),
    "What it answers": st.column_config.TextColumn(width=420),
}


def draw(page: Page, run: Run, found: Sequence[MetricSummary]) -> None:
    """The job that scores the run, or the form that starts one.

    Args:
        page: The page.
        run: The run.
        found: The metrics it has.
    """
    job = last_job(page, run)
    if job is not None and (job.state.active or job.state.resumable or job.id == state.link().job):
        drawn = jobs.panel(page, job.id, key="score_job")
        if drawn is not None and drawn.state.active:
            return
    if run.state is not RunState.FINISHED:
        st.info("This run is not finished yet; its answers are scored when it is.")
        return
    if not page.may(Role.VALIDATOR):
        st.caption("Only a validator of the project may score a run.")
        return
    with st.expander(
        "Score this run with more metrics" if found else "Score this run",
        key="score_panel",
        expanded=not found,
        icon=":material/add_chart:",
    ):
        _form(page, run, found)


def last_job(page: Page, run: Run) -> Job | None:
    """The newest job that scores or scored the run."""
    of_project = job_control.list_jobs(page.store, page.project.id)
    return next((job for job in of_project if job.kind == KIND and job.subject == run.id), None)


def _form(page: Page, run: Run, found: Sequence[MetricSummary]) -> None:
    encoder, nli = _models(page)
    known = metric_reads.usable(page.store, run.id, nli)
    ready = [item for item in known if item.ready]
    done = {item.name for item in found if item.finished and not item.stale}
    metrics_at, depths_at = st.columns([5, 2])
    chosen = metrics_at.multiselect(
        "Metrics",
        [item.name for item in ready],
        default=[item.name for item in ready if item.default and item.name not in done],
        format_func=metric_names.title,
        key=f"score_metrics_{len(ready)}_{len(done)}",
        placeholder="Choose metrics",
    )
    depths = depths_at.multiselect(
        "Retrieval also at k", DEPTHS, key="score_depths", placeholder="None",
        help="Looks at the first k retrieved only, besides all of them. For the retrieval metrics chosen.",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        started = st.button("Score the answers", key="start_scoring", type="primary", disabled=not chosen)
        lacking = len(known) - len(ready)
        st.caption(
            f"{len(ready):,} of {numbers.count(len(known), 'metric')} can be measured here"
            + (f"; {lacking:,} lack something, told in the table." if lacking else ".")
        )
    there = {item.name for item in found}
    if again := [metric_names.title(name) for name in chosen if name in there]:
        st.caption(
            f"Scored already: {errors.plain(', '.join(again))}. With the same models and version that stays; with "
            "others every case is measured anew, and each old value stays until its new one is there."
        )
    if started:
        with errors.shown():
            job = start_scoring(
                page.store, run.id, _asked(known, chosen, depths), actor=page.actor,
                options=ScoringOptions(encoder=encoder, nli=nli),
            )  # fmt: skip
            state.update(job=job.id)
            st.rerun()
    tables.plain(needs_frame(known, done), key="needs_table", columns=WIDTHS, height=246)


def _models(page: Page) -> tuple[str, str]:
    """The models a person names; empty ones are those of the settings."""
    encoder_at, nli_at = st.columns(2)
    settings = page.settings
    present = f"{settings.nli} (from the settings)" if settings.nli else "none: set PLUMBLINE_NLI or name one here"
    encoder = encoder_at.text_input(
        "Sentence encoder", key="score_encoder", placeholder=f"{settings.encoder} (from the settings)",
        help="By folder or name of a sentence-transformers model. Empty takes the one of PLUMBLINE_ENCODER.",
    )  # fmt: skip
    nli = nli_at.text_input(
        "NLI model",
        key="score_nli",
        placeholder=present,
        help="A cross-encoder that tells entailment, by folder or name. Without one the NLI metrics have no value.",
    )
    return encoder.strip(), nli.strip()


def _asked(known: Sequence[Applicable], chosen: Sequence[str], depths: Sequence[int]) -> list[str]:
    """The chosen metrics, those that know a cut-off also at each of these."""
    at_k = {item.name for item in known if item.spec.at_k}
    return [*chosen, *(f"{name}@{k}" for name in chosen if name in at_k for k in depths)]


def needs_frame(known: Sequence[Applicable], done: set[str]) -> pd.DataFrame:
    """Every metric with what it needs, whether it can be measured here and what it answers."""
    return pd.DataFrame(
        [
            {
                "Metric": metric_names.title(item.name),
                "Here": "Scored" if item.name in done else "Ready" if item.ready else f"- {item.why_not}",
                "Needs": metric_names.needs(item.spec),
                "Looks at": metric_names.FAMILIES[item.spec.family],
                "What it answers": item.spec.question,
            }
            for item in sorted(known, key=lambda item: (not item.ready, item.name in done))
        ],
        columns=list(WIDTHS),
    )
