"""Words of the Robustness page: names of kinds, and the change of a question lit."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from core.testset.variants.registry import spec_of_kind
from pages.kit import errors

_TOKEN: Final = re.compile(r"\S+|\s+")


def title_of(kind: str) -> str:
    """A kind for people; its own name where this version does not know it."""
    spec = spec_of_kind(kind)
    return spec.title if spec else kind


def question_of(kind: str) -> str:
    """What the results of a kind answer."""
    spec = spec_of_kind(kind)
    return spec.question if spec else ""


def lit(before: str, after: str) -> str:
    """The text after a change as Markdown, with the words that are new lit; nothing in it is rendered as markup.

    >>> lit("Who manages it?", "Who mangaes it?")
    'Who :orange-background[mangaes] it?'
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    parts = []
    for tag, _, _, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        text = "".join(new[start:end])
        if not text:
            continue
        if tag == "equal" or not text.strip():
            parts.append(errors.plain(text))
            continue
        before_it, after_it = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        parts.append(f"{before_it}:orange-background[{errors.plain(text.strip())}]{after_it}")
    return "".join(parts)
