"""The checks of a wording before approval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.domain.testset.templates import PLACEHOLDER, Check, SqlTemplate, TextTemplate, placeholders
from core.sources.database.words import split_words
from core.testset.grounded.wording.frames import FRAMES
from core.testset.grounded.wording.generator import count_words, folded
from core.testset.grounded.words.containment import contains_words
from core.testset.grounded.words.inflection import singular

FORBIDDEN = re.compile(r"\b(databases?|tables?|columns?|quer(?:y|ies)|sql)\b", re.IGNORECASE)
"""Words of people who know the database; users of the system under test see documents."""

BOUNDS = re.compile(rf"\bbetween {PLACEHOLDER.pattern} and {PLACEHOLDER.pattern}")
"""Days and figures, which are no names and stand without quotes."""

ROUND_TRIP = "round_trip"
"""The round-trip check by a model, see :mod:`core.testset.grounded.llm.round_trip`; it costs a call."""


def check_text_template(
    text: TextTemplate,
    template: SqlTemplate,
    siblings: Sequence[TextTemplate] = (),
    example_answers: Sequence[str] = (),
) -> TextTemplate:
    """Checks a wording against its SQL template.

    Args:
        text: The wording.
        template: What it words.
        siblings: The other wordings of the template, to tell repetitions.
        example_answers: Some answers the template gives; none may stand in the wording.

    Returns:
        The wording with its checks filled in; see :attr:`TextTemplate.approvable`. The round-trip check stays: the text
        of a wording never changes under its id.
    """
    round_trips = [check for check in text.checks if check.name == ROUND_TRIP]
    return replace(text, checks=(*_checks(text, template, siblings, example_answers), *round_trips))


def _checks(
    text: TextTemplate, template: SqlTemplate, siblings: Sequence[TextTemplate], answers: Sequence[str]
) -> Iterator[Check]:
    yield _placeholders(text, template)
    yield _length(text)
    words = PLACEHOLDER.sub(" ", text.text)
    forbidden = sorted({word.casefold() for word in FORBIDDEN.findall(words)} - _subjects(template))
    yield Check(
        name="plain_words",
        passed=not forbidden,
        blocking=False,
        message=f"Speaks of {', '.join(forbidden)}." if forbidden else "Speaks as a user does.",
        remedy="Say it without words of a database: its users see documents." if forbidden else "",
    )
    twin = next((other for other in siblings if folded(other.text) == folded(text.text)), None)
    yield Check(
        name="distinct",
        passed=twin is None,
        message="Another wording says the same." if twin else "No other wording is the same.",
        remedy="Change a word or delete one of them." if twin else "",
    )
    stated_answer = next((answer for answer in answers if contains_words(words, answer)), None)
    yield Check(
        name="answer_hidden",
        passed=stated_answer is None,
        message=f"Gives the answer {stated_answer!r} away." if stated_answer else "Does not give an answer away.",
        remedy="Leave the answer out of the wording." if stated_answer else "",
    )
    unnamed = [
        token
        for token in _tokens(BOUNDS.sub(" ", text.text))
        if f"'{token}'" not in text.text and not _within_quotes(text.text, token)
    ]
    yield Check(
        name="quoted",
        passed=not unnamed,
        blocking=False,
        message=f"{unnamed[0]} stands without quotes." if unnamed else "Values stand in quotes.",
        remedy="Put it in single quotes, so that a value of several words is one name." if unnamed else "",
    )


def _placeholders(text: TextTemplate, template: SqlTemplate) -> Check:
    tokens_by_key = {item.key: item.token for item in placeholders(template.sql)}
    present = {item.key: item.token for item in placeholders(text.text)}
    missing = [token for key, token in tokens_by_key.items() if key not in present]
    extra = [token for key, token in present.items() if key not in tokens_by_key]
    parts = [f"lacks {', '.join(missing)}"] if missing else []
    parts += [f"has {', '.join(extra)}, which the SQL template has not"] if extra else []
    return Check(
        name="same_placeholders",
        passed=not parts,
        message=f"The wording {' and '.join(parts)}." if parts else "Has the placeholders of the SQL template.",
        remedy="Write each placeholder as the SQL template does." if parts else "",
    )


def _length(text: TextTemplate) -> Check:
    """The form's rule of length; a warning on words that exist, since recorded sets do not keep to it."""
    form = FRAMES.get(text.form)
    words = count_words(text.text)
    least = max(1, form.least_words) if form else 1
    most = form.most_words if form else None
    passed = words >= least and (most is None or words <= most)
    rule = f"at least {least}" if most is None else f"{least} to {most}"
    return Check(
        name="length",
        passed=passed,
        blocking=not words,
        message=f"{words} words; {text.form} wordings have {rule}.",
        remedy="" if passed else ("Add context." if words < least else "Shorten it."),
    )


def _subjects(template: SqlTemplate) -> set[str]:
    """Words that are the template's own subject: a restaurant may be asked about its tables."""
    name_words = {word for name in re.findall(r"\w+", template.sql) for word in split_words(name)}
    return name_words | {singular(word) for word in name_words}


def _tokens(text: str) -> list[str]:
    return list(dict.fromkeys(match[0] for match in PLACEHOLDER.finditer(text)))


def _within_quotes(text: str, token: str) -> bool:
    """Whether a token stands between quotes together with other tokens: ``'[A.first] [A.last]'``."""
    return any(token in inner for inner in re.findall(r"['\"\u2018\u201c]([^'\"\u2019\u201d]*)['\"\u2019\u201d]", text))
