"""The scores of one case: one chosen with its evidence and what people changed, all others in a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC, Run
from pages.evaluate.results.case import evidence_view, judged_view, score_editing
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.scores import names as metric_names
from pages.kit.scores import reads

FIRST: Final = ("groundedness", "faithfulness", "nli_groundedness", "lexical_precision")
"""The metrics that are lit first, where a case has them."""


def draw(page: Page, run: Run, case_id: str, verdict: Score | None) -> None:
    """Draws the scores of a case.

    Args:
        page: The page.
        run: The run.
        case_id: The case.
        verdict: The judge's verdict, which can be changed like a score.
    """
    case_scores = reads.of_case(page.store, run.id, case_id)
    names = sorted((name for name in case_scores if name != VERDICT_METRIC), key=metric_names.order)
    st.markdown("**Scores of this answer**")
    if not names:
        st.caption("No metric has scored this answer yet. The Metrics part of this page starts a scoring.")
        score_editing.draw(page, run, case_id, VERDICT_METRIC, verdict)
        return
    names.sort(key=lambda name: case_scores[name].value is None)
    lit = [
        name for name in names if case_scores[name].value is not None and evidence_view.has_evidence(case_scores[name])
    ]
    default = next((name for name in FIRST if name in lit), (lit or names)[0])
    metric = state.choose(
        "Show the evidence of",
        [*lit, *(name for name in names if name not in lit), VERDICT_METRIC],
        "metric",
        default=default,
        name=lambda name: _label(name, case_scores.get(name)),
    )
    score, spec = case_scores.get(metric), metric_names.spec_of(metric)
    if score is not None and metric != VERDICT_METRIC:
        _headline(metric, score)
        if spec is not None and judged_view.is_judged(spec):
            judged_view.draw(page, run, reads.sample(page.store, run.id, case_id), score)
        elif spec is not None and evidence_view.has_evidence(score):
            sample = reads.sample(page.store, run.id, case_id)
            evidence_view.draw(sample, score, spec, case_scores)
    score_editing.draw(page, run, case_id, metric, score)
    with st.expander(f"All {numbers.count(len(names), 'score')} of this answer", key="all_scores"):
        tables.plain(frame(case_scores, names), key="case_scores", columns=WIDTHS)


WIDTHS: Final = {
    "Metric": st.column_config.TextColumn(width=220),
    "Value": st.column_config.TextColumn(width=90),
    "Unit": st.column_config.TextColumn(width=150),
    "Looks at": st.column_config.TextColumn(width=110),
    "Why there is none": st.column_config.TextColumn(width=300),
}


def frame(scores: Mapping[str, Score], names: list[str]) -> pd.DataFrame:
    """Every score of a case with its unit, or why there is none."""
    rows = []
    for name in names:
        score, spec = scores[name], metric_names.spec_of(name)
        rows.append(
            {
                "Metric": metric_names.title(name),
                "Value": numbers.share(score.value) + (" edited" if score.edited else ""),
                "Unit": spec.unit if spec else "",
                "Looks at": metric_names.FAMILIES[spec.family] if spec else "",
                "Why there is none": _reason(score) if score.value is None else "",
            }
        )
    return pd.DataFrame(rows, columns=list(WIDTHS))


def _headline(metric: str, score: Score) -> None:
    spec = metric_names.spec_of(metric)
    title = errors.plain(metric_names.title(metric))
    if score.value is None:
        st.markdown(f"**{title}: {numbers.NONE}** {errors.plain(_reason(score))}")
    else:
        unit = f" {errors.plain(spec.unit)}, {spec.better} is better" if spec else ""
        st.markdown(f"**{title}: {numbers.share(score.value)}**{unit}")
    remarks = [metric_names.meaning(metric, with_unit=False)] if spec else []
    if score.edited:
        remarks.append("A person changed this value; the evidence belongs to the computed value.")
    if score.detail.get("abstained"):
        remarks.append("The answer says that it cannot answer.")
    if rule := score.detail.get("rule"):
        remarks.append(f"Decided by the rule: {errors.plain(str(rule))}.")
    st.caption(" ".join(remarks))


def _reason(score: Score) -> str:
    return str(score.detail.get("reason") or metric_names.STATUS[score.status.value])


def _label(name: str, score: Score | None) -> str:
    return metric_names.title(name) + (f": {metric_names.cell(score)}" if name != VERDICT_METRIC else "")
