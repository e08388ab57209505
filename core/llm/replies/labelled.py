"""Replies without JSON that are nothing but labelled values: YAML, a Markdown table, tags, ``**Verdict:** Correct``.

Every line must be a value under a name of the form, a part's head, or a fence; a sentence anywhere, and the reply is
prose, of which nobody can say which words are its verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel

from core.llm.replies.loose import labels, plain

_MARKS = re.compile(r"^(?:[#>*\s]|-\s)+")
_TAGS = re.compile(r"<(/?)([A-Za-z][\w ]*)>")
_EMPTY = re.compile(r"(?:```\w*|-{3,}|\|?[\s:|-]*\|)?\s*")
_HEADS = frozenset({"field", "name", "key", "item", "metric", "criterion"})
_QUOTED = re.compile(r"([\"'])(.*)\1", re.DOTALL)


def labelled(form: type[BaseModel], text: str) -> dict[str, Any] | None:
    r"""The values of a reply of labelled lines, by the fields of a form; None where it is anything else.

    >>> class Verdict(BaseModel):
    ...     reason: str
    ...     verdict: str
    >>> labelled(Verdict, "**Reason:** The same year.\n**Verdict:** Correct")
    {'reason': 'The same year.', 'verdict': 'Correct'}
    >>> labelled(Verdict, "I think so.\nVerdict: Correct") is None
    True
    """
    read: dict[str, Any] = {}
    within, names = read, labels(form)
    parts = {plain(name): inner for name, info in form.model_fields.items() if (inner := _form_in(info.annotation))}
    alone = next(iter(parts.values())) if len(parts) == 1 else None
    if alone is not None:
        names = names | labels(alone)
    for name, value in _lines(text):
        if name in parts and not value:
            within, names = read.setdefault(name, {}), labels(parts[name])
        elif name not in names or names[name] in within:
            return None
        else:
            within[names[name]] = None if value.casefold() in ("null", "~") else value
    return read or None


def listed(text: str) -> list[str] | None:
    """The lines of a reply that is nothing but a numbered or bulleted list; None where it is anything else."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("```")]
    items = [re.fullmatch(r"(?:\d{1,3}[.)]|[-*\u2022])\s+(\S.*)", line) for line in lines]
    return [item[1] for item in items if item] if items and all(items) else None


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Names and values; a line that has none comes as a name that no form has."""
    if text.lstrip().startswith("<"):
        text = _TAGS.sub(lambda tag: "\n" if tag[1] else f"\n{tag[2]}: ", text)
    for line in text.splitlines():
        if _EMPTY.fullmatch(line.strip()):
            continue
        cells = [cell.strip(" *`") for cell in line.strip().strip("|").split("|")]
        if line.strip().startswith("|") and len(cells) == 2:
            if plain(cells[0]) not in _HEADS:
                yield plain(cells[0]), cells[1]
            continue
        name, colon, value = _MARKS.sub("", line.strip()).partition(":")
        value = value.strip(" *`")
        quoted = _QUOTED.fullmatch(value)
        yield plain(name) if colon or line.startswith("#") else "", quoted[2] if quoted else value


def _form_in(annotation: Any) -> type[BaseModel] | None:
    found = [item for item in (annotation, *get_args(annotation)) if isinstance(item, type)]
    return next((item for item in found if issubclass(item, BaseModel)), None)
