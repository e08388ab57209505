"""Questions reworded by a model, which never sees a value: names, numbers and quoted values are masked before."""

from __future__ import annotations

from pydantic import BaseModel, Field

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.testset.cases import TestCase
from core.llm import ChatModel, Prompt
from core.testset.variants.spans import protected, spliced, values_of
from core.testset.variants.spec import Reword

PURPOSE = "question_paraphrase"
PROMPT = "question_paraphrase"
LONGEST = 1_000
"""Characters of a wording that is taken for a question."""


class Reworded(BaseModel):
    """The form of a reply."""

    question: str = Field(description="The question in other words, every placeholder in it once.")


def masked(case: TestCase) -> tuple[str, dict[str, str]]:
    """The question with a placeholder in the place of each protected part, and what each stands for.

    >>> masked(TestCase(case_id="c", question="Who manages 'Mill Lane' in Leeds?"))
    ('Who manages [A] in [B]?', {'[A]': "'Mill Lane'", '[B]': 'Leeds'})
    """
    spans = protected(case.question, values_of(case.sql_params))
    marks = {f"[{chr(ord('A') + place)}]": case.question[start:end] for place, (start, end) in enumerate(spans[:26])}
    changes = [(start, end, mark) for (start, end), mark in zip(spans, marks, strict=False)]
    return spliced(case.question, changes), marks


def rewording(chat: ChatModel, prompt: Prompt) -> Reword:
    """What asks a model for another wording of a case's question.

    Args:
        chat: The model; it is sent the masked question and nothing else.
        prompt: `PROMPT`, as the project has it.
    """

    def reword(case: TestCase) -> str | None:
        question, marks = masked(case)
        if len(marks) < len(protected(case.question, values_of(case.sql_params))):
            return None
        try:
            reply, _ = chat.ask_for(
                Reworded, prompt.render(question=question), purpose=PURPOSE, case_id=case.case_id, prompt=prompt.ref
            )
        except BudgetSpent:
            raise
        except CallFailed:
            return None
        worded = reply.question.strip()
        if not worded or len(worded) > LONGEST or any(worded.count(mark) != question.count(mark) for mark in marks):
            return None
        for mark, value in marks.items():
            worded = worded.replace(mark, value)
        return worded

    return reword
