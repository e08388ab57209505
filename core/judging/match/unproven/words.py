"""References in words that an answer may say in other words, since it names nothing in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from core.judging.match.figures.clauses import families
from core.judging.match.matching.texts import PERSON
from core.judging.match.readers.figures.number_words import ORDINALS, SMALL
from core.judging.match.readers.figures.units import UNITS
from core.judging.match.readers.texts.codes import is_code, of_its_shape
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.texts.titles import TITLES
from core.judging.match.reference import Reference
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.judging.match.unproven.equivalence import says_none
from core.text.words import STOP_WORDS

_ROMAN: Final = re.compile(r"\b(?=[ivxlc])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})(?:e|th|er|ème)?\b")
_MEASURE: Final = re.compile(r"(?<![\w.,])\d[\d.,]* ?(?P<unit>[^\W\d_]+)(?!\w)")
_MEASURES: Final = frozenset({*UNITS, "basis", "percentage", "bar", "mpa", "kpa", "psi", "hpa", "kn", "mph", "kt"})
_TURN: Final = re.compile(r"\b(?:every|each|alternate|other|second|third|once|twice) \w+")
"""A reference that says how often, for which there are many words: "every second Wednesday"."""
_NUMBERED: Final = re.compile(r"[a-z]+ \d [a-z]+")
"""A name with its number, "type 2 diabetes", is looked for as it stands."""
_DIGIT: Final = re.compile(r"\d")
_DIGITS_RUN: Final = re.compile(r"\d+(?:[.,]\d+)*")
_SHORT_NUMBER: Final = re.compile(r"[a-z]{2,5}[- ]?(?P<digits>\d{1,3})")
_TOKEN: Final = re.compile(r"[^\W_](?:[^\s,;()]*[^\W_])?")
_WORD: Final = re.compile(r"[^\W_]+")
_CAPITAL: Final = re.compile(r"(?<![\w])[^\W\d_a-z][\w'’.-]*")
_CODE: Final = re.compile(r"(?<![\w])(?=[\w./-]*\d)[\w][\w./-]*[\w]|(?<!\w)\d(?!\w)")
LEAST_DIGITS: Final = 3
"""Digits of a code that no words can say; a rating such as PG-13 they may."""
LEAST_PREFIX: Final = 5
"""Letters of a word that may be a longer one cut off."""
LEAST_TELLING: Final = 4
"""Letters of a word that tells something."""
LEAST_WORDS: Final = 3
"""Words of a reference that are looked for in another order with others among them."""
_COMMON_WORDS: Final = re.compile(r"(?!.*\b(?:and|or|but|not)\b)[a-z -]+")
FEW_OF_IT: Final = 3
"""Words of an answer that may be a part of the reference and nothing else."""
FEW_WORDS: Final = 6
"""An answer of so few words besides the question's gives its value and explains nothing."""


def _number_of_what_is_asked(wanted: Sequence[str], asked: frozenset[str], said: str) -> str:
    """The number of a reference that is a word of the question with a number, "Category 7", where the answer has it."""
    digits = [word for word in wanted if word.isdigit()]
    others = [word for word in wanted if not word.isdigit()]
    if len(digits) != 1 or not others or not set(others) <= asked:
        return ""
    stands = re.search(rf"(?<![\w.,]){digits[0]}(?![.,]?\w)", said)
    return f"The answer has the number {digits[0]} of the reference." if stands else ""


def _spelled_out(reference: str, asked: frozenset[str], said: str) -> str:
    """An abbreviation with its number, "BSL-2", where the answer has the number behind a word of the question."""
    short = _SHORT_NUMBER.fullmatch(reference.strip(" ."))
    if short is None:
        return ""
    behind = re.search(rf"\b(?P<word>[a-z]{{4,}}) {short['digits']}(?![.,]?\w)", said)
    return f'"{behind[0]}" may be {short[0]} spelled out.' if behind and behind["word"] in asked else ""


_LETTERS = re.compile(r"\b[A-Z]{2,4}\b")
_CODE_ASKED = re.compile(
    r"\b(?:codes?|results?|outcomes?|verdicts?|status|grades?|class|category|ratings?|kind|type)\b"
)
"""Questions to which a few capital letters are a code, which answers put in words: "failed" for NB."""


def _code_unproven(reference: Reference, answer: str, question: str) -> str | None:
    """What is said of an answer without the code wanted; empty where it has another one, None where it is no code."""
    if is_code(reference.plain):
        said_otherwise = len(_DIGIT.findall(reference.plain)) < LEAST_DIGITS and not _rival_code(answer, question)
        return "The answer gives no code in its place." if said_otherwise else ""
    if not (_LETTERS.fullmatch(reference.text.strip(" .")) and _CODE_ASKED.search(question)):
        return None
    others = set(_LETTERS.findall(answer)) - {word.upper() for word in question.split()}
    return "" if others else "The answer gives no code in its place, and may say it in words."


def _is_a_part(reference: Reference, said: str, wanted: Sequence[str]) -> str:
    """What is said of an answer that is a part of the reference alone, "imperial" for "imperial rule"; or empty."""
    short = {word for word in _WORD.findall(said) if word not in STOP_WORDS}
    if (
        not short
        or len(short) > FEW_OF_IT
        or not short < set(wanted)
        or not _COMMON_WORDS.fullmatch(reference.text.strip())
    ):
        return ""
    return f'The answer is "{said.strip(" .")}", a part of the reference.'


def words_unproven(reference: Reference, answer: str, question: str) -> str:
    """Whether an answer without a reference in words names something of the reference's kind in its place."""
    said = match_text(answer)
    wanted = [word for word in _WORD.findall(reference.plain) if word not in STOP_WORDS]
    asked = frozenset(_WORD.findall(question))
    words = frozenset(_WORD.findall(said))
    if (
        len(set(wanted)) > 1
        and (_DIGIT.search(reference.plain) or not PERSON.search(question))
        and in_another_order(reference.plain, said)
    ):
        return "All words of the reference are in the answer, in another order."
    if same := _is_a_part(reference, said, wanted) or _digits_otherwise(reference.plain, said, asked):
        return same
    if numbered := _number_of_what_is_asked(wanted, asked, said) or _spelled_out(reference.plain, asked, said):
        return numbered
    telling = [word for word in wanted if word not in asked and len(word) >= LEAST_TELLING and not word.isdigit()]
    for word in telling:
        shortened_to = next((one for one in words - asked if _is_short_for(one, word)), "")
        if shortened_to:
            return f'"{shortened_to}" may be short for "{word}".'
    coded = _code_unproven(reference, answer, question)
    if coded is not None:
        return coded
    if _other_units(reference.plain, said):
        return "Answer and reference measure in other units."
    if of_its_shape(reference.plain, said) or _other_digits(reference.plain, said, asked):
        return ""
    is_named = _names_more(reference.text) or _NUMBERED.fullmatch(reference.plain.strip(" ."))
    if _DIGIT.search(reference.plain) and not is_named and not says_none(said):
        return "Words and figures of the reference may be said in another way."
    shared = words & frozenset(telling)
    if shared and _TURN.search(reference.plain):
        return f'The answer has "{", ".join(sorted(shared))}" of the reference.'
    if _is_name(reference.text):
        is_of_it = not families(said).isdisjoint(families(question))
        return (
            ""
            if not is_of_it or _rival_name(answer, question)
            else "The answer names nothing in its place, and may describe it."
        )
    return ""


def _is_short_for(short: str, word: str) -> bool:
    """Whether a word is a longer one cut off: "lepto" for leptospirosis."""
    return len(word) >= 2 * LEAST_TELLING and LEAST_PREFIX <= len(short) < len(word) and word.startswith(short)


def _digits_otherwise(plain: str, said: str, asked: frozenset[str]) -> str:
    """The number in a reference of words where the answer has it as an ordinal or in Roman figures."""
    for digits in re.findall(r"\d{1,3}", plain):
        value = int(digits)
        if digits in asked or not value:
            continue
        for word in _WORD.findall(said):
            if ORDINALS.get(word) == value or _roman(word) == value:
                return f'The answer has "{word}" for {digits}.'
    return ""


def _roman(word: str) -> int:
    """The value of a Roman figure with or without an ordinal ending, else 0; single letters are none."""
    found = _ROMAN.fullmatch(word)
    if found is None:
        return 0
    letters = re.sub(r"(?:e|th|er|ème)$", "", word)
    if len(letters) < 2:
        return 0
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    numbers = [values[letter] for letter in letters]
    return sum(
        -value if place + 1 < len(numbers) and numbers[place + 1] > value else value
        for place, value in enumerate(numbers)
    )


def _rival_code(answer: str, question: str) -> str:
    """A code in an answer that the question does not have."""
    asked = set(question.split())
    return next((code for code in _CODE.findall(match_text(answer)) if code not in asked), "")


def in_another_order(plain: str, said: str) -> bool:
    """Whether one sentence has all words of a reference, not far from each other."""
    told = [_in_digits(word) for word in _TOKEN.findall(plain) if word not in STOP_WORDS]
    if len(told) < LEAST_WORDS or _NUMBERED.fullmatch(plain.strip(" .")):
        return False
    wanted, counted = frozenset(told), _counted(told)
    if any(re.search(r"[^\W_][./@][^\W_]", word) for word in wanted):
        return False
    for sentence in SENTENCE_BORDER.split(said):
        words = [_in_digits(word) for word in _TOKEN.findall(sentence)]
        for start, word in enumerate(words):
            near = words[start : start + 3 * len(wanted) + FEW_WORDS]
            if word in wanted and wanted <= set(near) and (len(counted) < 2 or counted <= _counted(near)):
                return True
    return False


def _counted(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Figures with the words behind them: two bottles of 24 are not 24 of two."""
    return frozenset((word, after) for word, after in pairwise(words) if word.isdigit())


def _in_digits(word: str) -> str:
    """A number word in digits, any other word as it is."""
    value = SMALL.get(word)
    return word if value is None else str(value)


def _other_units(plain: str, said: str) -> bool:
    """Whether all figures of an answer have units, and none has one of the reference: "640 mm" for "64 x 52 cm"."""
    own, theirs = (frozenset(match["unit"] for match in _MEASURE.finditer(side)) for side in (plain, said))
    units = own & _MEASURES
    return bool(units) and bool(theirs & _MEASURES) and units.isdisjoint(theirs)


def _other_digits(plain: str, said: str, asked: frozenset[str]) -> bool:
    """Whether an answer has figures of its own and none of those of the reference, or all of them exchanged."""
    shape, said_shape = _DIGITS_RUN.sub("#", plain).strip(" ."), _DIGITS_RUN.sub("#", said)
    if shape in said_shape and plain.strip(" .") not in said:
        return True
    own, theirs = (frozenset(_DIGITS_RUN.findall(side)) for side in (plain, said))
    return bool(own) and bool(theirs - asked) and not own & theirs


def _names_more(reference: str) -> bool:
    """Whether a reference with digits is a name: "Studio 2", "Sylva G-320"."""
    words = [word for word in re.findall(r"[^\W_]+", reference) if word.casefold() not in STOP_WORDS]
    letters = [word for word in words if not any(map(str.isdigit, word))]
    return bool(letters) and all(word[0].isupper() for word in letters) and len(words) <= 4


def _is_name(reference: str) -> bool:
    """Whether a reference is written as a name: a capital in each of its telling words."""
    words = [word for word in re.findall(r"[^\W\d_]+", reference) if word.casefold() not in STOP_WORDS]
    return bool(words) and all(word[0].isupper() for word in words) and len(words) <= FEW_WORDS


def _rival_name(answer: str, question: str) -> str:
    """Another name in an answer: a capital inside a sentence, or all there is of it."""
    asked = families(question)
    body = re.sub(r"[*_`#]", "", answer)
    words = _WORD.findall(match_text(body))
    if len([word for word in words if word not in STOP_WORDS and not families(word) <= asked]) <= FEW_WORDS:
        return body
    for match in _CAPITAL.finditer(body):
        before = body[: match.start()].rstrip(" \"'“„(")
        begins = not before or before[-1] in ".!?:\n•-"
        word = match[0]
        if begins and match.end() < len(body) and not re.match(r" [A-Z]", body[match.end() :]):
            continue
        if word.casefold() in STOP_WORDS | TITLES or families(match_text(word)) <= asked:
            continue
        return word
    return next((code for code in _CODE.findall(match_text(body)) if code not in set(question.split())), "")
