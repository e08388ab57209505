"""Names of people by a model for named entities, where one is chosen; rules find only names that other words give away.

A name by itself is nobody's secret: the head of a bank stands in its reports. So what the model finds is a person's
data only in the sentence of an identifier or contact, or of somebody's money or health.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from core.domain.errors import InvalidInput
from core.encoders.classifiers.spans import TokenClassifier, open_token_classifier
from core.safety.privacy.entities import About, Entity, Finding

Detector = Callable[[str], tuple[Finding, ...]]
"""Finds the names of people in a text."""

_PERSON: Final = re.compile(
    r"(?<![a-z])(?:per|pers|person|people|name|(?:full|first|last|middle|given|family|sur)[_ -]?name)\d?(?:_?name)?$",
    re.IGNORECASE,
)
_PREFIX: Final = re.compile(r"^[BIESLU][-_]|^(?:private|pii)[-_]", re.IGNORECASE)
REMEMBERED: Final = 2_000
"""Texts whose names are remembered, so that a page is not read anew for each probe about it."""


def open_names(spec: str) -> Detector | None:
    """The model of that name or folder; None where none is named.

    Raises:
        InvalidInput: It cannot be used, or none of its labels is one of people.
    """
    if not spec.strip():
        return None
    try:
        return _opened(open_token_classifier(spec))
    except InvalidInput as error:
        raise InvalidInput(
            error.message, f"{error.hint} Without one, clear the model for names: rules find names beside other data."
        ) from error


def person_labels(labels: tuple[str, ...]) -> list[int]:
    """Places of the labels that people's names have.

    >>> person_labels(("O", "B-PER", "I-PER", "B-ORG", "I-FIRSTNAME", "B-COMPANYNAME", "B-USERNAME"))
    [1, 2, 4]
    """
    return [place for place, label in enumerate(labels) if _PERSON.fullmatch(_PREFIX.sub("", label))]


@lru_cache(maxsize=4)
def _opened(model: TokenClassifier) -> Detector:
    places = person_labels(model.labels)
    if not places:
        raise InvalidInput(
            f"No label of the model {model.title} has a name that says person: {', '.join(model.labels)}.",
            "Use a model for named entities with a label such as PER or PERSON.",
        )

    @lru_cache(maxsize=REMEMBERED)
    def names(text: str) -> tuple[Finding, ...]:
        return tuple(
            Finding(
                entity=Entity.NAME,
                start=one.start,
                end=one.end,
                value=text[one.start : one.end],
                rule=f"name by the model {model.title}",
                about=About.UNKNOWN,
            )
            for one in model.stretches(text, places)
            if one.end - one.start > 1 and re.search(r"[^\W\d_]", text[one.start : one.end])
        )

    return names
