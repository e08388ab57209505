"""A clause as subject, verb and what stands behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.testset.corpus.reading.clauses.splitting import BE, FINITE, Part, verb_at
from core.testset.corpus.reading.clauses.whole import is_whole
from core.testset.corpus.reading.vocabulary.verbs import auxiliary_of, infinitive, participle

LONGEST_SUBJECT = 10
PREPOSITIONS = frozenset(
    [
        "on",
        "in",
        "at",
        "for",
        "from",
        "to",
        "by",
        "with",
        "within",
        "after",
        "before",
        "until",
        "since",
        "under",
        "via",
        "during",
        "through",
        "upon",
        "against",
        "into",
        "every",
        "below",
        "above",
        "over",
        "between",
        "among",
        "around",
        "per",
        "without",
        "across",
        "toward",
        "towards",
        "than",
    ]
)
_MERGED = re.compile(
    r"\b(up to|at least|at most|more than|less than|fewer than|no more than|no later than|in advance|in total|at the latest|"  # noqa: E501
    r"in writing|at once|by hand|in addition|per cent)\b"
)
_LIGHT = frozenset({"takes", "makes", "gives", "comes", "goes", "puts", "holds", "brings", "take", "make", "give"})
"""Verbs whose object may look like a verb: "takes place"."""
_ADVERB = re.compile(r"(?:\w+ly|also|now|still|already|then|currently|first|since|so|thus|always|soon)$")
_ADJECTIVE = frozenset(
    [
        "due",
        "open",
        "closed",
        "valid",
        "available",
        "responsible",
        "present",
        "liable",
        "entitled",
        "eligible",
        "subject",
        "free",
        "late",
        "effective",
        "equal",
        "limited",
        "necessary",
        "mandatory",
        "obligatory",
        "able",
        "ready",
        "active",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause taken apart.

    Attributes:
        subject: Everything before the verb.
        auxiliary: The word that stands first in a question: "was", "does", "must".
        verb: What stays behind the subject then: "bought", "cost", "be answered"; empty behind a plain "is".
        finite: The verb as the clause has it: "was bought", "costs".
        tail: The parts behind it, each with its preposition.
        lead: The time in front, or empty.
        condition: Or empty.
    """

    subject: str
    auxiliary: str
    verb: str
    finite: str
    tail: tuple[str, ...]
    lead: str = ""
    condition: str = ""

    @property
    def passive(self) -> bool:
        """Whether something is done to its subject."""
        last = self.verb.split()[-1] if self.verb else ""
        be = self.auxiliary in BE or re.match(r"(?:be|been)\b", self.verb) is not None
        return be and participle(last)


def parsed(part: Part) -> Clause | None:
    """The clause of a part; None where its verb is not understood."""
    tokens = part.words.split()
    place = verb_at(part.words)
    subject, finite, behind = " ".join(tokens[:place]), tokens[place], tokens[place + 1 :]
    if not place or place > LONGEST_SUBJECT or not behind or re.search(r"[,;:]|\b(?:and|or|but)$", subject):
        return None  # "Platelets travel and must be shaken" has a verb in front of this one
    if not is_whole(tokens, place):
        return None
    if finite in FINITE:
        taken = _group(finite, behind)
    else:
        asks = auxiliary_of(finite)
        if place > 1 and tokens[place - 1] in _LIGHT:
            return None  # the verb of "Field work takes place" stands before the noun that looks like one
        taken = (asks[0], asks[1], finite, behind) if asks is not None else None
    if taken is None:
        return None
    auxiliary, verb, whole, behind = taken
    tail = _constituents(" ".join(behind))
    if any(token in FINITE for piece in tail for token in piece.split()):
        return None
    return Clause(
        subject=subject,
        auxiliary=auxiliary,
        verb=verb,
        finite=whole,
        tail=tuple(tail),
        lead=part.lead,
        condition=part.condition,
    )


def _group(finite: str, behind: list[str]) -> tuple[str, str, str, list[str]] | None:
    """The auxiliary that asks, the rest of the verb, the verb as it stands, and what follows."""
    rest = _without_adverbs(behind)
    first = rest[0] if rest else ""
    if finite in ("do", "does", "did"):
        return None
    if finite in BE:
        if participle(first) or first in _ADJECTIVE:
            return finite, first, f"{finite} {first}", rest[1:]
        return (finite, "", finite, rest) if first and not first.endswith("ing") else None
    if finite in ("has", "have", "had"):
        if first == "been":
            inner = _without_adverbs(rest[1:])
            if inner and (participle(inner[0]) or inner[0] in _ADJECTIVE):
                return finite, f"been {inner[0]}", f"{finite} been {inner[0]}", inner[1:]
            return finite, "been", f"{finite} been", inner
        if participle(first):
            return finite, first, f"{finite} {first}", rest[1:]
        asking = {"has": "does", "have": "do", "had": "did"}[finite]
        return (asking, "have", finite, rest) if first and first != "to" else None
    if first == "be":
        inner = _without_adverbs(rest[1:])
        if inner and (participle(inner[0]) or inner[0] in _ADJECTIVE):
            return finite, f"be {inner[0]}", f"{finite} be {inner[0]}", inner[1:]
        return finite, "be", f"{finite} be", inner
    if first.islower() and (infinitive(first) or (len(rest) > 1 and first.isalpha() and not first.endswith("ly"))):
        return finite, first, f"{finite} {first}", rest[1:]
    return None


def _without_adverbs(words: list[str]) -> list[str]:
    place = 0
    while place < len(words) and _ADVERB.fullmatch(words[place]):
        place += 1
    return words[place:]


def _constituents(behind: str) -> list[str]:
    """What follows a verb, parted before its prepositions: "the line", "by 5 EUR", "in 2019"."""
    merged = _MERGED.sub(lambda match: match[0].replace(" ", "\x00"), behind)
    pieces: list[list[str]] = [[]]
    for word in merged.replace(",", " ,").split():
        if word in PREPOSITIONS and pieces[-1] and pieces[-1][-1] not in ("of", "and", "or"):
            pieces.append([])
        pieces[-1].append(word)
    return [
        " ".join(piece).replace("\x00", " ").replace(" ,", ",").strip(" ,")
        for piece in pieces
        if piece and piece != ["since"]
    ]
