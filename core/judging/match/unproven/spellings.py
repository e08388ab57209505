"""A reference that an answer may spell otherwise: a section by its sign, a pair of codes without its stroke.

None of these is the reference word for word, and none is another value: the verdict is left to a judge or a person.
"""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.matching.texts import PERSON
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.text.words import STOP_WORDS, stem

LEAST_TELLING: Final = 4
"""Letters of a word that tells something."""
WORDS: Final = 2
"""Words of a name that are looked for apart from each other."""
FEW_WORDS: Final = 6
"""So many words lie between two that are said of one thing."""
LEAST_CODE: Final = 6
"""Letters and digits of a code that another one may go on from."""
_WORD: Final = re.compile(r"[^\W_]+")
_NUMBERED: Final = re.compile(
    r"(?P<kind>section|article|clause|chapter|paragraph|appendix|annex|schedule|table|figure|page|item|rule|note|step)s?"
    r"\.? (?P<number>\d+(?:\.\d+)*[a-z]?)"
)
_KIND_AND_MARK: Final = re.compile(r"(?P<kind>[a-z]{4,}) (?P<mark>[a-z]|\d{1,3}|[ivx]{1,4})")
_MODEL: Final = re.compile(r"(?=\S*\d)(?=\S*[A-Z])[A-Z\d][A-Z\d-]{3,}")
_NO_TERM: Final = re.compile(r"[\d@]|\w\.\w")
"""In codes and addresses."""
LONG_NAME: Final = 8
"""Letters of a name of one word that people shorten."""
_FEW_LETTERS: Final = re.compile(r"(?<![\w&-])[A-Z]{2}(?![\w&-])")
_LETTERS: Final = re.compile(r"[A-Z]{3,5}")
LEAST_OF_A_FAMILY: Final = 5
"""Letters that words of one family share."""
ENDING: Final = 3
"""Letters of an ending."""
_STROKE: Final = re.compile(r"(?P<letters>[A-Za-z]{2,8})[/-](?P<rest>\w{2,8})")
_HEAD: Final = re.compile(r"(?P<head>[A-Z][a-z]{3,}) of (?:the )?[A-Z]")
_SHORT_NAME: Final = re.compile(r"(?P<first>[A-Z][\w'’-]{3,}) (?P<last>[A-Z][a-z]{1,2})\.?")
_REGIONS: Final = {
    "apac": "asia pacific",
    "emea": "europe middle east and africa",
    "latam": "latin america",
    "mena": "middle east and north africa",
    "cee": "central and eastern europe",
    "dach": "germany austria and switzerland",
    "anz": "australia and new zealand",
    "nam": "north america",
}
"""Regions of the world as companies shorten them."""
_NATIONS: Final = {"england": "english", "scotland": "scottish", "wales": "welsh", "ireland": "irish"}
"""What is called of a country in two ways, whatever is asked; other countries are read where one is asked for."""


def spelled_otherwise(reference: str, answer: str, question: str) -> str:
    """What an answer has of a reference in another spelling, in a sentence; empty where it has nothing.

    Args:
        reference: As written.
        answer: As written.
        question: Match text of the question.

    >>> spelled_otherwise("Section 7.2", "See § 7.2.", "where is it said?")
    'The answer has the number 7.2 of the section.'
    >>> spelled_otherwise("EUR/USD", "It is EURUSD.", "which pair?")
    '"EURUSD" may be "EUR/USD".'
    >>> spelled_otherwise("Board of Directors", "It goes to the Board.", "who decides?")
    'The answer has "Board" of "Board of Directors".'
    >>> spelled_otherwise("Estrin Gospels", "The Gospel book of Estrin", "which manuscript?")
    'The answer has all words of "Estrin Gospels", apart from each other.'
    """
    plain, said = match_text(reference).strip(" ."), match_text(answer)
    return (
        _numbered(plain, said)
        or _turned(plain, said)
        or _of_their_families(reference, plain, said, question)
        or _rest(reference, plain, answer, question)
        or _model(reference.strip(), answer)
        or _abbreviates(reference.strip(), said)
        or _abbreviated(plain, answer, question)
        or _without_its_stroke(reference.strip(), answer)
        or _gone_on_from(reference.strip(), answer)
        or _head_alone(reference.strip(), answer)
        or _short_name(reference.strip(), answer)
        or _region(plain, said)
        or _nation(plain, said)
        or ("" if PERSON.search(question) else _apart(reference, plain, said))
    )


def _numbered(plain: str, said: str) -> str:
    """A part of a document by its number, under another word or sign for what it is."""
    wanted = _NUMBERED.fullmatch(plain)
    if wanted is None:
        return ""
    stands = re.search(rf"(?:§|[a-z]{{2,}}\.?) ?{re.escape(wanted['number'])}(?![\w%]|[.,]\d)", said)
    return f"The answer has the number {wanted['number']} of the {wanted['kind']}." if stands else ""


def _turned(plain: str, said: str) -> str:
    """A kind with its letter or number the other way round: the B class for class B."""
    wanted = _KIND_AND_MARK.fullmatch(plain)
    if wanted is None or wanted["mark"] == "a":
        return ""
    stands = re.search(rf"(?<![\w-]){re.escape(wanted['mark'])}[ -]{re.escape(wanted['kind'])}\b", said)
    return f'"{stands[0]}" may be "{plain}".' if stands else ""


def _of_their_families(reference: str, plain: str, said: str, question: str) -> str:
    """Words of the families of all long words of a term: amoxicillin-clavulanate for amoxicillin/clavulanic acid."""
    words = [word for word in _WORD.findall(plain) if len(word) >= LEAST_OF_A_FAMILY]
    named = all(word[:1].isupper() for word in _WORD.findall(reference) if word.casefold() not in STOP_WORDS)
    if len(words) < WORDS or named or PERSON.search(question) or _NO_TERM.search(plain):
        return ""
    others = frozenset(_WORD.findall(said)) - frozenset(_WORD.findall(question))
    near = [
        next((other for other in others if other[:length] == word[:length]), "")
        for word in words
        for length in [max(LEAST_OF_A_FAMILY, len(word) - ENDING)]
    ]
    return f'The answer has words of the same families: "{", ".join(near)}".' if all(near) else ""


def _rest(reference: str, plain: str, answer: str, question: str) -> str:
    """What a question does not say of a name: the Granvia, where the hotel in Kyoto is asked for."""
    asked = frozenset(_WORD.findall(question))
    words = [word for word in _WORD.findall(reference) if word.casefold() not in STOP_WORDS]
    rest = [word for word in words if word.casefold() not in asked]
    named = all(word[:1].isupper() and len(word) > LEAST_TELLING for word in rest)
    if not rest or len(rest) == len(words) or not named or PERSON.search(question) or _NO_TERM.search(plain):
        return ""
    stands = re.search(rf"(?<![\w-]){' '.join(map(re.escape, rest))}(?![\w-])(?! [A-Z])", answer)
    return f'The answer has "{stands[0]}" of "{reference.strip()}".' if stands else ""


def _model(reference: str, answer: str) -> str:
    """The code of a model without its maker: an A350-900 for an Airbus A350-900."""
    *maker, code = reference.split()
    if not maker or not all(word.isalpha() for word in maker) or _MODEL.fullmatch(code) is None:
        return ""
    stands = re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", answer)
    return f'The answer has "{code}" of "{reference}".' if stands else ""


def _abbreviates(reference: str, said: str) -> str:
    """What an abbreviation of letters may stand for: alkaline phosphatase for ALP, gamma-GT for GGT."""
    if joined := re.fullmatch(r"([A-Z])\w+ (?:&|and) ([A-Z])\w+", reference):
        short = re.search(rf"\b{joined[1]} ?(?:&|and) ?{joined[2]}\b", said, re.IGNORECASE)
        return f'"{short[0].upper()}" may be short for "{reference}".' if short else ""
    if _LETTERS.fullmatch(reference) is None:
        return ""
    letters = reference.casefold()
    words = _WORD.findall(said)
    for count in range(1, len(letters) + 1):
        for place in range(len(words) - count + 1):
            some = words[place : place + count]
            long = count > 1 or len(some[0]) >= LONG_NAME
            if long and STOP_WORDS.isdisjoint(some) and _spells(letters, some):
                return f'"{reference}" may be short for "{" ".join(some)}".'
    return ""


def _abbreviated(plain: str, answer: str, question: str) -> str:
    """The letters of an answer that may stand for a long name: VW for Volkswagen."""
    if not plain.isalpha() or len(plain) < LONG_NAME:
        return ""
    for found in _FEW_LETTERS.finditer(answer):
        letters = found[0].casefold()
        if letters not in _WORD.findall(question) and _spells(letters, [plain]):
            return f'"{found[0]}" may be short for "{plain}".'
    return ""


def _spells(letters: str, words: list[str]) -> bool:
    """Whether letters stand in words in their order, the first one of each word among them."""
    rest = letters
    for number, word in enumerate(words):
        if not rest or rest[0] != word[0] or (word == letters and len(words) == 1):
            return False
        following = words[number + 1][0] if number + 1 < len(words) else ""
        for character in word:
            if rest and rest[0] == character and (not following or len(rest) > 1):
                rest = rest[1:]
    return not rest and len("".join(words)) > len(letters)


def _without_its_stroke(reference: str, answer: str) -> str:
    """A code of two parts that are written as one, or of which the first is written out: Actual/360 for ACT/360."""
    code = _STROKE.fullmatch(reference)
    if code is None or not reference.isupper():
        return ""
    letters, rest = re.escape(code["letters"]), re.escape(code["rest"])
    written_out = rf"{letters}[a-z]*[/ -]{rest}" if any(map(str.isdigit, code["rest"])) else r"(?!)"
    stands = re.search(rf"(?<!\w)(?:{letters}[ -]?{rest}|{written_out})(?!\w)", answer, re.IGNORECASE)
    return f'"{stands[0]}" may be "{reference}".' if stands else ""


def _gone_on_from(reference: str, answer: str) -> str:
    """A longer code that begins with the reference: the BIC of a head office with its XXX."""
    if not (reference.isalnum() and reference.isupper() and len(reference) >= LEAST_CODE):
        return ""
    stands = re.search(rf"(?<!\w){re.escape(reference)}[A-Z\d]{{1,4}}(?!\w)", answer)
    return f'"{stands[0]}" begins with "{reference}".' if stands else ""


def _head_alone(reference: str, answer: str) -> str:
    """The first word of a body's name with a capital inside a sentence: the Board."""
    head = _HEAD.match(reference)
    if head is None:
        return ""
    stands = re.search(rf"\b(?:the|The|by|of|its|our) {head['head']}\b(?! (?:of|[A-Z]))", answer)
    return f'The answer has "{head["head"]}" of "{reference}".' if stands else ""


def _short_name(reference: str, answer: str) -> str:
    """A name whose last word is cut short: Hannover Re for Hannover Rück."""
    name = _SHORT_NAME.fullmatch(reference)
    if name is None:
        return ""
    stands = re.search(rf"(?<!\w){re.escape(name['first'])} {name['last'][0]}[^\W\d_]+", answer)
    return f'"{stands[0]}" may be "{reference}".' if stands and stands[0] != reference else ""


def _region(plain: str, said: str) -> str:
    """A region of the world in its letters, or written out."""
    wanted = " ".join(_WORD.findall(plain))
    words = frozenset(_WORD.findall(said))
    for short, long in _REGIONS.items():
        if wanted == long and short in words:
            return f'"{short.upper()}" is short for "{long}".'
        if wanted == short and frozenset(long.split()) - STOP_WORDS <= words:
            return f'"{long}" is what "{short.upper()}" is short for.'
    return ""


def _nation(plain: str, said: str) -> str:
    """What is of a country: the laws of England, English law."""
    for land, people in _NATIONS.items():
        for one, other in ((land, people), (people, land)):
            rest = [word.rstrip("s") for word in _WORD.findall(plain) if word not in {one, *STOP_WORDS}]
            words = {word.rstrip("s") for word in _WORD.findall(said)}
            if one in _WORD.findall(plain) and other in _WORD.findall(said) and rest and words.issuperset(rest):
                return f'The answer has "{other}" for "{one}".'
    return ""


def _apart(reference: str, plain: str, said: str) -> str:
    """All words of a name in one sentence, others among them, where one is a common word: the Gospel book of Estrin."""
    wanted = _WORD.findall(plain)
    if len(wanted) != WORDS or not all(word.isalpha() and len(word) >= LEAST_TELLING for word in wanted):
        return ""
    if plain in said:
        return ""  # it is named, and something else is said of it
    own = {stem(word) for word in wanted}
    for sentence in SENTENCE_BORDER.split(said):
        stems = [stem(word) for word in _WORD.findall(sentence)]
        places = [[at for at, word in enumerate(stems) if word == one] for one in own]
        if len(own) == len(wanted) and any(
            abs(first - second) <= FEW_WORDS for first in places[0] for second in places[1]
        ):
            return f'The answer has all words of "{reference.strip()}", apart from each other.'
    return ""
