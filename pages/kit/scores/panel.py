"""Scoring a run from the screen: which metrics it can have, what each needs, with which models, start and watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.runs.scores.applicable import Applicable
from core.runs.scores.choice import ScoringOptions
from core.runs.scores.scoring import KIND, start_scoring
from core.runs.scores.summary import MetricSummary
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.models import cost
from pages.kit.scores import judging, names, reads
from pages.kit.work import jobs

DEPTHS: Final = (1, 3, 5, 10)
WIDTHS: Final = {
    "Metric": st.column_config.TextColumn(width=190),
    "Here": st.column_config.TextColumn(width=330),
    "Needs": st.column_config.TextColumn(width=260),
    "Looks at": st.column_config.TextColumn(width=110),
    "What it answers": st.column_config.TextColumn(width=420),
}


def draw(page: Page, run: Run, summaries: Sequence[MetricSummary]) -> None:
    """The job that scores the run, or the form that starts one.

    Args:
        page: The page.
        run: The run.
        summaries: The metrics it has.
    """
    if jobs.of_run(page, run, KIND, key="score_job"):
        return
    if run.state is not RunState.FINISHED:
        st.info("This run is not finished yet; its answers are scored when it is.")
        return
    if not page.may(Role.VALIDATOR):
        st.caption("Only a validator of the project may score a run.")
        return
    with st.expander(
        "Score this run with more metrics" if summaries else "Score this run",
        key="score_panel",
        expanded=not summaries,
        icon=":material/add_chart:",
    ):
        _form(page, run, summaries)


def _form(page: Page, run: Run, summaries: Sequence[MetricSummary]) -> None:
    encoder, nli = _models(page)
    judges, ensemble = judging.choose(page, run.judge, run.target)
    metrics = reads.usable(page.store, run.id, nli, judges)
    ready = [item for item in metrics if item.ready]
    done = {item.name for item in summaries if item.finished and not item.stale}
    metrics_at, depths_at = st.columns([5, 2])
    chosen = metrics_at.multiselect(
        "Metrics",
        [item.name for item in ready],
        default=[item.name for item in ready if item.default and item.name not in done],
        format_func=names.title,
        key=f"score_metrics_{len(ready)}_{len(done)}",
        placeholder="Choose metrics",
    )
    depths = depths_at.multiselect(
        "Retrieval also at k",
        DEPTHS,
        key="score_depths",
        placeholder="None",
        help="Looks at the first k retrieved only, besides all of them. For the retrieval metrics chosen.",
    )
    if judges:
        _cost(page, run, chosen, judges)
    with st.container(horizontal=True, vertical_alignment="center"):
        started = st.button("Score the answers", key="start_scoring", type="primary", disabled=not chosen)
        lacking = len(metrics) - len(ready)
        st.caption(
            f"{len(ready):,} of {numbers.count(len(metrics), 'metric')} can be measured here"
            + (f"; {lacking:,} lack something; the table says what." if lacking else ".")
        )
    there = {item.name for item in summaries}
    if again := [names.title(name) for name in chosen if name in there]:
        st.caption(
            f"Scored already: {errors.plain(', '.join(again))}. With the same models and version that stays; with "
            f"others every case is measured again, and each old value stays until its new one is there."
        )
    if started:
        with errors.shown():
            job = start_scoring(
                page.store,
                run.id,
                _with_depths(metrics, chosen, depths),
                actor=page.actor,
                options=ScoringOptions(encoder=encoder, nli=nli, metric_judges=judges, ensemble=ensemble),
            )
            state.update(job=job.id)
            st.rerun()
    tables.plain(needs_frame(metrics, done), key="needs_table", columns=WIDTHS, height=246)


def _cost(page: Page, run: Run, chosen: Sequence[str], judges: str) -> None:
    """What the judged metrics among those chosen will ask of models, before anything is sent."""
    outlook = reads.judging_cost(page.store, run.id, tuple(chosen), judges)
    if not outlook.parts:
        return
    with st.container(border=True, key="score_cost"):
        st.markdown(f"**{errors.plain(cost.line(outlook))}**")
        tables.plain(cost.parts_frame(outlook), key="score_cost_parts")
        st.caption("Replies in the ledger are not asked for again and cost nothing.")


def _models(page: Page) -> tuple[str, str]:
    """The models a person names; empty ones are those of the settings."""
    encoder_at, nli_at = st.columns(2)
    settings = page.settings
    present = f"{settings.nli} (from the settings)" if settings.nli else "none: set PLUMBLINE_NLI or name one here"
    encoder = encoder_at.text_input(
        "Sentence encoder",
        key="score_encoder",
        placeholder=f"{settings.encoder} (from the settings)",
        help="By folder or name of a sentence-transformers model. Empty takes the one of PLUMBLINE_ENCODER.",
    )
    nli = nli_at.text_input(
        "NLI model",
        key="score_nli",
        placeholder=present,
        help="A cross-encoder for entailment, by folder or name. Without one the NLI metrics have no value.",
    )
    return encoder.strip(), nli.strip()


def _with_depths(metrics: Sequence[Applicable], chosen: Sequence[str], depths: Sequence[int]) -> list[str]:
    """The chosen metrics, those that know a cut-off also at each of these."""
    at_k = {item.name for item in metrics if item.spec.at_k}
    return [*chosen, *(f"{name}@{k}" for name in chosen if name in at_k for k in depths)]


def needs_frame(metrics: Sequence[Applicable], done: set[str]) -> pd.DataFrame:
    """Every metric with what it needs, whether it can be measured here and what it answers."""
    return pd.DataFrame(
        [
            {
                "Metric": names.title(item.name),
                "Here": "Scored" if item.name in done else "Ready" if item.ready else f"- {item.why_not}",
                "Needs": names.needs(item.spec),
                "Looks at": names.FAMILIES[item.spec.family],
                "What it answers": item.spec.question,
            }
            for item in sorted(metrics, key=lambda item: (not item.ready, item.name in done))
        ],
        columns=list(WIDTHS),
    )
