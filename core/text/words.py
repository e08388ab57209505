"""Words as they are compared: case-folded, of one word family, without the words that carry no meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

WORD = re.compile(r"\w+(?:[.,/-]\d+)*")
"""A word, or a number with its separators (``4.50``, ``2014-05-03``, ``1,200``)."""

QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " "})
DASHES = re.compile(r"[\u2010-\u2015\u2212]")

_STOP_WORDS = """
a about above after again against all also am among an and any are as at be because been before being below between
both but by can cannot could did do does doing down during each either else few for from further had has have having
he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only
or other our ours out over own per s same shall she should so some such t than that the their theirs them then there
these they this those through to too under until up upon us very via was we were what when where whether which while
who whom whose why will with within without would you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English function words."""

_PADDING = """
according accurate additional again ahead along already answer appreciate appreciated ask asked asking assist
assistance available aware belong belonging belongs bring called carefully carried carries carry carrying check
checked checking clarify clear colleague colleagues concerned concerning connection consult correct correctly
currently data database detail detailed details determine discover enquiry entry exact exactly favour file files
find finding forward full fully get give given gives glad go goes going grateful happen happy held hello help
helpful hold identify indicate info inform information inquire inquiry instance interested involved keep kept kind
kindly know knowing known knows learn let like list listed look looked looking looks matches matching matter mention
mentioned moment much must name named namely need needed needs obtain one ourselves particular particularly perhaps
personal please possible precise precisely preparing provide provided providing quest question questions read really
record recorded records refer regard regarding registered related relating relevant reply request requested respect
retrieve review say search see seek seeking show specific specifically specified state stated stored sure system
tell telling thank thanks time today together tomorrow trying turn understand use used using want wanted wish wished
wonder wondering word words work write writing written
"""
PADDING = frozenset(_PADDING.split())
"""Words of requests, not of facts: they are in a question because somebody is polite or thorough."""

KEPT_WHOLE = frozenset(
    {"address", "business", "customer", "former", "letter", "master", "matter", "number", "officer", "order", "paper"}
)
"""Words whose ending only looks like a suffix."""

SUFFIXES = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ions",
    "ion",
    "ated",
    "ates",
    "ate",
    "ors",
    "ers",
    "or",
    "er",
    "ies",
    "ied",
    "ed",
    "es",
    "als",
    "al",
    "ly",
    "s",
    "e",
    "y",
)
"""Longest first; one is taken off when at least four letters stay."""

FAMILIES = (
    "manage lead led head run",
    "locate situate base place city town site where",
    "telephone phone call",
    "mail email e-mail",
    "establish found",
    "fee charge cost price",
    "salary pay wage earn",
    "job role position title",
    "employ staff",
    "begin began start launch initiate commence",
    "end complete finish conclude",
)
"""Words that mean the same in a question about a record; a stem cannot know."""


def fold(text: str) -> str:
    """Text with one case, one kind of quotation mark and dash, and single blanks.

    >>> fold("O’Brien  –  ZÜRICH")
    "o'brien - zürich"
    """
    if text.isascii():
        return " ".join(text.lower().split())
    plain = unicodedata.normalize("NFKC", text.translate(QUOTES))
    return " ".join(DASHES.sub("-", plain).casefold().split())


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The word's family: light suffix stripping, then the families that only a list can know.

    >>> stem("opening") == stem("opened") == stem("opens")
    True
    >>> stem("manager") == stem("managed") == stem("led")
    True
    >>> stem("office") == stem("officer")
    False
    """
    return _FAMILY.get(bare := _strip(word), bare)


def words(text: str) -> list[str]:
    """The folded words of a text, in order."""
    return WORD.findall(fold(text))


@lru_cache(maxsize=20_000)
def words_of(folded: str) -> tuple[str, ...]:
    """The words of a folded text that is read for many names, each once."""
    return tuple(dict.fromkeys(WORD.findall(folded)))


def families(text: str) -> list[str]:
    """The word families of a text, in order, function words left out."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def stems(text: str) -> frozenset[str]:
    """The word families in a text, each once, function words left out."""
    return frozenset(families(text))


def content_words(question: str) -> tuple[str, ...]:
    """The words a question asks about, in order, without function words and padding; padding where there is no more.

    >>> content_words("Could you kindly tell me the opening date of the branch?")
    ('opening', 'date', 'branch')
    """
    every = tuple(dict.fromkeys(word for word in words(question) if word not in STOP_WORDS))
    return tuple(word for word in every if word not in PADDING) or every


def contains_phrase(folded_text: str, phrase: str) -> bool:
    """Whether a folded text contains a phrase, not as a part of longer words.

    >>> contains_phrase("the harbour street branch", "Harbour Street"), contains_phrase("annex", "anne")
    (True, False)
    """
    folded_phrase = _folded_phrase(phrase)
    if not folded_phrase:
        return False
    start = folded_text.find(folded_phrase)
    while start != -1:
        end = start + len(folded_phrase)
        before = folded_text[start - 1 : start] + folded_phrase[:1]
        after = folded_phrase[-1:] + folded_text[end : end + 1]
        if not _inside_word(before) and not _inside_word(after):
            return True
        start = folded_text.find(folded_phrase, start + 1)
    return False


@lru_cache(maxsize=100_000)
def _folded_phrase(phrase: str) -> str:
    """A phrase, which is looked for in many texts, folded once."""
    return fold(phrase)


def _inside_word(pair: str) -> bool:
    return len(pair) == 2 and all(character.isalnum() or character == "_" for character in pair)


def _strip(word: str) -> str:
    if word in KEPT_WHOLE or not word.isalpha():
        return word
    if word.endswith("s") and not word.endswith("ss") and word[:-1] in KEPT_WHOLE:
        return word[:-1]
    if word.endswith("ss"):
        return word
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            root = word[: -len(suffix)]
            # "running" and "run" share a family: undo the doubled consonant
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "aeiouls" else root
    return word


def _families(lines: Iterable[str]) -> dict[str, str]:
    family: dict[str, str] = {}
    for line in lines:
        members = [_strip(member) for member in line.split()]
        for member in members:
            family[member] = members[0]
    return family


_FAMILY = _families(FAMILIES)
