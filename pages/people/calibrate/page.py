"""What does a score promise? Scores become the chance that a person would agree, with sets that keep a promise."""

from typing import Final

from pages.ui import (
    calibrate_decide,
    calibrate_estimate,
    calibrate_head,
    calibrate_promise,
    calibrate_trust,
    calibrate_view,
    frame,
    state,
)

VIEWS: Final = {"": "Calibrate", "decide": "Decide", "estimate": "Estimate", "trust": "Trust", "promise": "Promise"}
QUESTIONS: Final = {
    "decide": "Who decides which answer?",
    "estimate": "How many answers would people accept?",
    "trust": "Which metric can be trusted?",
    "promise": "Is the promise kept?",
}
"""Of the views whose question is not that of the page."""

page = frame.begin(__file__, questions=QUESTIONS)
run, criterion, known = calibrate_head.chosen(page)
made = calibrate_head.in_view(page, run, criterion)
view = state.switch("Show", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "trust":
    calibrate_trust.draw(page, run, criterion, known)
elif view == "" or made is None:
    calibrate_head.first(view, VIEWS.get(view, ""))
    calibrate_view.draw(page, run, criterion, known, made)
elif view == "decide":
    calibrate_decide.draw(page, run, made)
elif view == "estimate":
    calibrate_estimate.draw(page, made)
else:
    calibrate_promise.draw(page, run, made)
