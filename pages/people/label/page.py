"""Would a person agree? Answers of a run, put to people one at a time and blind; how far they agree."""

from typing import Final

import streamlit as st

from core.domain.sources.projects import Role
from pages.kit import frame, state
from pages.kit.look import numbers
from pages.people.label import agreement, reads, second
from pages.people.label.rating import view as label_view
from pages.people.label.setup import view as setup_view

VIEWS: Final = {"label": "Label", "setup": "Set up", "second": "Second look", "agreement": "Agreement"}

QUESTIONS: Final = {
    "setup": "What are people asked?",
    "second": "Which label holds where people differ?",
    "agreement": "Do people agree with each other?",
}

page = frame.begin(__file__, questions=QUESTIONS)
situation = reads.situation(page.store, page.project.id)
link = state.link()
if not page.may(Role.VALIDATOR) or (link.rater and link.view in ("", "label")):
    # A place of its own: nothing here names the system, its scores, or what others said.
    label_view.draw(page, situation)
    st.stop()
usual = "label" if situation.open(page.actor if page.settings.require_login else None) else "setup"
view_at, run_at = st.columns([4, 5], vertical_alignment="bottom")
with view_at:
    view = state.switch("Show", list(VIEWS), "view", default=usual, name=VIEWS.__getitem__)
if view == "label":
    label_view.draw(page, situation)
    st.stop()
with run_at:
    # Agreement and second look are of runs that people were asked about; a new round may be of any.
    asked = () if view == "setup" else {label_round.run_id for label_round in situation.rounds}
    run = page.choose_run(preferred=asked)
if run is None:
    page.no_run("This page puts the answers of a run to people.")
    st.stop()
rounds = [label_round for label_round in situation.rounds if label_round.run_id == run.id]
page.context(f"run {run.id}", numbers.count(len(rounds), "round"))
if view == "setup":
    setup_view.draw(page, run, situation)
elif view == "second":
    second.draw(page, run, situation)
else:
    agreement.draw(page, run, situation)
