"""Whether an answer as a whole declines, and whether a single sentence claims anything.

Rules a person can check, for English, German and French (`core.metrics.abstention.words`,
`core.metrics.abstention.polite_words`): every clause of an answer is one of six moves. An answer declines when at least
one clause declines and none claims anything; so "The documents do not say when it opened, but the fee is 5%" answers,
and "I cannot disclose this. Please contact your branch." declines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from core.judging.match.abstention import says_nothing
from core.judging.match.readers.normalise import match_text
from core.metrics.abstention import polite_words
from core.metrics.abstention import words as declining_words
from core.text.citations import cited_sentences, without_marks
from core.text.sentences import split_sentences

MAX_CLAUSE = 1_500
"""Characters; nobody declines at greater length, so a longer clause claims something."""

MAX_READ = 20_000
"""Characters of an answer that are looked at."""

_QUESTION_END = re.compile(r"[?？؟][\W_]*$")


class Move(StrEnum):
    """What a clause of an answer does."""

    CLAIMS = "claims"
    DECLINES = "declines"
    REFERS = "refers"
    ASKS = "asks"
    LIMITS = "limits"
    IS_POLITE = "is polite"


def abstains(question: str, answer: str) -> bool:
    """Whether the answer as a whole declines: it has no answer, must not give it, or only asks back.

    An answer that declines one thing and tells another answers. An empty answer, or one without a letter or digit,
    declines. Bare politeness ("You're welcome.") declines nothing.

    Args:
        question: What was asked; "Please contact your branch." answers a question that asks for a way.
        answer: What the target said.

    >>> abstains("Who manages it?", "I could not find this in the documents.")
    True
    >>> abstains("What is the fee?", "The documents do not say when it was set, but the fee is 5%.")
    False
    """
    return bool(declining_part(question, answer))


def declining_part(question: str, answer: str, sentences: Sequence[str] | None = None) -> str:
    """The words with which an answer as a whole declines, as they are compared; empty where it answers.

    Args:
        question: What was asked.
        answer: What the target said.
        sentences: The sentences of the answer without marks of citation, where they are known.

    >>> declining_part("Who manages it?", "I'm sorry, but I could not find this in the documents.")
    'i could not'
    """
    if says_nothing(plain := match_text(without_marks(answer[: 2 * MAX_CLAUSE]))):
        return plain.strip() or "(nothing)"
    if sentences is None:
        sentences = [words for words, _ in cited_sentences(split_sentences(answer[:MAX_READ]))]
    declined = request = referred = ""
    for sentence in sentences:
        for move, phrase in _moves(sentence):
            if move is Move.CLAIMS or (move is Move.LIMITS and not declined):
                return ""
            declined = declined or (phrase if move is Move.DECLINES else "")
            request = request or (phrase if move is Move.ASKS else "")
            referred = referred or (phrase if move is Move.REFERS else "")
    if not declined and referred and polite_words.ASKS_FOR_A_WAY.search(match_text(question)):
        return ""
    return declined or request or referred


def makes_no_claim(sentence: str) -> bool:
    """Whether a sentence of an answer says nothing that documents could support.

    It declines, greets, thanks, apologises, offers help, wishes well or asks back. Sending somebody elsewhere is a
    claim ("Call the card line"), unless it is an offer ("If you have further questions, contact us").

    >>> [makes_no_claim(text) for text in ("You're welcome!", "I do not know.", "Which branch?", "It is 5%.")]
    [True, True, True, False]
    """
    return moves(sentence).isdisjoint({Move.CLAIMS, Move.REFERS, Move.LIMITS})


def moves(sentence: str) -> frozenset[Move]:
    """What the clauses of a sentence do; none for a sentence without words.

    >>> sorted(moves("Sorry, I do not know, but the fee is 5%."))
    [<Move.CLAIMS: 'claims'>, <Move.DECLINES: 'declines'>]
    """
    return frozenset(move for move, _ in _moves(sentence))


@lru_cache(maxsize=2_048)
def _moves(sentence: str) -> tuple[tuple[Move, str], ...]:
    """What each clause of a sentence does, with the words that show it; none for a sentence without words.

    Kept, since whether the answer declines and whether one of its sentences claims anything are asked apart.
    """
    text = match_text(sentence[: 2 * MAX_CLAUSE])
    if not any(character.isalnum() for character in text):
        return ()
    if len(text) > MAX_CLAUSE:
        return ((Move.CLAIMS, ""),)
    if _QUESTION_END.search(text):
        return ((Move.IS_POLITE if polite_words.OFFERS.search(text) else Move.ASKS, text),)
    pieces = [part for part in declining_words.TURN.split(text) if part and part.strip(" ,.;:-")]
    clauses = [
        clause
        for piece in pieces
        for clause in (declining_words.YIELDED.split(piece) if declining_words.YIELDING.match(piece) else [piece])
    ]
    took_side = bool(declining_words.YES_NO.match(text))
    return tuple(_move(clause.strip(), took_side=took_side) for clause in clauses if clause.strip(" ,.;:-!"))


def _move(clause: str, *, took_side: bool) -> tuple[Move, str]:
    start = polite_words.POLITE_START.match(clause)
    rest = clause[start.end() :] if start else clause
    if start and not rest.strip(" ,.;:!-"):
        return Move.IS_POLITE, clause
    if phrase := _declining(rest, took_side=took_side):
        return Move.DECLINES, phrase
    if says_nothing(rest):
        return Move.DECLINES, rest
    if polite_words.PRECISE.search(rest):
        return Move.CLAIMS, ""
    for move, pattern in (
        (Move.IS_POLITE, polite_words.POLITE),
        (Move.ASKS, polite_words.ASKS),
        (Move.REFERS, polite_words.REFERS),
        (Move.LIMITS, polite_words.LIMITS),
    ):
        if match := pattern.search(rest):
            return move, match[0]
    return Move.CLAIMS, ""


def _declining(clause: str, *, took_side: bool) -> str:
    patterns = declining_words.ALL[:1] if took_side else declining_words.ALL
    for pattern in patterns:
        match = pattern.search(clause)
        if not match:
            continue
        before = clause[: match.start()]
        if before.count('"') % 2 == 0 and not declining_words.BEFORE_CLAIM.search(before):
            return match[0].strip()
    return ""
