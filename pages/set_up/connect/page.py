"""What do we know for certain? The database that holds the truth, and the documents the system reads."""

from pages.kit import frame, state
from pages.set_up.connect import corpus_view
from pages.set_up.connect.database import view as database_view

VIEWS = {"database": "Database", "documents": "Documents"}

page = frame.begin(__file__)
view = state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "documents":
    corpus_view.draw(page)
else:
    database_view.draw(page)
