"""Questions that offer two things of which one has more: which of them an answer takes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.judging.match.polar.degrees import KNOWN, NO_DEGREE, WORD, degrees, first_named, names, told_of
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.surroundings.language import SENTENCE_BORDER

_PAIR: Final = re.compile(
    r"[\"'‘“](?P<one>[^\"?]{1,80}?)[\"'’”],? or (?:the )?[\"'‘“](?P<two>[^\"?]{1,80}?)[\"'’”](?!\w)"
    r"|^\W*(?:Is|Was) (?:the )?(?P<this>[^,?]{1,60}?) or (?:the )?(?P<that>[^,?]{1,60}?) (?=the [a-z]+er\b)"
    r"|^\W*(?:Of|Between|Out of) (?:the )?(?P<begun>[^,?]{1,60}?) (?:and|or) (?:the )?(?P<ended>[^,?]{1,60}?), "
    r"|[,:] (?:the )?(?P<first>[^,?:\"']{1,60}),? or (?:the )?(?P<second>[^,?:\"']{1,60})\??$"
)
"""Two things at the beginning or the end of a question, or in quotation marks."""
_WHICH: Final = re.compile(r"\b(?:which|who|what)\b")
_DEGREE: Final = re.compile(rf"\b(?P<degree>more|less|fewer|first|(?!(?:{NO_DEGREE})\b)[a-z]{{2,}}er)\b")
_BEFORE: Final = re.compile(r"\b(?P<way>before|after)\b")
_LATER: Final = frozenset({"later", "younger", "newer", "last"})
_EARLIER: Final = frozenset({"earlier", "sooner", "older", "first"})
_FORMER: Final = re.compile(r"\bthe (?P<which>former|latter)\b|\bthe (?P<place>first|second)(?: one)?\W*$")
_CONCLUDES: Final = re.compile(
    r"^\W*(?:so|therefore|thus|hence)\b|\b(?:the )?answer(?: is\b|:)"
    r"|\b(?:so|therefore|thus|hence) (?:it (?:is|was) )?[^,]*$"
)
_LEAD_ENDS: Final = re.compile(r"\W*(?:[,.;(]|$|\s-\s|\bwith\b)")
_GOES_ON: Final = re.compile(r"\b(?:but|yet|however|while|whereas|though|although|winner)\b")
MOST_READ: Final = 4_000


@dataclass(frozen=True, slots=True)
class Offer:
    """Two things of a question and what one of them has more of.

    Attributes:
        one: The first, match text.
        two: The second.
        degree: "higher", "more", "earlier".
    """

    one: str
    two: str
    degree: str


@lru_cache(maxsize=4_096)
def read_offer(question: str) -> Offer | None:
    """The two things that a question offers, or None.

    Args:
        question: As written.

    >>> read_offer("Which hut has the higher fee, 'Kaldhytta' or 'Isfallbu'?")
    Offer(one='kaldhytta', two='isfallbu', degree='higher')
    """
    pair = _PAIR.search(question)
    if pair is None or not (pair["this"] or _WHICH.search(question.casefold())):
        return None
    named = (
        pair["one"] or pair["this"] or pair["begun"] or pair["first"],
        pair["two"] or pair["that"] or pair["ended"] or pair["second"],
    )
    one, two = (match_text(name).strip(" .?") for name in named)
    around = question[: pair.start()] or question[pair.end() :]
    found = [degree["degree"] for degree in _DEGREE.finditer(match_text(around))]
    known = [degree for degree in found if degree in KNOWN]
    asked = (known or found)[-1:]
    return Offer(one, two, asked[0]) if asked else None


def taken(offer: Offer, text: str) -> str:
    """Which of two things an answer says to have more: the first, the second, or empty where it says neither.

    What it concludes goes before what it says of either, and that before the name with which it begins.

    Args:
        offer: Of the question.
        text: Match text of the answer.

    >>> offer = Offer("kaldhytta", "isfallbu", "higher")
    >>> taken(offer, "kaldhytta costs 56, so isfallbu is dearer."), taken(offer, "kaldhytta is cheaper.")
    ('isfallbu', 'isfallbu')
    """
    one, two = names(offer.one), names(offer.two)
    own, others = one - two, two - one
    if not own or not others:
        return ""
    chosen = ""
    for sentence in SENTENCE_BORDER.split(text[:MOST_READ]):
        if NEGATORS & set(WORD.findall(sentence)):
            continue
        chosen = _said(offer, sentence, own, others) or chosen
    chosen = chosen or _lead(text, own, others, one & two)
    return {"own": offer.one, "others": offer.two}.get(chosen, "")


def takes_both(offer: Offer, text: str) -> bool:
    """Whether all that an answer says is of both: "Both Kaldhytta and Isfallbu are dear".

    >>> takes_both(Offer("kaldhytta", "isfallbu", "higher"), "both 'kaldhytta' and 'isfallbu' are dear.")
    True
    """
    one, two = re.escape(offer.one), re.escape(offer.two)
    joined = re.search(
        rf"\bboth (?:the )?\W{{0,2}}(?:{one}|{two})\b\W{{0,2}} and (?:the )?\W{{0,2}}(?:{one}|{two})\b", text
    )
    return (
        joined is not None
        and not _GOES_ON.search(text, joined.end())
        and not re.search(rf"\b(?:{one}|{two})\b", text[joined.end() :])
    )


def _said(offer: Offer, sentence: str, own: frozenset[str], others: frozenset[str]) -> str:
    """Of which of two a sentence says that it has more: "own", "others" or empty."""
    if former := _FORMER.search(sentence):
        order = first_named(sentence, own, others)
        turned = (former["which"] or former["place"]) in {"latter", "second"}
        return ({"own": "others", "others": "own"}.get(order, "") if turned else order) if order else ""
    for word, turned, _ in degrees(offer.degree):
        if named := told_of(sentence, own, others, word):
            return _turned(named) if turned else named
    if (when := _BEFORE.search(sentence)) and offer.degree in _EARLIER | _LATER:
        named = told_of(sentence, own, others, when["way"])
        return _turned(named) if (when["way"] == "before") is (offer.degree in _LATER) else named
    if concluded := _CONCLUDES.search(sentence):
        rest = set(WORD.findall(sentence[concluded.start() :]))
        if bool(own & rest) != bool(others & rest):
            return "own" if own & rest else "others"
    return ""


def _lead(text: str, own: frozenset[str], others: frozenset[str], both: frozenset[str]) -> str:
    """The name with which an answer begins and says no more in its first piece: "Isfallbu, with 56"; or empty."""
    named = ""
    end = 0
    for word in WORD.finditer(text):
        if word[0] in both:
            end = word.end()
            continue
        if word[0] not in own | others and named:
            break
        if word[0] in own | others:
            side = "own" if word[0] in own else "others"
            if named and side != named:
                return ""
            named, end = side, word.end()
        elif word[0] not in {"the", "it", "is", "was"}:
            return ""
    return named if named and _LEAD_ENDS.match(text, end) else ""


def _turned(named: str) -> str:
    return {"own": "others", "others": "own"}.get(named, "")
