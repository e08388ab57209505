"""Figures with a label of their own that says of which kind they are: the minimum stock beside the stock."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.figures.asked import asked_property
from core.judging.match.figures.chosen.statements import Statement
from core.judging.match.figures.clauses import generic_words
from core.judging.match.figures.kinds import comparable
from core.judging.match.figures.words import question_words
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.text.words import stem

KIND_REACH = 80
"""Characters in front of a figure in which its property is named."""
_KIND = re.compile(r"(?<![\w-])(?P<kind>[a-z]{4,}) (?=(?P<head>[a-z]{4,})\b)(?P=head)")
_KINDS: Final = (
    (
        r"min(?:imum|imal)?|max(?:imum|imal)?|permitted|permissible|allowable|peak|reorder",
        r"min\w*|max\w*|limits?|least|most|may|can|must|up to|allowed|permitted|permissible|allowable|peak|highest"
        r"|lowest|capacity|thresholds?|range|reorder\w*|seats?|fits?|hold|holds",
    ),
    (
        r"targets?|target(?:ed)?|planned|budgeted|budget|expected|projected|estimated|forecast|scheduled|recommended"
        r"|required|nominal|rated|design",
        r"targets?|targeted|plan\w*|budget\w*|expect\w*|project\w*|estimat\w*|forecast\w*|goals?|will|should|schedul\w*"
        r"|recommend\w*|requir\w*|need\w*|nominal|rated|design\w*",
    ),
    (r"average|mean|median|typical", r"averages?|mean|median|typical\w*|usual\w*|per|on average"),
    (
        r"previous|prior|former|earlier|last year's|initial|original|opening|old",
        r"previous\w*|prior|former\w*|earlier|initial\w*|original\w*|opening|old|before|first|start\w*|was|were|did",
    ),
)
"""Words that say of which kind a quantity is, and what asks for that kind in these or other words."""
_WORDS: Final = tuple((re.compile(rf"(?:{kind})\.?"), re.compile(rf"\b(?:{asks})\b")) for kind, asks in _KINDS)
_LABEL: Final = re.compile(
    rf"(?<![\w-])(?P<kind>{'|'.join(kind for kind, _ in _KINDS)})\.? (?P<label>(?:[a-z'-]+(?=[ :=]) ?){{0,4}}?)"
    r"(?:(?:is|was|are|were|of|at|stands? at|set at|set to)\b ?)?[:=]? ?\(?(?:[a-z]{3} )?[€$£]?$"
)
"""A label that runs up to a figure."""
_SENTENCE: Final = r"[;\n]|(?<!\bmin)(?<!\bmax)[.!?]\s"
_BORDER: Final = re.compile(rf"[,()]|{_SENTENCE}")
REACH: Final = 60
"""Characters in front of a figure in which its label stands."""


def other_kind(start: int, text: str, question: str) -> str:
    """The word that says of which kind the quantity of a figure is, where a question does not ask for that kind.

    Args:
        start: Where the figure starts.
        text: Figure text of the answer.
        question: Match text of the question.

    >>> text, question = "126 in stock, minimum stock level 60.", "what is the stock level of part 8?"
    >>> other_kind(0, text, question), other_kind(33, text, question)
    ('', 'minimum')
    """
    before = _BORDER.split(text[max(0, start - REACH) : start])[-1]
    label = _LABEL.search(before) or _LABEL.search(f"{before} ")
    wanted = asked_property(question)
    if label is None or wanted is None:
        return ""
    words = {stem(word) for word in label["label"].split()}
    if words and not words & wanted.words:
        return ""
    asked = any(kind.fullmatch(label["kind"]) and asks.search(question) for kind, asks in _WORDS)
    return "" if asked else str(label["kind"])


def _in_one_record(one: Number, other: Number, text: str) -> bool:
    """Whether two figures of one unit stand in one sentence, which "min." does not end."""
    first, second = sorted((one, other), key=lambda number: number.start)
    return one.unit == other.unit and re.search(_SENTENCE, text[first.end : second.start]) is None


def is_unlabelled(other: Statement, own: Statement, text: str, question: str) -> bool:
    """Whether a figure without a label stands in one record with one that has a label: "126, minimum stock 60"."""
    return (
        other.number.plain != own.number.plain
        and other.role in {"stated", "result"}
        and not other.named
        and comparable(own.number, other.number)
        and _in_one_record(other.number, own.number, text)
        and not other_kind(other.number.start, text, question)
    )


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
