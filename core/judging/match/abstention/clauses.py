"""What each clause of a sentence does: it claims, declines, refers, asks, tells of limits or is polite."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from core.judging.match.abstention import courtesy
from core.judging.match.abstention.blanks import says_nothing
from core.judging.match.abstention.gaps import FACT_OF_THE_MATTER, find_gap
from core.judging.match.abstention.vocabulary import SOURCE, SURE_SOURCE
from core.judging.match.readers.texts.normalise import match_text

MAX_CLAUSE = 1_500
"""Characters; nobody declines at greater length, so a longer clause claims something."""

TURN = re.compile(
    r"(?:[,;.]\s*|\s+[-]\s+|\s)(?P<turn>but(?! (?:not|neither|nothing|without)\b)|however|nevertheless"
    r"|nonetheless|(?<=[,;.] )yet(?! (?:been|to))|aber|jedoch|allerdings|mais"
    r"|cependant|toutefois)\b,?\s*|;\s*"
    r"|(?:,\s*|\s)(?P<aside>though|although|even though|while|whereas)\s+(?=(?:the|it|its|they|he|she|i|im|we"
    r"|you|this|that|these"
    r"|there)\b)"
    r"|,\s*(?P<so>so|therefore|thus|hence|und|et|and)\s+(?=(?:the|it|its|they|he|she|i|im|we|you|this|that|these"
    r"|there|no|none|nothing|one|der"
    r"|die|das|es|sie|er|le|la|les|il|elle|ils)\b)"
)
"""Where a sentence turns from one statement to the next."""
YIELDING = re.compile(
    r"^(?:while|although|though|even though|whereas|despite|since|as(?! (?:of|per|for|stated|an?|far|well|soon"
    r"|long|to|in|with)\b)|because|given that|obwohl|wahrend|bien que|meme si)\b(?! an?\b)"
)
"""A sentence that begins so says two things, parted by a comma."""
YIELDED = re.compile(
    r",\s+(?=(?:i|we|it|they|the|this|that|there|these|you|he|she|one|some|no|ich|wir|es|sie|je|nous|il|elle|on"
    r"|most|all)\b)"
)
_QUESTION_END = re.compile(r"[?？؟][\W_]*$")
_PRONOUN = re.compile(r"^(?:and |but |however,? |also,? )?(?:it|they)(?= )")
_SOURCE_SUBJECT = re.compile(
    rf"^(?:\W|and|but|however|the|this|these|those|all|your|my|provided|given|supplied|retrieved|available"
    rf"|relevant)*(?:[\w-]+ ){{0,2}}?"
    rf"{SOURCE}\b(?! (?:is|are|was|were) (?:required|needed|due|signed|valid))"
)
_SURE = re.compile(rf"\b(?:the|these|this|those|your|my|our|given|provided) (?:[\w-]+ ){{0,2}}?{SURE_SOURCE}\b")
_IS = re.compile(r"\b(it|that|this|there|what|he|she|here)['\u2019]s\b", re.IGNORECASE)
_CHOICE = re.compile(r"^(?:which|what)\b")
_ASIDE_BEFORE = re.compile(r"^(?=.*\d)[^(]{3,}\([^)]*$")
_REASON = frozenset({"so", "therefore", "thus", "hence"})
_NOT_BLANK = frozenset({"none", "nothing", "nil", "null", "pass", "na"})
"""Blanks of a form that are answers when more follows: "Nothing; it is free."."""


class Move(StrEnum):
    """What a clause of an answer does."""

    CLAIMS = "claims"
    DECLINES = "declines"
    REFERS = "refers"
    ASKS = "asks"
    LIMITS = "limits"
    IS_POLITE = "is polite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause of an answer.

    Attributes:
        move: What it does.
        text: Match text.
        words: The words that show it; empty where it claims.
        sentence: Which sentence of the answer it is in.
        concludes: "so" or "therefore" joins it to what stands before it in its sentence.
        aside: It yields to what else its sentence says ("Although ..., it is 5%", "... is silent, so the law applies").
    """

    move: Move
    text: str
    words: str = ""
    sentence: int = 0
    concludes: bool = False
    aside: bool = False


@lru_cache(maxsize=4_096)
def clauses_of(sentence: str, place: int = 0, *, after_source: bool = False) -> tuple[Clause, ...]:
    """What each clause of a sentence does, with the words that show it; none for a sentence without words.

    Kept, since whether the answer declines and whether one of its sentences claims anything are asked apart.

    Args:
        sentence: As it stands in the answer.
        place: Its place in the answer.
        after_source: Whether the sentence before speaks of a source, so that "it" is that source.
    """
    text = match_text(_IS.sub(r"\1 is", sentence[: 2 * MAX_CLAUSE])).strip("<>[]{} ")
    if not any(character.isalnum() for character in text):
        return ()
    if len(text) > MAX_CLAUSE:
        return (Clause(move=Move.CLAIMS, text=text, sentence=place),)
    if _QUESTION_END.search(text):
        move = Move.IS_POLITE if courtesy.OFFERS.search(text) and not _CHOICE.match(text) else Move.ASKS
        return (Clause(move=move, text=text, words=text, sentence=place),)
    took_side = bool(FACT_OF_THE_MATTER.match(text))
    read = []
    for piece, joint in _pieces(text):
        meant = _PRONOUN.sub("the documents", piece, count=1) if after_source else piece
        read.append((*_move(meant, took_side=took_side), piece, joint))
        after_source = speaks_of_source(piece) or (after_source and bool(_PRONOUN.match(piece)))
    claims = [number for number, (move, *_) in enumerate(read) if move is Move.CLAIMS]
    return tuple(
        Clause(
            move=move,
            words=words,
            text=piece,
            sentence=place,
            concludes=joint in _REASON,
            aside=bool(claims) and _yields(joint, [later for *_, later in read[number + 1 :]]),
        )
        for number, (move, words, piece, joint) in enumerate(read)
    )


def speaks_of_source(text: str) -> bool:
    """Whether a clause speaks of a source, so that "it" behind is that source."""
    return bool(_SOURCE_SUBJECT.match(text) or _SURE.search(text))


def moves(sentence: str) -> frozenset[Move]:
    """What the clauses of a sentence do; none for a sentence without words.

    >>> sorted(moves("Sorry, I do not know, but the fee is 5%."))
    [<Move.CLAIMS: 'claims'>, <Move.DECLINES: 'declines'>]
    """
    return frozenset(clause.move for clause in clauses_of(sentence))


def makes_no_claim(sentence: str) -> bool:
    """Whether a sentence of an answer says nothing that documents could support.

    It declines, greets, thanks, apologises, offers help, wishes well or asks back. Sending somebody elsewhere is a
    claim ("Call the card line"), unless it is an offer ("If you have further questions, contact us").

    >>> [makes_no_claim(text) for text in ("You're welcome!", "I do not know.", "Which branch?", "It is 5%.")]
    [True, True, True, False]
    """
    return moves(sentence).isdisjoint({Move.CLAIMS, Move.REFERS, Move.LIMITS})


def _pieces(text: str) -> list[tuple[str, str]]:
    """The clauses of a sentence, each with what joins it to the one before: "but", "although", "so", ";" or nothing."""
    found: list[tuple[str, str]] = []
    start, joint = 0, ""
    for match in TURN.finditer(text):
        _add(found, text[start : match.start()], joint)
        joint = "but" if match["turn"] else "although" if match["aside"] else match["so"] or ";"
        start = match.end()
    _add(found, text[start:], joint)
    return found


def _add(found: list[tuple[str, str]], piece: str, joint: str) -> None:
    piece = piece.strip()
    if not piece.strip(" ,.;:-!"):
        return
    if YIELDING.match(piece):
        parts = [part.strip() for part in YIELDED.split(piece, maxsplit=1) if part.strip(" ,.;:-!")]
        found.extend(zip(parts, ["although", "yielded"], strict=False))
    else:
        found.append((piece, joint))


def _yields(joint: str, later_joints: list[str]) -> bool:
    return joint == "although" or (bool(later_joints) and later_joints[0] in _REASON)


def _move(clause: str, *, took_side: bool) -> tuple[Move, str]:
    start = courtesy.POLITE_START.match(clause)
    rest = (clause[start.end() :] if start else clause).lstrip(" ,.;:!-")
    if courtesy.FOOTER.match(clause) or (start and not rest):
        return Move.IS_POLITE, clause
    gap = find_gap(rest, took_side=took_side)
    if gap and _ASIDE_BEFORE.search(rest[: gap.start()]):
        # the answer stands in front, what its source leaves open in brackets
        return Move.CLAIMS, ""
    if gap:
        return Move.DECLINES, gap[0].strip()
    if says_nothing(rest) and rest.strip(" .!,;:") not in _NOT_BLANK:
        return Move.DECLINES, rest
    if match := courtesy.LIMITS.search(rest):
        if not courtesy.PRECISE.search(rest):
            return Move.LIMITS, match[0]
    elif match := courtesy.NEEDS.search(rest):
        return Move.REFERS, match[0]
    # A telephone number says where to ask, not what is asked.
    if courtesy.PRECISE.search(courtesy.PHONE.sub(" ", rest)):
        return Move.CLAIMS, ""
    for move, pattern in (
        (Move.ASKS, courtesy.ASKS),
        (Move.IS_POLITE, courtesy.POLITE),
        (Move.REFERS, courtesy.REFERS),
    ):
        if match := pattern.search(rest):
            return move, match[0]
    return Move.CLAIMS, ""
