"""A reference in words that an answer may have in another form.

Its code in other marks, its surname in a double name, its ordinal as a count: enough to leave the verdict to a judge,
not to accept it.
"""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.matching.texts import LEGAL
from core.judging.match.readers.figures.number_words import ORDINALS, SMALL
from core.judging.match.readers.texts.normalise import clean_text
from core.judging.match.unproven.states import same_state

LONGEST_CODE: Final = 24
"""Characters of a code."""
LEAST_NAME: Final = 4
"""Letters of a surname that is looked for inside a double name."""
_COSTS_NOTHING: Final = re.compile(
    r"\b(?:(?:not|never|dont|doesnt|neednt) (?:have to )?pay (?:anything|a fee|at all)|pays? nothing"
    r"|no (?:charge|cost|fees?)|without charge|nothing to pay|complimentary|gratis|cost-free)\b"
)
_KIND: Final = re.compile(r"\b(?:licen[cs]e|version|edition|type|class|model|series|grade|form|standard)\b")
LEAST_CUT, MOST_CUT = 3, 6
"""Letters of a word in capitals."""
LEAST_ENDED: Final = 6
"""Letters of a name that may end otherwise in another language."""
TWO: Final = 2
MOST_GROUPS: Final = 3
"""Numbers of a reference: hours, minutes and seconds, the ends of a range."""
_DIGITS: Final = re.compile(r"(?<![\w.,])\d{1,4}(?![.,]?\d)|(?<=[:/-])\d{1,4}(?![.,]?\d)")
_NUMBERS: Final = re.compile(r"\d{1,4}(?![\d.,]\d)|[a-z]{3,}")
_JOINED: Final = re.compile(r"\d:\d|\d ?(?:-|to) ?\d")
_WORD: Final = re.compile(r"[^\W_]+")
_ORDINAL: Final = re.compile(r"\b(?:(?P<digits>\d{1,3})(?:st|nd|rd|th)|(?P<word>[a-z]{4,}))\s(?P<what>[a-z]{3,})")
LEAST_OF_A_COMPANY: Final = 3
"""Words of a company's name and its legal form, of which the first may be left out."""
_SHORT_WORD: Final = re.compile(r"(?P<word>[a-z]{2,4})\.? (?P<number>\d{1,4}[a-z]?|[a-z])")
_MARKS: Final = re.compile(r"[\W_]+")
_TOKEN: Final = re.compile(r"[^\s,;()]+")


def other_form(reference: str, plain: str, answer: str, said: str) -> str:
    """What an answer has of a reference in another form, in a sentence; empty where it has nothing.

    Args:
        reference: As written.
        plain: Its match text.
        answer: As written.
        said: Its match text.

    >>> other_form("E24", "e24", "It reads E:24.", "it reads e:24.")
    'The answer has "e:24" for the code "E24".'
    >>> other_form("Marie Curie", "marie curie", "Maria Sklodowska-Curie", "maria sklodowska-curie")
    'The answer has "curie" in a double name.'
    >>> other_form("The 28th week", "the 28th week", "After 28 weeks.", "after 28 weeks.")
    'The answer counts "28 week", the reference has an ordinal.'
    """
    return (
        _groups(plain, said)
        or _cut(reference, answer)
        or _free(plain, said)
        or _without_its_kind(reference, plain, said)
        or _code(reference, plain, said)
        or _double_name(reference, said)
        or _counted(plain, said)
        or same_state(plain, said)
        or _other_ending(reference, answer)
        or _company_in_part(plain, said)
        or _abbreviated(plain, said)
    )


def _code(reference: str, plain: str, said: str) -> str:
    """A token of letters and digits with other marks in between."""
    bare = _MARKS.sub("", plain)
    is_code = any(map(str.isdigit, bare)) and any(map(str.isalpha, bare)) and len(plain.split()) == 1
    if not is_code or len(bare) > LONGEST_CODE:
        return ""
    for token in _TOKEN.findall(said):
        if _MARKS.sub("", token) == bare:
            return f'The answer has "{token.strip(".:")}" for the code "{reference.strip()}".'
    return ""


def _groups(plain: str, said: str) -> str:
    """The numbers of a reference of two or three, where all stand in the answer in words or with their units."""
    wanted = [int(digits) for digits in _DIGITS.findall(plain)]
    if not 2 <= len(wanted) <= MOST_GROUPS or not _JOINED.search(plain):
        return ""
    told = [number for word in _NUMBERS.findall(said) if (number := _count(word)) >= 0]
    places = [told.index(number) if number in told else -1 for number in wanted]
    return (
        "The answer has the numbers of the reference in another form."
        if -1 not in places and places == sorted(places)
        else ""
    )


def _count(word: str) -> int:
    """The whole number that a token is, in digits or in words; -1 for none."""
    if word.isdigit():
        return int(word)
    return SMALL.get(word, -1)


def _free(plain: str, said: str) -> str:
    """What costs nothing, in other words."""
    if not re.fullmatch(r"free(?: of charge)?\.?|no charge\.?", plain.strip()):
        return ""
    found = _COSTS_NOTHING.search(said)
    return f'The answer says "{found[0]}".' if found else ""


def _without_its_kind(reference: str, plain: str, said: str) -> str:
    """A name with a number, where the answer leaves out what it is: Apache-2.0 for Apache License 2.0."""
    if not re.search(r"\d", plain) or not _KIND.search(plain) or not reference[:1].isupper():
        return ""
    words = [word for word in re.findall(r"[a-z]{3,}|\d[\d.]*", _KIND.sub(" ", plain)) if word.strip(".")]
    if len(words) < 2:
        return ""
    stands = re.search(r"[\W_]{1,3}".join(re.escape(word.strip(".")) for word in words), said)
    return f'The answer has "{stands[0]}".' if stands else ""


def _cut(reference: str, answer: str) -> str:
    """A short word in capitals with a letter more or less: JPG for JPEG."""
    own = reference.strip(" .")
    if own.isalpha() and own.isupper() and LEAST_CUT <= len(own) < MOST_CUT:
        begun = re.search(rf"(?<![\w-]){own.casefold()}[a-z]{{2,}}", answer.casefold())
        if begun:
            return f'"{own}" may be short for "{begun[0]}".'
    if not (own.isalpha() and own.isupper() and LEAST_CUT <= len(own) <= MOST_CUT):
        return ""
    for word in re.findall(r"(?<![\w-])[A-Z]{3,6}(?![\w-])", answer):
        long, short = sorted((own, word), key=len, reverse=True)
        if len(long) == len(short) + 1 and long[0] == short[0] and long[-1] == short[-1] and _is_within(short, long):
            return f'"{word}" may be "{own}".'
    return ""


def _is_within(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _double_name(reference: str, said: str) -> str:
    """The last word of a name where the answer has it behind or before a hyphen."""
    words = _WORD.findall(clean_text(reference))
    if not 2 <= len(words) <= 3 or not all(word[0].isupper() for word in words) or len(words[-1]) < LEAST_NAME:
        return ""
    name = words[-1].casefold()
    given = words[0].casefold()
    if re.search(rf"(?<=[^\W\d_]-){re.escape(given)} {re.escape(name)}(?!\w)", said):
        return f'The answer has "{given}" in a double name.'
    double = re.search(rf"(?<=[^\W\d_]-){re.escape(name)}(?!\w)|(?<!\w){re.escape(name)}(?=-[^\W\d_]{{3}})", said)
    return f'The answer has "{name}" in a double name.' if double else ""


def _counted(plain: str, said: str) -> str:
    """The ordinal of a reference ("the 28th week") that the answer has as a count ("28 weeks")."""
    for match in _ORDINAL.finditer(plain):
        number = match["digits"] or str(ORDINALS.get(match["word"], ""))
        what = match["what"].rstrip("s")
        if number and re.search(rf"(?<![\w.,]){number} {re.escape(what)}s?\b", said):
            return f'The answer counts "{number} {what}", the reference has an ordinal.'
    return ""


def _other_ending(reference: str, answer: str) -> str:
    """A name whose last letter is another one: Seville for Sevilla."""
    own = reference.strip(" .")
    if inflected := _inflected(own, answer):
        return inflected
    if not own.isalpha() or not own[0].isupper() or len(own) < LEAST_ENDED:
        return ""
    found = re.search(rf"(?<!\w){re.escape(own[:-1])}(?!{own[-1]})[^\W\d_](?!\w)", answer)
    return f'"{found[0]}" may be "{own}".' if found else ""


def _inflected(own: str, answer: str) -> str:
    """A name of two words or more of which one ends in a letter more: "den Stadtwerken Bielefeld"."""
    words = own.split()
    if len(words) < TWO or not all(word.isalpha() and word[0].isupper() for word in words):
        return ""
    for word in words:
        if len(word) >= LEAST_ENDED and (
            found := re.search(rf"(?<!\w){re.escape(own).replace(word, f'{word}[nms]', 1)}(?!\w)", answer)
        ):
            return f'"{found[0]}" may be "{own}".'
    return ""


def _company_in_part(plain: str, said: str) -> str:
    """The last word of a company with its legal form, without the words in front: "Wieland AG"."""
    words = _WORD.findall(plain)
    if len(words) < LEAST_OF_A_COMPANY or words[-1] not in LEGAL or len(words[-2]) < LEAST_NAME:
        return ""
    stands = re.search(rf"(?<!\w){re.escape(words[-2])}[\W_]{{1,3}}{words[-1]}(?!\w)", said)
    return f'The answer has "{stands[0]}" of the name.' if stands else ""


def _abbreviated(plain: str, said: str) -> str:
    """A short word with its number where the answer has a longer one: "Lok 9" for locomotive no. 9."""
    short = _SHORT_WORD.fullmatch(plain.strip(" ."))
    if short is None:
        return ""
    word, number = short["word"], re.escape(short["number"])
    stands = re.search(rf"\b{word[:2]}[a-z]{{2,}} (?:(?:no|nr|number)\.? |#)?{number}(?![\w.,]\w|\w)", said)
    return f'"{stands[0]}" may be "{plain.strip()}".' if stands else ""
