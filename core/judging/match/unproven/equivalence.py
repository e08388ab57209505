"""Where an answer may say what the reference says in other words: the same words in another order, or nobody can tell.

Words alone decide only that the same words are there. Whether other words mean the same is left to a judge or a person.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.judging.match.matching.texts import LEGAL, PERSON
from core.judging.match.readers.texts.codes import asks_code
from core.judging.match.readers.texts.normalise import clean_text, match_text
from core.judging.match.readers.texts.spellings import one_spelling
from core.judging.match.readers.times.dates import find_dates
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.judging.match.unproven.names import one_letter_off, part_of_a_name
from core.judging.match.unproven.other_forms import other_form
from core.judging.match.unproven.spellings import spelled_otherwise
from core.judging.match.unproven.states import state_in_other_words
from core.judging.match.unproven.traces import has_rank, trace
from core.judging.match.values import MAX_VALUES, Hit
from core.text.words import STOP_WORDS, stem

MAX_WORDS = 8
"""The most content words that are looked for in any order."""
SLACK = 3
"""So many function words may stand among them."""
WORDS_OF_PROSE = 6
"""Words for each part that commas make, from which on they part clauses and not the entries of a list."""
SENTENCE_WORDS = 8
"""A reference of so many words is a statement, which can be said in many ways."""
YEAR_DIGITS = 4
MAX_SENTENCES = 200
MAX_READ = 20_000
"""Characters of an answer in which other words are looked for."""
FREE_WORDS, FEW_FREE_WORDS = 5, 3
"""Telling words besides those of the question with which an answer explains, of a reason fewer; a shorter one names
another value."""
_FREELY_ASKED = re.compile(r"\b(?:why|reasons?|causes?|purpose|complaint|diagnosis|grounds)\b")
LONGEST_NAME = 200
"""Characters that are looked at for the given name before a surname."""
LEAST_IN_CAPITALS = 5
"""Letters of a word that no acronym has: REJECTED."""
_WORD = re.compile(r"[^\W_]+")
_EXACT = re.compile(r"[\d@/\\]|\w\.\w")
"""Codes, addresses and numbers are the same or another one."""
_NUMBERED = re.compile(r"(?:[a-z]+ ){2,4}\d{1,2}(?: [a-z]+){0,3}|[a-z]+ \d{1,2}(?: [a-z]+){1,3}")
"""A name of several words with one number: type 2 diabetes, dental plaster type 4."""
_MODEL_YEAR = re.compile(r"^(?:19|20)\d\d (?=[a-z][\w-]* [a-z])|(?<=[a-z] )\(?(?:19|20)\d\d\)?\.?$")
"""The year before or behind a name of several words: "2019 skoda octavia"."""
_OF_A_DATE = re.compile(r"(?<![\w.,:])(?:\d{1,2}(?:st|nd|rd|th)|\d{1,2}:\d\d)(?![\w:])")
_CODE = re.compile(r"[\d@/\\]")
_PAIR = re.compile(r"(?P<one>[a-z]{3,}) ?(?:-|–|/|to|into|>) ?(?P<two>[a-z]{3,})")
"""Two names of which one comes first: from where to where, from which into which."""
_FIRST = re.compile(r"(?<=[a-z] )i(?=\W*$)")
"""The number behind a name, which is no pronoun: "surge watch i"."""
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
"""Numbers of a name in letters: type II."""
_JOINS = frozenset({"and", "or", "nor"})
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|cannot|must|should|will|would|may|might|could"
    r"|needs?|becomes?)\b"
)
_NONE = NEGATORS | {"no", "none", "nothing", "nobody", "unknown"}
_NUMBERED_THING = re.compile(r"\bno\.? ?(?=\d)")
"""A number that is called one: "No. 2"."""
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]{1,7}s?\b")


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return _ROMAN.get(word) or stem(one_spelling(word))


def same_words(reference: str, text: str, *, is_person: bool = False) -> tuple[Hit, ...]:
    """Where all content words of a reference stand close together in one sentence, in any order and inflection.

    Args:
        reference: Match text of the reference; none is found for fewer than two content words, or for words of denial.
        text: Match text of the answer.
        is_person: Whether the words are a person's name, which no ending may be missing from: Henrik is not Henrike.

    >>> [hit.reason for hit in same_words("black and white", "the flag is white and black.")]
    ['The answer has "white and black", the same words as "black and white".']
    """
    wanted = _contents(reference)
    if not 2 <= len(wanted) <= MAX_WORDS or NEGATORS & set(_WORD.findall(reference)):
        return ()
    if _EXACT.search(_MODEL_YEAR.sub(" ", reference)) and not _NUMBERED.fullmatch(reference.strip(" .")):
        return ()
    ordered = _PAIR.fullmatch(reference.strip(" ."))
    joins = _JOINS & set(_WORD.findall(reference))
    told = set(_WORD.findall(reference)) - STOP_WORDS
    hits: list[Hit] = []
    start, text = 0, text[:MAX_READ]
    borders = [match.span() for match in SENTENCE_BORDER.finditer(text)][:MAX_SENTENCES]
    for stop, after in [*borders, (len(text), len(text))]:
        span = _window(text, start, stop, wanted)
        if span and _numbered_otherwise(reference, text[span[0] : span[1]]):
            start = after
            continue
        if span and ordered and _turned(text[span[0] : span[1]], ordered):
            start = after
            continue
        if span and is_person and not told <= set(_WORD.findall(text[span[0] : span[1]])):
            span = None
        if span and (joins or not _JOINS & set(_WORD.findall(text[span[0] : span[1]]))):
            words = text[span[0] : span[1]]
            reason = f'The answer has "{words}", the same words as "{reference.strip()}".'
            hits.append(Hit(rule="text", start=span[0], end=span[1], reason=reason))
        start = after
    return tuple(hits)


def _numbered_otherwise(reference: str, words: str) -> bool:
    """Whether a name that ends with its number has that at the beginning: "8 is numbers in motion"."""
    number = _WORD.findall(reference)[-1]
    return (
        number.isdigit()
        and len(number) < YEAR_DIGITS
        and len(_WORD.findall(reference)) > 2
        and _WORD.findall(words)[0] == number
    )


def _turned(words: str, ordered: re.Match[str]) -> bool:
    """Whether a pair whose order tells something, "english-dutch", stands the other way round: "dutch into english"."""
    return words.find(ordered["one"]) > words.find(ordered["two"])


def _window(text: str, start: int, stop: int, wanted: frozenset[str]) -> tuple[int, int] | None:
    words = [(_stem(match[0]), match.start(), match.end()) for match in _WORD.finditer(text, start, stop)]
    places = [number for number, (word, _, _) in enumerate(words) if word in wanted]
    for first, number in enumerate(places):
        seen: set[str] = set()
        for last in places[first:]:
            between = [word for word, _, _ in words[number:last] if word not in wanted]
            if last - number >= len(wanted) + SLACK or any(word not in STOP_WORDS for word in between):
                break
            seen.add(words[last][0])
            if seen == wanted:
                return words[number][1], words[last][2]
    return None


def open_question(reference: str, answer: str, question: str) -> str:
    """Why words cannot tell whether an answer without the reference says the same, or empty where they can.

    Args:
        reference: As given.
        answer: As given.
        question: Match text of the question.

    >>> open_question("European Central Bank", "The ECB.", "who supervises the bank?")
    '"ECB" may be short for "European Central Bank".'
    >>> open_question("Ann Lee", "Bob Roy manages it.", "who manages it?")
    ''
    >>> open_question("C", "She holds a licence of class C and drives for us.", "what is the licence of the driver?")
    'The letter "C" stands in the answer, and words around it cannot tell what it is.'
    """
    plain, answer = match_text(reference), answer[:MAX_READ]
    said = match_text(answer)
    if says_none(plain) and says_none(said):
        return "The reference says that there is none, and the answer denies something."
    if letter := _letter_alone(reference.strip(), answer):
        return f'The letter "{letter}" stands in the answer, and words around it cannot tell what it is.'
    if is_statement(plain):
        return "The reference is a statement, which can be said in other words."
    if not asks_code(question) and (short := _acronym(reference, answer) or _acronym(answer, reference)):
        return f'"{short[0]}" may be short for "{short[1]}".'
    names = plain.split()
    if len(names) in {2, 3} and PERSON.search(question) and _surname_alone(names[-1], answer):
        return f'The answer has the surname "{names[-1]}" alone.'
    if (shared := _same_digits(plain, said)) and len(_contents(plain)) > 1:
        return f'The answer has "{shared}" of the reference in other words.'
    if (times := _times(plain)) and times <= _times(said):
        return "The answer has the times of day of the reference in other words."
    if found := (
        trace(reference, plain, said, question)
        or other_form(reference, plain, answer, said)
        or spelled_otherwise(reference, answer, question)
        or part_of_a_name(reference, answer, question)
        or one_letter_off(reference, answer)
        or ((_in_common_words(reference) or _in_capitals(reference)) and state_in_other_words(plain, said, question))
    ):
        return found
    if _EXACT.search(plain) or LEGAL.keys() & set(_WORD.findall(plain)):
        return ""
    wanted = _contents(plain) - _contents(question)
    held = wanted & _contents(said)
    if len(wanted) >= 3 and 2 * len(held) >= len(wanted):
        return f"{len(held)} of {len(wanted)} telling words of the reference are in the answer."
    least = FREE_WORDS if _FREELY_ASKED.search(question) is None else FEW_FREE_WORDS
    if _in_common_words(reference) and len(_contents(said) - _contents(question)) >= least:
        return "The reference is put in common words, and the answer may say the same in others."
    return ""


def _in_common_words(reference: str) -> bool:
    """Whether a reference names nothing by a name, a code or a figure: "the buyer", "laser in operation"."""
    words = re.findall(r"[^\W_]+", reference)
    lower = [word.islower() for word in words]
    # The first word of a sentence has a capital as well; alone it may be a name or a category.
    return all(lower[1:]) and (len(words) > 1 or all(lower)) and not re.search(r"[\d@/\\]", reference)


def _in_capitals(reference: str) -> bool:
    """Whether a reference is a word, or some, in capitals that is no acronym: REJECTED."""
    words = _WORD.findall(reference)
    return reference.isupper() and ("_" in reference or all(len(word) >= LEAST_IN_CAPITALS for word in words))


def _letter_alone(reference: str, answer: str) -> str:
    """A reference of one letter that stands in the answer as a word of its own; A and I are words as well."""
    if len(reference) != 1 or not reference.isalpha() or reference.casefold() in "ai":
        return ""
    return reference if re.search(rf"(?<![\w'’]){re.escape(reference)}(?![\w'’+#-])", answer) else ""


def _surname_alone(surname: str, answer: str) -> bool:
    """Whether an answer has a surname without a given name or an initial in front of it."""
    answer = clean_text(answer)
    found = re.search(rf"(?:^|\s)[\"'(*]*{re.escape(surname)}(?!\w)", answer, re.IGNORECASE)
    if found is None:
        return False
    before = re.split(r"\s", answer[max(0, found.start() - LONGEST_NAME) : found.start()])[-1]
    return not before[:1].isupper() or before.casefold().strip(".,:") in STOP_WORDS or has_rank(before)


def _same_digits(reference: str, answer: str) -> str:
    """The ordinals and clock times of a short phrase, where all stand in the answer: "by the 15th of each month"."""
    if not (tokens := _OF_A_DATE.findall(reference)) or _CODE.search(_OF_A_DATE.sub("", reference)):
        return ""
    return ", ".join(tokens) if set(tokens) <= set(_OF_A_DATE.findall(answer)) else ""


def _times(plain: str) -> frozenset[tuple[int | None, int]]:
    """The times of day in a text, as hours and minutes."""
    readings = (span.readings[0] for span in find_dates(plain, MAX_VALUES))
    return frozenset((time.hour, time.minute or 0) for time in readings if time.hour is not None)


def says_none(plain: str) -> bool:
    """Whether a text denies something.

    >>> says_none("there are none."), says_none("it doesnt pay interest"), says_none("it pays interest")
    (True, True, False)
    """
    return not _NONE.isdisjoint(_WORD.findall(_NUMBERED_THING.sub(" ", plain)))


def is_statement(plain: str) -> bool:
    """Whether a reference states something rather than names it.

    Args:
        plain: Match text.

    >>> is_statement("the premium had not been paid"), is_statement("ministry of the environment")
    (True, False)
    """
    words = _WORD.findall(plain)
    return len(words) >= SENTENCE_WORDS or (len(words) >= 4 and bool(_VERB.search(plain)))


def is_prose(plain: str, parts: int) -> bool:
    """Whether a reference that reads as a list of so many parts is prose with commas or lines.

    >>> is_prose("the fee is 5 euros, which is due in may, and is waived for students", 3), is_prose("tea, rice", 2)
    (True, False)
    """
    count = len(_WORD.findall(plain))
    if count < SENTENCE_WORDS:
        return False
    return count >= WORDS_OF_PROSE * parts or (count >= 3 * parts and bool(_VERB.search(plain)))


def _acronym(full: str, holder: str) -> tuple[str, str] | None:
    """An acronym in one text whose letters begin successive words of the other."""
    for match in list(_CAPITALS.finditer(holder))[:20]:
        letters = match[0].rstrip("s").casefold()
        if len(letters) < 2:
            continue
        every = re.findall(r"[^\W\d_]+(?:'s)?", full)[:400]
        for words in ([word for word in every if word.casefold() not in STOP_WORDS], every):
            for place in range(len(words) - len(letters) + 1):
                some = words[place : place + len(letters)]
                if "".join(word[0] for word in some).casefold() == letters and all(
                    word[0].isupper() for word in (some if words is not every else (some[0], some[-1]))
                ):
                    return match[0], " ".join(some)
    if len(full.split()) < 2:
        return None
    if longer := _acronym_and_more(full, holder):
        return longer, full.strip()
    named = [word for word in full.split() if word[0].isupper() and word.casefold() not in STOP_WORDS]
    capitals = "".join(word[0] + "".join(filter(str.isupper, word[1:])) for word in named)
    if len(capitals) == 2 and capitals[0] == "C" and (found := re.search(rf"\b{capitals}O\b", holder)):
        return found[0], full.strip()
    if len(capitals) >= 3 and capitals not in full and (found := re.search(rf"\b{re.escape(capitals)}\b", holder)):
        return found[0], full.strip()
    return None


def _acronym_and_more(full: str, holder: str) -> str:
    """The acronym of a name with the letter of what it is behind it: NICU for Neonatal Intensive Care."""
    words = re.findall(r"[^\W\d_]+", full)
    if len(words) < 2 or not all(word[0].isupper() for word in words):
        return ""
    letters = "".join(word[0] for word in words)
    found = re.search(rf"\b{letters}[UDCTOS]\b", holder)
    return found[0] if found else ""


@lru_cache(maxsize=4_096)
def _contents(text: str) -> frozenset[str]:
    numbered = _FIRST.sub("1", text[:MAX_READ])
    return frozenset(_stem(word) for word in _WORD.findall(numbered) if word not in STOP_WORDS)
