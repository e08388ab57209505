"""Does it know, read or retrieve? One test set asked without documents, with the gold ones, and live."""

import streamlit as st

from core.domain.specs import short_spec
from pages.ui import errors, frame, numbers, three_way_check, three_way_choice, three_way_reads, three_way_view

page = frame.begin(__file__)
view = three_way_choice.view()
if view == "start":
    three_way_choice.start_form(page)
    st.stop()
oracle = live = ""
some = view == "experiment" and three_way_reads.found_experiments(page.store, page.project.id)
choice_at, filters_at = st.columns([1, 1]) if some else [st.container(), st.container()]
with choice_at:
    if view == "runs":
        chosen, oracle, live = three_way_choice.by_hand(page)
    else:
        chosen = three_way_choice.experiment(page)
if chosen is None:
    three_way_check.alone(page, oracle, live)
    st.stop()
if not chosen.finished:
    three_way_choice.progress(page, chosen)
    st.stop()
with filters_at:
    form, closed_domain = three_way_view.filters(page, chosen)
with st.spinner("Reading the three runs and looking failing facts up in the documents"):
    compared = three_way_reads.compared(page.store, chosen, form, closed_domain)
found = compared.three
page.context(
    errors.plain(short_spec(chosen.target)),
    numbers.count(len(found.cases), "case"),
    f"{found.judged:,} judged in all three runs",
)
three_way_view.figures(found)
three_way_view.sentences(found, closed_domain)
three_way_view.picture(found)
three_way_view.combinations(chosen, compared)
three_way_view.open_domain(found)
three_way_check.draw(compared.check, compared, chosen)
