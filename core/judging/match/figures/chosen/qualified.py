"""Figures whose words say of which kind they are: the combined ratio beside the loss ratio."""

from __future__ import annotations

import re

from core.judging.match.figures.asked import asked_property
from core.judging.match.figures.chosen.statements import Statement
from core.judging.match.figures.clauses import generic_words
from core.judging.match.figures.words import question_words
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.text.words import stem

KIND_REACH = 80
"""Characters in front of a figure in which its property is named."""
_KIND = re.compile(r"(?<![\w-])(?P<kind>[a-z]{4,}) (?=(?P<head>[a-z]{4,})\b)(?P=head)")


def behind_another_word(own: Statement, text: str, question: str) -> Objection | None:
    """Whether a figure has the head of the property behind another word: "combined ratio" for "loss ratio"."""
    wanted = asked_property(question)
    if (
        wanted is None
        or len(wanted.words) < 2
        or wanted.head not in own.about
        or own.about & wanted.words != {wanted.head}
    ):
        return None
    before = text[max(0, own.number.start - KIND_REACH) : own.number.start]
    for match in reversed(list(_KIND.finditer(before))):
        kind, head = match["kind"], match["head"]
        if stem(head) != wanted.head or head.endswith("ed"):
            continue
        known = FUNCTION_WORDS | {"total", "overall", "reported", "annual", "average", "fixed", "nominal", "current"}
        if kind in known or stem(kind) in generic_words() | question_words(question):
            return None
        return Objection(rule=NEEDS_A_JUDGE, reason=f'{own.number.text.strip()} is said of the "{match[0]}".')
    return None
