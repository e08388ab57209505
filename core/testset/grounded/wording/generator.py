"""Wordings without a model: the meaning of an SQL template put into sentence frames (GRAMMAR, section 4.1)."""

from __future__ import annotations

import re

from core.domain.errors import InvalidInput
from core.domain.sources.schema import Schema
from core.domain.testset.templates import PLACEHOLDER, SqlTemplate, TextTemplate
from core.testset.grounded.wording.frames import FRAMES, Form
from core.testset.grounded.wording.meaning import Meaning
from core.testset.grounded.wording.reading import meaning_of
from core.testset.grounded.wording.templates import text_id

FORMS = ("short", "long")
"""The paper's two forms, which are offered first; `FRAMES` has all that are built in."""

ORIGIN = "rules"


def generate_text_templates(
    template: SqlTemplate, schema: Schema, *, form: str, n: int = 3, meaning: Meaning | None = None
) -> list[TextTemplate]:
    """Words an SQL template in one form, from the schema alone.

    Args:
        template: The template; one that is more than select, project and join along keys gets no wording.
        schema: The database's tables, whose names are split into words.
        form: One of `FRAMES`.
        n: How many wordings are wanted.
        meaning: What it asks, where that is known; None to read it off the statement.

    Returns:
        At most `n` different wordings, always the same ones; fewer where the form has fewer frames.

    Raises:
        InvalidInput: There is no built-in form of that name.
        InvalidTemplate: The template cannot be bound to the schema.
    """
    frames = FRAMES.get(form)
    if frames is None:
        raise InvalidInput(
            f"There is no built-in form {form!r}.", f"Use one of: {', '.join(FRAMES)}, or write your own."
        )
    meaning = meaning or meaning_of(template.sql, schema)
    if meaning is None:
        return []
    return [
        TextTemplate(
            id=text_id(template.id, form, text), sql_template_id=template.id, form=form, text=text, origin=ORIGIN
        )
        for text in wordings(meaning, frames)[: max(0, n)]
    ]


def wordings(meaning: Meaning, form: Form) -> list[str]:
    """Every wording of a meaning in a form, best first; no two differ in blanks, case or punctuation only."""
    texts: dict[str, str] = {}
    for frame in form.frames:
        if not suits(meaning, frame):
            continue
        text = word(meaning, frame)
        if frame == "{question}" and not fits(text, form):
            text = meaning.terse_question
        if fits(text, form):
            texts.setdefault(folded(text), text)
    return list(texts.values())


def suits(meaning: Meaning, frame: str) -> bool:
    """Whether a meaning can be said in a frame: several are not one detail, and some have no phrase for the answer."""
    if meaning.several and "one detail" in frame:
        return False
    if not meaning.answer and ("{answer}" in frame or "{Answer}" in frame):
        return False
    bound = any(slot in frame for slot in ("for {subject}", "{named_subject}", "{Subject}"))
    return not bound or meaning.joined in ("of", "for")


def word(meaning: Meaning, frame: str) -> str:
    """One frame with a meaning in it."""
    return frame.format(
        asked=_uncapital(meaning.question),
        answer=meaning.answer,
        Answer=_capital(meaning.answer),
        subject=meaning.terse,
        Subject=_capital(meaning.terse),
        named_subject=meaning.named,
        of=meaning.joined,
        clause=meaning.clause,
        question=meaning.question,
        free_clause=meaning.free_clause,
        free_question=meaning.free_question,
    )


def folded(text: str) -> str:
    """A wording without case, blanks and punctuation, to tell repetitions.

    >>> folded("Opening date of branch '[Branch.Name]'?") == folded("opening  date of branch '[Branch.Name]'")
    True
    """
    return " ".join(re.findall(r"\w+", text.casefold()))


def fits(text: str, form: Form) -> bool:
    """Whether a wording keeps the form's rule of length."""
    words = count_words(text)
    return words >= form.least_words and (form.most_words is None or words <= form.most_words)


def count_words(text: str) -> int:
    """Words between blanks; a placeholder is one word, whatever its names hold.

    >>> count_words("client of '[Project Data.Full Name]'")
    3
    """
    return len(PLACEHOLDER.sub("x", text).split())


def _uncapital(text: str) -> str:
    return text[:1].lower() + text[1:]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
