"""Which answers are wrong? How good are they? Do the metrics agree? The answers of a run and their scores."""

from typing import Final

import streamlit as st

from core.domain.specs import short_spec
from pages.evaluate.results import agreement_view, answers_view, metric_view
from pages.kit import errors, frame, project_reads, run_names, state
from pages.kit.look import numbers
from pages.kit.models import trust
from pages.kit.work import live

VIEWS: Final = {"": "Answers", "metrics": "Metrics", "agreement": "Agreement between metrics"}
QUESTIONS: Final = {"metrics": "How good are the answers?", "agreement": "Do the metrics agree?"}
"""Of the views whose question is not that of the page."""

page = frame.begin(__file__, questions=QUESTIONS)
standing = live.standing(page)
run_at, view_at = st.columns([5, 4], vertical_alignment="bottom")
with run_at:
    run = page.choose_run()
live.follow_runs(page, standing)
if run is None:
    page.no_run("This page shows every answer of a run beside its ground truth.")
    st.stop()
summary = project_reads.summary(page.store, run.id)
page.context(
    f"run {run.id}",
    f"target {errors.plain(run_names.target_name(run))}",
    f"judge {errors.plain(short_spec(run.judge))}",
    numbers.count(summary.cases, "case"),
)
trust.badge(trust.of_run(page.store, run.id), key="verdicts")
with view_at:
    view = state.switch("Show", list(VIEWS), "view", name=VIEWS.__getitem__)
if view == "":
    answers_view.draw(page, run, summary)
elif view == "metrics":
    metric_view.draw(page, run)
else:
    agreement_view.draw(page, run)
