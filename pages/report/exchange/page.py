"""What did other tools measure, and who needs ours? Their files become runs here, and a run becomes a file for them."""

from typing import Final

from pages.kit import frame, state
from pages.report.exchange import exporting, importing

VIEWS: Final = {"": "Import", "export": "Export"}
QUESTIONS: Final = {"export": "Who needs our measurements?"}

page = frame.begin(__file__, questions=QUESTIONS)
view = state.switch("Show", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "export":
    exporting.draw(page)
else:
    importing.draw(page)
