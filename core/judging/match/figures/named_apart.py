"""A figure said of another name than the question's, and one of that name beside it: "X had 5, while Y had 7"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.figures.clauses import REACH, asked_words, clauses, families, generic_words
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.values import Hit
from core.text.words import stem

_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w'&-]+|\b[A-Z]{2,}\b|(?<=\n)[A-Z][\w'&-]+")
"""What has a capital inside a sentence, or capitals in a row."""
_COMPARED = re.compile(r"\b(?:versus|vs\.?|against|compared (?:with|to)|from|than)\W*$")
_NO_NAMES = frozenset(stem(word) for word in ("gaap", "ifrs", "usd", "eur", "gbp", "eps", "ebitda", "fy", "yoy"))
_SENTENCE = re.compile(r"[.!?;\n](?=\s|$)")
MOST_READ = 4_000
"""Characters of an answer in which names are looked for."""


def named_apart(hit: Hit, text: str, question: str, answer: str, others: Sequence[tuple[int, int]]) -> str:
    """The clause with another figure that names what the question does, where that of the hit names another; or empty.

    Args:
        hit: A figure.
        text: Figure text of the answer.
        question: Match text of the question.
        answer: As written, for its capitals.
        others: Spans of other figures of its kind.

    >>> answer = "In 2022 the International segment had sales of 80, while AWS reached 118."
    >>> text, asked = answer.lower(), "what were the sales of the aws segment in 2022?"
    >>> named_apart(Hit(rule="number", start=47, end=49, reason=""), text, asked, answer, [(69, 72)])
    'aws reached 118'
    """
    names = families(match_text(" ".join(_NAME.findall(answer[:MOST_READ])))) - generic_words() - _NO_NAMES
    asked = asked_words(question)
    known, foreign = names & asked, names - asked
    if not known or not foreign:
        return ""
    start, stop = max(0, hit.start - REACH), min(len(text), hit.end + REACH)
    near = clauses(text, start, stop, asked)
    own = next((clause for clause in near if clause.start <= hit.start < clause.end), None)
    if own is None or not foreign & own.foreign or known & own.asked:
        return ""
    for clause in near:
        has_value = any(clause.start <= other < clause.end for other, _ in others)
        between = text[min(clause.end, own.end) : max(clause.start, own.start)]
        if _COMPARED.search(text[: clause.start]):
            continue
        if has_value and known & clause.asked and not foreign & clause.foreign and not _SENTENCE.search(between):
            return " ".join(text[clause.start : clause.end].split())
    return ""
