"""Does it know, read or retrieve? One test set asked without documents, with the gold ones, and live."""

import streamlit as st

from core.domain.specs import short_spec
from pages.analyse.three_way import check, choice
from pages.analyse.three_way import view as three_way_view
from pages.kit import errors, frame
from pages.kit.look import numbers
from pages.kit.testset import three_way

page = frame.begin(__file__)
view = choice.view()
if view == "start":
    choice.start_form(page)
    st.stop()
oracle = live = ""
some = view == "experiment" and three_way.found_experiments(page.store, page.project.id)
choice_at, filters_at = st.columns([1, 1]) if some else [st.container(), st.container()]
with choice_at:
    if view == "runs":
        chosen, oracle, live = choice.by_hand(page)
    else:
        chosen = choice.experiment(page)
if chosen is None:
    check.alone(page, oracle, live)
    st.stop()
if not chosen.finished:
    choice.progress(page, chosen)
    st.stop()
with filters_at:
    form, closed_domain = three_way_view.filters(page, chosen)
with st.spinner("Reading the three runs and looking failing facts up in the documents"):
    compared = three_way.compared(page.store, chosen, form, closed_domain)
comparison = compared.three
page.context(
    errors.plain(short_spec(chosen.target)),
    numbers.count(len(comparison.cases), "case"),
    f"{comparison.judged:,} judged in all three runs",
)
three_way_view.figures(comparison)
three_way_view.sentences(comparison, closed_domain)
three_way_view.picture(comparison)
three_way_view.combinations(chosen, compared)
three_way_view.open_domain(comparison)
check.draw(compared.check, compared, chosen)
