"""The models that wrote a project's questions: a judge of their family is lenient with what they wrote."""

from __future__ import annotations

from typing import Final

from core.store.database import Store
from core.store.models.reads import models_used
from core.testset.corpus.questions.model import PURPOSE as DOCUMENT_QUESTIONS
from core.testset.grounded.llm.text_generator import PURPOSE as WORDINGS
from core.testset.variants.rewording import PURPOSE as PARAPHRASES

WRITING: Final = (WORDINGS, DOCUMENT_QUESTIONS, PARAPHRASES)
"""Purposes of the calls whose replies become the words of a question; a SQL template is no wording."""


def question_writers(store: Store, project_id: str) -> dict[str, str]:
    """By what a sentence calls it, the spec of each model that wrote questions of a project; empty where rules did.

    Args:
        store: Where the project is.
        project_id: The project.
    """
    with store.read() as connection:
        models = models_used(connection, project_id, WRITING)
    called = "writer of the questions"
    return {
        called if place == 1 else f"{called}, no. {place}": f"openai:{model}" for place, model in enumerate(models, 1)
    }
