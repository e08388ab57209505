"""What did other tools measure, and who needs ours? Their files become runs here, and a run becomes a file for them."""

from typing import Final

from pages.ui import exchange_export, exchange_import, frame, state

VIEWS: Final = {"": "Import", "export": "Export"}
QUESTIONS: Final = {"export": "Who needs our measurements?"}

page = frame.begin(__file__, questions=QUESTIONS)
view = state.switch("Show", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "export":
    exchange_export.draw(page)
else:
    exchange_import.draw(page)
