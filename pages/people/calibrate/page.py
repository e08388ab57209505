"""What does a score promise? Scores become the chance that a person would agree, with sets that keep a promise."""

from typing import Final

from pages.kit import frame, state
from pages.kit.calibrations import reads
from pages.kit.models import trust as judges
from pages.people.calibrate import decide, estimate, head, promise, trust
from pages.people.calibrate import view as calibrate_view

VIEWS: Final = {"": "Calibrate", "decide": "Decide", "estimate": "Estimate", "trust": "Trust", "promise": "Promise"}
QUESTIONS: Final = {
    "decide": "Who decides which answer?",
    "estimate": "How many answers would people accept?",
    "trust": "Which metric can be trusted?",
    "promise": "Is the promise kept?",
}
"""Of the views whose question is not that of the page."""

page = frame.begin(__file__, questions=QUESTIONS)
run, criterion, labels = head.chosen(page)
calibration = head.in_view(page, run, criterion)
if calibration is not None:
    metrics = reads.report(page.store, calibration)[0].metrics
    judges.badge(judges.of_metrics(page.store, run.id, metrics), key="calibration")
view = state.switch("Show", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "trust":
    trust.draw(page, run, criterion, labels)
elif view == "" or calibration is None:
    head.first(view, VIEWS.get(view, ""))
    calibrate_view.draw(page, run, criterion, labels, calibration)
elif view == "decide":
    decide.draw(page, run, calibration)
elif view == "estimate":
    estimate.draw(page, calibration)
else:
    promise.draw(page, run, calibration)
