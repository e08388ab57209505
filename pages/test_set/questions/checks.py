"""What the checks measured of the last batch's questions: distributions with their limits, and how many passed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.domain.testset.question_drafts import QuestionDraft
from core.testset.corpus.questions.measures import CheckCount, Measure, check_counts, measures
from core.testset.corpus.questions.plan import QuestionPlan
from core.testset.corpus.selection.selecting import Check, Limits
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables, theme
from pages.test_set.questions import reads

BINS = 24
FEW = 12
"""Questions of which a bar is never so high that every one of its steps cannot be named."""
TITLES = {
    Check.SIMILARITY: "Near its passage",
    Check.COPY: "Copied from its passage",
    Check.DUPLICATE: "Near another question",
}
AXES = {
    Check.SIMILARITY: "Similarity (cosine)",
    Check.COPY: "Consecutive words copied (share)",
    Check.DUPLICATE: "Nearest other question (cosine)",
}
CHECKS = {
    Check.FORM: "The question is a plain sentence",
    Check.WORDING: "It is worded as a person asks",
    Check.READING: "No other document gives it another answer",
    Check.SUPPORT: "The quoted words are in the passage",
    Check.ANSWER: "They state the answer",
    Check.GIVEN_AWAY: "The question does not hold its answer",
    Check.LANGUAGE: "It is in the language of the documents",
    Check.COPY: "It is not copied from the passage",
    Check.SIMILARITY: "It is near its passage",
    Check.DUPLICATE: "It repeats no other question",
    Check.ANSWERABLE: "A model answers it from its passages",
    Check.KNOWN: "No model answers it without them",
}
COLUMNS = {
    "Check": st.column_config.TextColumn(width=270),
    "Limit": st.column_config.TextColumn(width=120),
    "Examined": st.column_config.NumberColumn(width=80),
    "Passed": st.column_config.NumberColumn(width=80),
    "Turned down": st.column_config.NumberColumn(width=90),
}
NOT_ASKED = (
    "No model answered these questions, so it is unknown whether they can be answered from their passages, or "
    "without them. Name one under Write questions; it answers questions written by rules too."
)


def draw(page: Page) -> None:
    """The checks of the last batch: distributions with their limits, a model's answers, every check in a table."""
    batch, *_ = reads.batches(page.store, page.project.id)
    drafts = [d for d in reads.drafts(page.store, page.project.id) if d.batch_id == batch.id]
    if not drafts:
        st.info("The questions of the last batch were discarded. Write some again to see what the checks measure.")
        return
    limits = QuestionPlan.of(batch.plan).limits
    batch_measures = measures(drafts, limits)
    counts = check_counts(drafts)
    down = sum(bool(draft.failed) for draft in drafts)
    st.caption(
        f"The batch of {numbers.when(batch.created_at)}: {numbers.count(len(drafts), 'question')} examined, "
        f"{down:,} turned down. What a person decided since does not change these figures."
    )
    for cell, measure in zip(st.columns(len(batch_measures)), batch_measures, strict=True):
        with cell:
            _distribution(measure)
    _model(counts)
    frame = _frame(counts, limits)
    tables.plain(frame, key="checks_table", columns=COLUMNS)
    with st.container(horizontal=True):
        tables.download(frame, name="question-checks", key="checks_csv")
        tables.download(_values(drafts), name="question-measures", key="measures_csv", label="Every question's values")


def _distribution(measure: Measure) -> None:
    if not measure.n:
        st.caption(f"{TITLES[measure.check]}: nothing to measure (n = 0).")
        return
    st.markdown(f"**{TITLES[measure.check]}**")
    start = min(0.0, *measure.passed, *measure.turned_down)
    bins = {"start": start, "end": 1.0 + 1e-6, "size": (1.0 + 1e-6 - start) / BINS}
    figure = go.Figure()
    for values, name, colour, pattern in (
        (measure.passed, "Passed", theme.ink("accent"), ""),
        (measure.turned_down, "Turned down", "#8C8C8C", "/"),
    ):
        figure.add_histogram(
            x=values,
            name=f"{name} {len(values):,}",
            xbins=bins,
            autobinx=False,
            marker={"color": colour, "pattern": {"shape": pattern, "fillmode": "overlay", "size": 6}},
            hovertemplate=f"{name}: %{{y:,}} at %{{x}}<extra></extra>",
        )
    figure.add_vline(
        x=measure.limit,
        line={"dash": "dash", "width": 1.5, "color": theme.ink("text")},
        annotation_text=f"{'at most' if measure.check is Check.COPY else 'from' if measure.too_high else 'at least'} "
        f"{measure.limit:.2f}",
        annotation_position="top left" if measure.limit > 0.5 else "top right",
    )
    figure.update_layout(
        barmode="stack",
        height=250,
        margin={"t": 56, "l": 8, "r": 8},
        showlegend=True,
        legend={"orientation": "h", "y": 1.25, "x": 0},
        xaxis={"title": f"{AXES[measure.check]}, n = {measure.n:,}", "range": [start, 1.02]},
        yaxis={"title": "Questions", "dtick": 1 if measure.n <= FEW else None},
    )
    charts.show(figure, key=f"measured_{measure.check.value}", name=f"question-{measure.check.value}")


def _model(counts: Sequence[CheckCount]) -> None:
    """The answers of a model have no limit: each is as it should be or not."""
    model_counts = [count for count in counts if count.check in (Check.ANSWERABLE, Check.KNOWN) and count.looked_at]
    if not model_counts:
        st.info(NOT_ASKED, icon=":material/help:")
        return
    figure = go.Figure()
    labels = [f"{CHECKS[count.check]}<br>n = {count.looked_at:,}" for count in model_counts]
    for values, name, colour, pattern in (
        ([count.passed for count in model_counts], "Passed", theme.ink("accent"), ""),
        ([count.turned_down for count in model_counts], "Turned down", "#8C8C8C", "/"),
    ):
        figure.add_bar(
            y=labels,
            x=values,
            name=name,
            orientation="h",
            text=[f"{value:,}" if value else "" for value in values],
            marker={"color": colour, "pattern": {"shape": pattern, "fillmode": "overlay", "size": 6}},
            hovertemplate=f"{name}: %{{x:,}}<extra></extra>",
        )
    figure.update_layout(
        barmode="stack",
        height=90 + 46 * len(model_counts),
        margin={"t": 30},
        xaxis={"title": "Questions"},
        yaxis={"autorange": "reversed"},
    )
    charts.show(figure, key="measured_model", name="question-answerability")


def _frame(counts: Sequence[CheckCount], limits: Limits) -> pd.DataFrame:
    thresholds = {
        Check.SIMILARITY: f"{limits.similarity:.2f} at least",
        Check.COPY: f"{limits.copy:.2f} at most",
        Check.DUPLICATE: f"below {limits.duplicate:.2f}",
    }
    return pd.DataFrame(
        [
            {
                "Check": CHECKS[count.check],
                "Limit": thresholds.get(count.check, "yes or no"),
                "Examined": count.looked_at,
                "Passed": count.passed,
                "Turned down": count.turned_down,
            }
            for count in counts
        ]
    )


def _values(drafts: Sequence[QuestionDraft]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "question": draft.text,
                "kind": draft.kind.value,
                "similarity": draft.similarity,
                "copied": draft.copied,
                "nearest_question": draft.nearest,
                "answered_with_passages": draft.answered,
                "known_without": draft.known,
                "turned_down_by": draft.failed,
                "reason": draft.reason,
            }
            for draft in drafts
        ]
    )
