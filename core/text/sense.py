"""Whether a text is a sentence at all: what models write in place of one, each kind with a true reason."""

from __future__ import annotations

import re
from collections import Counter

from core.text.words import WORD

MARKUP = re.compile(
    r"</?[a-z][\w-]*(?:\s[^<>]*)?/?>"  # tags, and markers such as <passage-8024f2883b5f4c6c>
    r"|[a-z_]+-[0-9a-f]{16}\b"  # the inside of such a marker
    r"|```|\{\{|\}\}|\{%|\*\*|__\w|^\s*#{1,6}\s|!?\[[^\]]*\]\([^)]*\)"  # Markdown and Jinja
    r"|&(?:[a-z]{2,8}|#\d{1,6});|\\[nrt\"]"  # entities and escapes
    r"|[{\[]\s*\"|\"\s*[:}\]]\s*[\"\[{]?",  # JSON
    re.IGNORECASE | re.MULTILINE,
)
LEAST_CAPITALS = 8
"""Letters from which a text in capitals is shouted and not an abbreviation."""
PHRASE = 3
"""Words of a phrase that may not come again and again."""
LOOP = 3
"""How often a phrase makes a loop; a question says nothing three times."""


def markup(text: str) -> str:
    """Marks of a markup or data language in a text, and which; empty where there are none.

    >>> markup("What is the <b>fee</b>?"), markup("Is 3 < 4, as 'A & B' say?")
    ('It holds markup: <b>.', '')
    """
    mark = MARKUP.search(text)
    return f"It holds markup: {mark[0].strip()}." if mark else ""


def shouted(text: str) -> str:
    """Whether a text of several words has no small letter; a script without capitals is never shouted.

    >>> shouted("WHAT IS THE FEE?"), shouted("IBAN"), shouted("ATM fee")
    ('It is all in capitals.', '', '')
    """
    letters = [letter for letter in text if letter.isalpha()]
    several = len(WORD.findall(text)) > 1 and len(letters) >= LEAST_CAPITALS
    cased = [letter for letter in letters if letter.isupper() or letter.islower()]
    return "It is all in capitals." if several and cased and all(letter.isupper() for letter in cased) else ""


def loop(text: str) -> str:
    """A phrase that comes again and again, as where a model does not find an end; empty where none does.

    >>> loop("What is the fee of the fee of the fee of the card?")
    "It repeats itself: 'the fee of'."
    """
    words = [word.casefold() for word in WORD.findall(text)]
    phrases = Counter(tuple(words[place : place + PHRASE]) for place in range(len(words) - PHRASE + 1))
    phrase, count = next(iter(phrases.most_common(1)), ((), 0))
    return f"It repeats itself: {' '.join(phrase)!r}." if count >= LOOP else ""


def nonsense(text: str) -> str:
    """The first of these faults in a text; empty where it has none."""
    return markup(text) or shouted(text) or loop(text)
