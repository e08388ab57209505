"""What a fact is about, in the words by which a question names it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.judging.match.readers.texts.normalise import key

_SMALL_WORD = re.compile(r"(?<![\w'’-])(?!(?:and|of|the|for|in|de)\b)[a-z]{2,}")
"""A word in small letters, which no name has: "About us"."""
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a fact is about.

    Attributes:
        words: As a question names it inside a sentence: "Apple", "the Juniper card", "accident NYC08CA048".
        sort: What it is, where known: "company", "accident", "order"; empty otherwise.
        link: How a property is tied to it: "'s", "of" or "in"; empty where what a question says first names it.
        past: Whether it is over, so that its properties were.
        topic: Whether it is a title that no sentence of its document says, so that questions quote it.
        within: What a question says first, where the words alone do not tell which table or list: 'In "Lockers"'.
    """

    words: str
    sort: str = ""
    link: str = "of"
    past: bool = False
    topic: bool = False
    within: str = ""

    @property
    def bare(self) -> str:
        """Without its article."""
        return _ARTICLE.sub("", self.words)

    @property
    def keys(self) -> frozenset[str]:
        """What the spellings of its name share, with and without the kind of thing it is."""
        return frozenset({key(self.bare), key(self.bare.removeprefix(f"{self.sort} "))})


def context_of(about: Subject) -> str:
    """What a question says first about the document that it is on; ``{}`` stands for what that is about."""
    named = about.words.startswith(("the ", '"'))
    lone = " " not in about.words and not about.sort and not re.search(r"\d", about.words)
    numbered = bool(about.sort) and about.words.startswith(f"{about.sort} ")  # "accident NYC08CA048"
    if not named and not numbered and (lone or about.topic or _SMALL_WORD.search(about.words)):
        return 'According to "{}"'  # "For Rooms and rates" is no English
    return "According to {}" if about.link != "of" else "For {}"


def said_first(about: Subject) -> str:
    """What a question about a thing in a document's table says first: 'According to "Price list"'."""
    return context_of(about).replace("{}", about.words)
