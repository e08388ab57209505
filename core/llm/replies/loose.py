"""Forms of replies whose fields a model may name otherwise than it was asked to.

A model that is held to no schema writes ``Answer Relevancy`` for ``answer_relevancy``, ``reasoning`` for ``reason``, or
puts the object into another called ``output``. Which value is meant is beyond doubt there; where it is not, the reply
is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, model_validator

WRAPPERS: Final = frozenset(
    {"output", "outputs", "result", "results", "response", "answer", "reply", "final", "finalanswer", "data", "json"}
    | {
        "judgement",
        "judgment",
        "finaljudgement",
        "finaljudgment",
        "evaluation",
        "assessment",
        "arguments",
        "properties",
    }
)
"""Names of objects that hold nothing but the reply."""

DEEPEST = 3
"""Wrappers within wrappers."""

REASONS: Final = ("reason", "reasons", "reasoning", "justification", "explanation", "rationale")

_BETWEEN = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Also:
    """Other names of a field, as metadata of its type; the schema that a model is told has the field's own alone."""

    names: tuple[str, ...]


def plain(name: object) -> str:
    """A name without its letter case and the marks between its words.

    >>> plain("Answer Relevancy"), plain("answer_relevancy")
    ('answerrelevancy', 'answerrelevancy')
    """
    return _BETWEEN.sub("", str(name)).casefold()


class LooseForm(BaseModel):
    """A form that is read under other names of its fields too; a reply with two different values of one is refused."""

    @model_validator(mode="before")
    @classmethod
    def _renamed(cls, document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        return renamed(cls, unwrapped(document, {plain(name) for name in cls.model_fields}))


def unwrapped(document: Mapping[str, Any], names: Collection[str]) -> Mapping[str, Any]:
    """The object that has the fields: this one, or the only one in it that is called a wrapper.

    Args:
        document: What the model wrote.
        names: Of the fields, plain.
    """
    for _ in range(DEEPEST):
        if any(plain(name) in names for name in document):
            break
        inner = [found for name, value in document.items() if plain(name) in WRAPPERS and (found := _object(value))]
        if len(inner) != 1:
            break
        document = inner[0]
    return document


def renamed(form: type[BaseModel], document: Mapping[str, Any]) -> dict[str, Any]:
    """A document with the names of a form's fields.

    Raises:
        ValueError: Two names of one field have different values.
    """
    read = dict(document)
    for field, info in form.model_fields.items():
        also = {plain(name) for item in info.metadata if isinstance(item, Also) for name in item.names}
        same = [name for name in document if plain(name) == plain(field)]
        same = same or [name for name in document if plain(name) in also and name in read]
        if not same:
            continue
        values = [read.pop(name) for name in same]
        if any(value != values[0] for value in values):
            raise ValueError(f"it gives {field} twice")
        read[field] = values[0]
    return read


def labels(form: type[BaseModel]) -> dict[str, str]:
    """Plain names of a form's fields to the fields, other names among them."""
    found: dict[str, str] = {}
    for field, info in form.model_fields.items():
        found[plain(field)] = field
        for item in info.metadata:
            if isinstance(item, Also):
                found |= {plain(name): field for name in item.names if plain(name) not in found}
    return found


def _object(value: object) -> Mapping[str, Any] | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, dict) else None
