"""What two clauses of an answer say of one question: the same of both, or of two things a value each."""

from __future__ import annotations

from core.judging.match.figures.clauses import REACH, WORD, asked_words, clauses, families
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.values import Hit


def names_alone(own: int, other: int, text: str, question: str) -> bool:
    """Whether a figure stands beside a name of the question and nothing else, another one beside another name.

    Args:
        own: Offset of the figure.
        other: Offset of the other one.
        text: Figure text of the answer.
        question: Match text of the question.

    >>> names_alone(34, 9, "chai has 39 units in stock, chang 17.", "how many units of chang are in stock?")
    True
    """
    if abs(own - other) > REACH:
        return False
    start, end = max(0, min(own, other) - REACH), min(len(text), max(own, other) + REACH)
    near = clauses(text, start, end, asked_words(question))
    mine = next((clause for clause in near if clause.start <= own < clause.end), None)
    theirs = next((clause for clause in near if clause.start <= other < clause.end), None)
    if mine is None or theirs is None or mine is theirs:
        return False
    return not mine.foreign and bool(mine.asked - theirs.asked) and bool(theirs.foreign)


def says_both(own: int, other: int, text: str, question: str) -> bool:
    """Whether an answer says of the same thing two values, in two clauses, the other one later.

    Args:
        own: Offset of a value.
        other: Offset of the other one.
        text: The text of the answer.
        question: Match text of the question.

    >>> text = "the fee is 30 euros. to be precise, the fee is 60 euros."
    >>> says_both(11, 47, text, "what is the fee?"), says_both(47, 11, text, "what is the fee?")
    (True, False)
    """
    if not own < other < own + REACH:
        return False
    near = clauses(text, max(0, own - REACH), min(len(text), other + REACH), asked_words(question))
    mine = next((clause for clause in near if clause.start <= own < clause.end), None)
    theirs = next((clause for clause in near if clause.start <= other < clause.end), None)
    if (
        mine is None
        or theirs is None
        or mine is theirs
        or not mine.asked
        or text[theirs.start - 1 : theirs.start] == "("
    ):
        return False
    words = text[theirs.start : theirs.end]
    denied = NEGATORS & {*WORD.findall(words), *WORD.findall(text[mine.start : mine.end])}
    return mine.asked <= theirs.asked and theirs.foreign <= mine.foreign and not denied


def of_other_things(hit: Hit, text: str, question: str) -> bool:
    """Whether the clause of a value has no word of the question and names something else.

    >>> hit = Hit(rule="number", start=17, end=18, reason="")
    >>> of_other_things(hit, "the report names 5 witnesses.", "how many were aboard?")
    True
    """
    value = text[hit.start : hit.end]
    asked = asked_words(question) - families(value)
    near = clauses(text, max(0, hit.start - REACH), min(len(text), hit.end + REACH), asked)
    own = next((clause for clause in near if clause.start <= hit.start < clause.end), None)
    return own is not None and not own.asked and bool(own.foreign - families(value))
