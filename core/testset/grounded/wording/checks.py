"""What a person wants to know before approving a wording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.domain.templates import PLACEHOLDER, Check, SqlTemplate, TextTemplate, placeholders
from core.sources.database.words import split_words
from core.testset.grounded.containment import contains_words
from core.testset.grounded.frames import FRAMES
from core.testset.grounded.phrases import singular
from core.testset.grounded.text_generator import count_words, folded

FORBIDDEN = re.compile(r"\b(databases?|tables?|columns?|quer(?:y|ies)|sql)\b", re.IGNORECASE)
"""Words of somebody who knows the database; the system under test has documents."""

ROUND_TRIP = "round_trip"
"""The check that a model's reading gives, see :mod:`core.testset.grounded.llm_round_trip`; it costs a call."""


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
        The wording with its checks filled in; see :attr:`TextTemplate.approvable`. What a round trip found stays: the
        text of a wording never changes under its id.
    """
    paid = [check for check in text.checks if check.name == ROUND_TRIP]
    return replace(text, checks=(*_checks(text, template, siblings, example_answers), *paid))


def _checks(
    text: TextTemplate, template: SqlTemplate, siblings: Sequence[TextTemplate], answers: Sequence[str]
) -> Iterator[Check]:
    yield _placeholders(text, template)
    yield _length(text)
    words = PLACEHOLDER.sub(" ", text.text)
    found = sorted({word.casefold() for word in FORBIDDEN.findall(words)} - _subjects(template))
    yield Check(
        name="plain_words",
        passed=not found,
        blocking=False,
        message=f"Speaks of {', '.join(found)}." if found else "Speaks as a user does.",
        remedy="Say it without words of a database: its users see documents." if found else "",
    )
    twin = next((other for other in siblings if folded(other.text) == folded(text.text)), None)
    yield Check(
        name="distinct",
        passed=twin is None,
        message="Another wording says the same." if twin else "No other wording is the same.",
        remedy="Change a word or delete one of them." if twin else "",
    )
    given = next((answer for answer in answers if contains_words(words, answer)), None)
    yield Check(
        name="answer_hidden",
        passed=given is None,
        message=f"Gives the answer {given!r} away." if given else "Does not give an answer away.",
        remedy="Leave the answer out of the wording." if given else "",
    )
    bare = [
        token for token in _tokens(text.text) if f"'{token}'" not in text.text and not _within_quotes(text.text, token)
    ]
    yield Check(
        name="quoted",
        passed=not bare,
        blocking=False,
        message=f"{bare[0]} stands without quotes." if bare else "Values stand in quotes.",
        remedy="Put it in single quotes, so that a value of several words is one name." if bare else "",
    )


def _placeholders(text: TextTemplate, template: SqlTemplate) -> Check:
    wanted = {_key(item.table, item.column): item.token for item in placeholders(template.sql)}
    present = {_key(item.table, item.column): item.token for item in placeholders(text.text)}
    missing = [token for key, token in wanted.items() if key not in present]
    extra = [token for key, token in present.items() if key not in wanted]
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
    named = {word for name in re.findall(r"\w+", template.sql) for word in split_words(name)}
    return named | {singular(word) for word in named}


def _tokens(text: str) -> list[str]:
    return list(dict.fromkeys(found[0] for found in PLACEHOLDER.finditer(text)))


def _within_quotes(text: str, token: str) -> bool:
    """Whether a token stands between quotes together with other tokens: ``'[A.first] [A.last]'``."""
    return any(token in inner for inner in re.findall(r"['\"\u2018\u201c]([^'\"\u2019\u201d]*)['\"\u2019\u201d]", text))


def _key(table: str, column: str) -> tuple[str, str]:
    return table.casefold(), column.casefold()
