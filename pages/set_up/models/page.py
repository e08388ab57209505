"""Which language models may Plumbline ask, and what did they say? Endpoints, prompts, prices, every call."""

from typing import Final

from pages.kit import frame, state
from pages.kit.models import prompts
from pages.set_up.models import calls, endpoints, prices

VIEWS: Final = {"": "Endpoints", "prompts": "Prompts", "prices": "Prices", "calls": "Calls"}
QUESTIONS: Final = {
    "prompts": "Which prompts do the models get?",
    "prices": "What do the models cost?",
    "calls": "What was asked, and what did the models answer?",
}
"""Of the views whose question is not that of the page."""

page = frame.begin(__file__, questions=QUESTIONS)
view = state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "prompts":
    prompts.draw(page)
elif view == "prices":
    prices.draw(page)
elif view == "calls":
    calls.draw(page)
else:
    endpoints.draw(page)
