"""Which language models may Plumbline ask, and what did they say? Endpoints, prompts, prices, every call."""

from typing import Final

from pages.ui import frame, models_calls, models_endpoints, models_prices, models_prompts, state

VIEWS: Final = {"": "Endpoints", "prompts": "Prompts", "prices": "Prices", "calls": "Calls"}
QUESTIONS: Final = {
    "prompts": "What are the models told?",
    "prices": "What do the models cost?",
    "calls": "What was asked, and what did the models say?",
}
"""Of the views whose question is not that of the page."""

page = frame.begin(__file__, questions=QUESTIONS)
view = state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "prompts":
    models_prompts.draw(page)
elif view == "prices":
    models_prices.draw(page)
elif view == "calls":
    models_calls.draw(page)
else:
    models_endpoints.draw(page)
