"""What the form of a question is called where forms stand side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from core.domain.results.diagnosis import DiagnosisRow

FROM_DOCUMENTS: Final = "from documents"
"""What the questions written from documents are called, which have no form."""

WITHOUT_FORM: Final = "without a form"
"""What other questions without a form are called."""

MADE_BY: Final = "made_by"
"""The attribute that every question written from documents has: the rule or the prompt that made it."""


def with_forms_named(rows: Sequence[DiagnosisRow]) -> list[DiagnosisRow]:
    """Rows as they are, those without a form under a name beside rows that have one.

    Questions written from documents have no form. Where all rows are without, there is nothing to distinguish.
    """
    unnamed = [row for row in rows if not row.form]
    if len(unnamed) == len(rows):
        return list(rows)
    name = FROM_DOCUMENTS if all(MADE_BY in row.attributes for row in unnamed) else WITHOUT_FORM
    return [row if row.form else replace(row, form=name) for row in rows]


def form_name(form: str, attributes: Mapping[str, str]) -> str:
    """What the form of one question is called.

    >>> form_name("short", {}), form_name("", {"made_by": "count"}), form_name("", {})
    ('short', 'from documents', 'without a form')
    """
    return form or (FROM_DOCUMENTS if MADE_BY in attributes else WITHOUT_FORM)


def form_questions(form: str) -> str:
    """The questions of a form in words, for the inside of a sentence.

    >>> form_questions("short"), form_questions(FROM_DOCUMENTS), form_questions("")
    ('short questions', 'questions from documents', 'questions')
    """
    return f"questions {form}" if form in (FROM_DOCUMENTS, WITHOUT_FORM) else f"{form} questions".strip()


def form_others(form: str) -> str:
    """The questions of a form where the sentence has said before that it counts questions.

    >>> form_others("long"), form_others(FROM_DOCUMENTS)
    ('long ones', 'from documents')
    """
    return form if form in (FROM_DOCUMENTS, WITHOUT_FORM) else f"{form} ones"
