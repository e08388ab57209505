"""A name without the word that says what it is, where the question has that: "Cardiology" for its department."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from core.judging.match.matching.texts import ARTICLES, LEGAL
from core.judging.match.readers.texts.codes import has_letters, is_code
from core.judging.match.readers.texts.normalise import clean_text, match_text
from core.judging.match.readers.texts.titles import TITLES
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.judging.match.values import MAX_VALUES, Hit, SearchResult

LEAST_NAME: Final = 4
"""Letters of what is left of a name."""
_WORD: Final = re.compile(r"[^\W_]+")
_AHEAD: Final = re.compile(r"(?:^|[^\w\s-]|(?P<word>[^\W_]+)) ?$")
_BEHIND: Final = re.compile(r"\s?(?:$|[^\w\s-]|(?P<word>[^\W_]+))")
_COMMON: Final = frozenset(
    "first second third main general central national local other last next north south east west upper lower".split()  # noqa: SIM905
)
"""Words that name nothing by themselves."""
_VERBS: Final = frozenset("will would can could may should must handles manages runs leads works".split())  # noqa: SIM905


def find_called(reference: str, text: str, question: str) -> SearchResult:
    """Looks for a name of several words without its last one, or its first, which the question calls it by.

    It counts where it stands by itself: between words of the question, function words and marks.

    Args:
        reference: As given.
        text: Match text of the answer.
        question: Match text of the question.

    >>> asked = "in which department does she work?"
    >>> find_called("Cardiology Department", "she works in cardiology.", asked).hits[0].reason
    'The answer has "cardiology", the department "Cardiology Department".'
    >>> find_called("Sales Team", "the sales manager.", "which team handles it?").hits
    ()
    """
    asked = frozenset(_WORD.findall(question))
    name, kind = _parted(reference, asked)
    if not name:
        return SearchResult()
    hits = []
    for match in list(re.finditer(rf"(?<![\w-]){name}(?![\w-])", text))[:MAX_VALUES]:
        ahead, behind = _AHEAD.search(text[: match.start()]), _BEHIND.match(text, match.end())
        beside = [found["word"] for found in (ahead, behind) if found and found["word"]]
        if all(word in asked or word in FUNCTION_WORDS or word in _VERBS for word in beside):
            reason = f'The answer has "{match[0]}", the {kind} "{reference.strip()}".'
            hits.append(Hit(rule="text", start=match.start(), end=match.end(), reason=reason))
    return SearchResult(hits=tuple(hits))


@lru_cache(maxsize=4_096)
def _parted(reference: str, asked: frozenset[str]) -> tuple[str, str]:
    """A pattern for the name, and the word that says what it is; empty where a reference is no such name."""
    written = _WORD.findall(clean_text(reference))
    while written and written[0].casefold() in ARTICLES:
        written = written[1:]
    if not 2 <= len(written) <= 5 or not written[0][0].isupper():
        return "", ""
    words = [match_text(word) for word in written]
    kind = next(
        (place for place in (-1, 0) if {words[place], f"{words[place]}s"} & asked and words[place].isalpha()), None
    )
    if kind is None or words[kind] in LEGAL or words[kind] in TITLES or words[kind] in FUNCTION_WORDS:
        return "", ""
    rest = words[:-1] if kind else words[1:]
    is_name = all(not word[0].islower() or word in FUNCTION_WORDS for word in (written[:-1] if kind else written[1:]))
    telling = [word for word in rest if word not in asked | _COMMON and len(word) >= LEAST_NAME and word.isalpha()]
    code = "-".join(rest)
    if not is_name or not (telling or (len(rest) > 1 and is_code(code) and has_letters(code))):
        return "", ""
    return r"[\W_]{1,3}".join(map(re.escape, rest)), words[kind]
