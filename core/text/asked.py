"""Whether a question reads as a person's who has no passage in front of them."""

from __future__ import annotations

import re

FEWEST_WORDS, MOST_WORDS = 3, 70
_POINTS = re.compile(
    r"\b(?:(?:this|these|that|the (?:above|following|given|provided|present|preceding|previous|mentioned)|the) "
    r"(?:passages?|texts?|excerpts?|sections? above|paragraphs?|snippets?|context|chunks?|table (?:above|below)|"
    r"tables? (?:in|of) the passage)|as (?:stated|described|shown|mentioned|given) (?:above|below|here)|"
    r"(?:mentioned|described|shown|listed|given) (?:above|below|here)|the (?:above|following)(?: \w+)?[?]|"
    r"in (?:this|the) (?:document|report|article|page)\?)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:it|its|they|their|he|she|his|her|this|that|these|those)\b", re.IGNORECASE)
_HOLE = re.compile(r"\(\s*\)|\[\s*\]|\"\s*\"|_{2,}|\.{3,}\S|\bN/A\b|\bnull\b|\bNone\?|\s[,?!]|\?{2,}")
_TWICE = re.compile(r"\b(?!that\b|had\b)(\w{2,}) \1\b", re.IGNORECASE)


def misworded(question: str) -> str:
    """Why a question does not read as a person's; empty where nothing shows it.

    >>> misworded("What does the passage say about fees?"), misworded("What is the annual fee of the Juniper card?")
    ("It points to a text that the person who asks does not see: 'the passage'.", '')
    >>> misworded("What is the the fee of the card?")
    "It repeats a word: 'the the'."
    """
    text = " ".join(question.split())
    words = text.split()
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        return f"It has {len(words)} words; a question has {FEWEST_WORDS} to {MOST_WORDS}."
    if pointed := _POINTS.search(text):
        return f"It points to a text that the person who asks does not see: {pointed[0]!r}."
    if opening := _OPENING.match(text):
        return f"It begins with {opening[0]!r}, which names nothing."
    if hole := _HOLE.search(text):
        return f"It has a hole or a stray mark: {hole[0].strip()!r}."
    if twice := _TWICE.search(text):
        return f"It repeats a word: {twice[0]!r}."
    return ""
