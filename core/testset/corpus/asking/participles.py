"""Questions from heads and fields that are participles: "Shipped on", "Handled by", "Arrived"."""

from __future__ import annotations

import re

from core.judging.match.readers.texts.normalise import normalise_text
from core.judging.match.readers.times.dates import parse_date
from core.testset.corpus.reading.facts import Fact

PARTICIPLE = re.compile(
    r"(?P<verb>(?:(?:last|first|next|originally|recently) )?(?:[a-z]+(?:ed|ilt|old|ade|orn)|born|hired|sent|led))"
    r"(?: (?P<link>on|in|to|by|from|at))?$"
)
_DOER = re.compile(r"(?:(?:the|an?) )?(?:[A-Z][\w.'’&-]*)(?: (?:[A-Z][\w.'’&-]*|and|of|the|&))*$")
"""Who did something: a name, or the name of an office."""
_OF_TEXTS = frozenset(
    ["approved", "issued", "published", "revised", "updated", "reviewed", "adopted", "signed", "written", "amended"]
)
"""What is done to a text that its title in quotes names."""
_BY_ITSELF = {
    "arrived": "arrive",
    "departed": "depart",
    "died": "die",
    "expired": "expire",
    "graduated": "graduate",
    "happened": "happen",
    "joined": "join",
    "landed": "land",
    "occurred": "occur",
    "resigned": "resign",
    "retired": "retire",
    "returned": "return",
    "sailed": "sail",
}
"""What nobody does to a thing: a ship arrives."""


def when_done(fact: Fact, match: re.Match[str]) -> str:
    """Heads such as "Shipped on" and "Handled by" as a question with a verb."""
    subject, verb, link = _said(fact), match["verb"], match["link"] or ""
    if not _happens_to(fact, verb):
        return ""
    dated = fact.kind == "date"
    if link in ("on", "in", "") and dated:
        itself = _BY_ITSELF.get(verb)
        return f"When did {subject} {itself}?" if itself else f"When was {subject} {verb}?"
    if link == "by":
        return "" if not _DOER.match(fact.value) else f"Who was {subject} {verb} by?"
    if link in ("to", "from") and not dated:
        return f"Where was {subject} {verb} {link}?"
    if link in ("in", "at") and fact.kind == "text":
        return f"Where was {subject} {verb}?"
    return ""


def whether_done(fact: Fact, match: re.Match[str], value: str) -> str:
    """Whether that was on a day, by somebody or at a place."""
    subject, verb, link = _said(fact), match["verb"], match["link"] or ""
    if not _happens_to(fact, verb):
        return ""
    if link in ("", "on", "in") and fact.kind == "date":
        itself = _BY_ITSELF.get(verb)
        done = f"Did {subject} {itself}" if itself else f"Was {subject} {verb}"
        return f"{done} {preposition(value)} {value}?"
    named = link != "by" or _DOER.match(value)
    return f"Was {subject} {verb} {link} {value}?" if link and named else ""


def titled(fact: Fact) -> bool:
    """Whether a fact's subject is the title of a text and no name of a thing."""
    subject = fact.subject
    quoted = (subject.words.startswith('"') and subject.link == "in") or not subject.link
    return quoted or (subject.topic and not subject.words.startswith("the "))


def _said(fact: Fact) -> str:
    """A fact's subject before a verb: the title of a text in quotes."""
    words = fact.subject.words
    quoted = not fact.subject.link or words.startswith('"') or not titled(fact)
    return words if quoted else f'"{words}"'


def _happens_to(fact: Fact, verb: str) -> bool:
    """Whether a participle can be said of a fact's subject: a text is approved, what it is about is serviced."""
    return not titled(fact) or verb.split()[-1] in _OF_TEXTS


def preposition(value: str) -> str:
    """What stands before a day or a year."""
    date = parse_date(normalise_text(value))
    return "on" if date is not None and date.readings[0].day else "in"
