"""A name of which an answer has a part: "Bergtec" for Bergtec Seilbahnen AG, "Bartal" for Dr. Zsófia Bartal."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.matching.texts import LEGAL
from core.judging.match.readers.texts.normalise import clean_text
from core.judging.match.unproven.traces import has_rank
from core.text.words import STOP_WORDS

LEAST_TELLING: Final = 4
"""Letters of a word that tells a name from others."""
LEAST_WORDS: Final = 2
"""Words of a name that can be said in part."""
REACH: Final = 40
_COMPANY_ASKED: Final = re.compile(
    r"\b(?:suppliers?|manufactur\w+|compan(?:y|ies)|vendors?|makers?|brands?|carriers?|providers?|contractors?|dealers?"
    r"|operators?|publishers?|insurers?|banks?|agenc(?:y|ies)|firms?|sponsors?)\b"
)
_INSTITUTION_WORDS = """
hospital clinic centre center school academy college university institute museum gallery theatre theater library church
abbey station terminal airport port harbour harbor hotel inn park garden gardens farm mill mills works factory plant
depot warehouse store shop restaurant club stadium arena hall house tower court office branch
"""
_INSTITUTIONS: Final = frozenset(_INSTITUTION_WORDS.split())
"""Last words of the names of places and houses, which are called by their first."""
LEAST_LIKE: Final = 6
"""Letters of a surname that may be spelled with one letter otherwise."""
_SEVERAL: Final = re.compile(r"[,;/&()]|\band\b")
_WORD: Final = re.compile(r"[^\W_]+")
_BEFORE: Final = re.compile(r"(?P<word>[^\W_][\w.'’-]*)[ *_\"']{1,4}$")
_AFTER: Final = re.compile(r"^(?:[ *_\"'-]{1,4}|, )(?P<word>[^\W_][\w'’-]*)")


def part_of_a_name(reference: str, answer: str, question: str) -> str:
    """The word of a name with which an answer names it alone, in a sentence; empty where it has none.

    A word between others that are capitalised and not the reference's belongs to another name ("Peter Bartal").

    Args:
        reference: As written.
        answer: As written.
        question: Match text of the question.

    >>> part_of_a_name("Novalift Steuerungen GmbH", "It was made by Novalift.", "who made it?")
    'The answer has "Novalift" of the name.'
    >>> part_of_a_name("Ann Berger", "Peter Berger runs it.", "who runs it?")
    ''
    """
    text, words = clean_text(answer), _WORD.findall(clean_text(reference))
    own = {word.casefold() for word in words}
    asked = set(_WORD.findall(question))
    plain = [word for word in words if not has_rank(word)]
    if len(plain) < LEAST_WORDS or not all(word[0].isupper() and word.isalpha() for word in plain):
        return ""
    if _SEVERAL.search(reference):
        return ""
    forms = LEGAL.keys() & {word.casefold() for word in _WORD.findall(text)}
    if plain[-1].casefold() in LEGAL and forms - own:
        return ""
    # Of a person the surname is enough, of a company or a place any word.
    is_company = plain[-1].casefold() in LEGAL or _COMPANY_ASKED.search(question) is not None
    is_place = plain[-1].casefold() in _INSTITUTIONS
    telling = plain if is_place or is_company else plain[-1:]
    short = " ".join(plain[:-1])
    if is_place and len(plain) > LEAST_WORDS and re.search(rf"(?<![\w-]){re.escape(short)}(?![\w-]| [A-Z])", text):
        return f'The answer has "{short}" of the name.'
    for word in (word for word in telling if _tells(word) and word.casefold() not in asked):
        for stands in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-]|['’]s)", text):
            before = _BEFORE.search(text[max(0, stands.start() - REACH) : stands.start()])
            after = _AFTER.match(text[stands.end() : stands.end() + REACH])
            beside = [found["word"] for found in (before, after) if found]
            if not any(_is_of_another(one, own, asked) for one in beside):
                return f'The answer has "{word}" of the name.'
    return ""


def _tells(word: str) -> bool:
    plain = word.casefold()
    return (
        word[0].isupper()
        and word.isalpha()
        and len(word) >= LEAST_TELLING
        and plain not in LEGAL
        and plain not in STOP_WORDS
    )


def _is_of_another(word: str, own: set[str], asked: set[str]) -> bool:
    """Whether a word beside one of the name is of another name."""
    plain = word.casefold().strip(".'’-")
    if len(plain) == 1 and any(one.startswith(plain) for one in own):
        return False
    if plain in LEGAL:
        return plain not in own
    if plain in own:
        return not has_rank(word)  # the whole name, which other rules have read
    if plain in asked or plain in STOP_WORDS or has_rank(word):
        return False
    return word[0].isupper() or word[0].isdigit()


def one_letter_off(reference: str, answer: str) -> str:
    """A person's name of which an answer spells the surname with one letter otherwise, in a sentence; or empty.

    >>> one_letter_off("Sofia Andersson", "It is Sofia Anderson."), one_letter_off("Sofia Andersson", "Eva Anderson.")
    ('"Sofia Anderson" may be "Sofia Andersson".', '')
    """
    words = _WORD.findall(clean_text(reference))
    if not 2 <= len(words) <= 3 or len(words[-1]) < LEAST_LIKE or not all(word.istitle() for word in words):
        return ""
    for found in re.finditer(rf"(?<!\w){re.escape(words[0])} (?P<name>[A-Z][^\W\d_]{{4,}})", clean_text(answer)):
        alike = found["name"] != words[-1] and found["name"][0] == words[-1][0]
        if alike and _differ_in_one(found["name"], words[-1]):
            return f'"{found[0]}" may be "{reference.strip()}".'
    return ""


def _differ_in_one(one: str, other: str) -> bool:
    """Whether one letter is another one, too many or missing."""
    same = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    rests = {(one[same + 1 :], other[same + 1 :]), (one[same + 1 :], other[same:]), (one[same:], other[same + 1 :])}
    return any(a == b for a, b in rests)
