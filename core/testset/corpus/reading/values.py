"""Values that are worth a question, and one spelling for text that was cut into words and marks."""

from __future__ import annotations

import re

from core.testset.corpus.reading.clauses.splitting import FINITE
from core.testset.corpus.reading.clauses.verbs import auxiliary_of, infinitive

MOST_WORDS = 12
"""A longer value is prose, which may state more than one fact."""
_SAYS_NOTHING = re.compile(
    r"(?:not|never|no longer|unknown|n/?a|none|tb[acd]|to be|being|available|given|listed|shown|set|subject|\?|[-–—]+|"
    r"as|see|due|still|also|only|often|usually|on file|unk|various|other|yes|no|page|ibid|same)\b|\W*$",
    re.IGNORECASE,
)
_OPENS = (re.compile(r"(``|\")\s*(.+?)\s*(''|\")"), r'"\2"')
_IN_CODE = re.compile(
    r"[A-Za-z]_[A-Za-z]|[=@`*#~^]|\w\(|[a-z]\.[a-z]+\b(?!\.)|::|--\w|\w/\w+/|%[a-z]|[a-z][A-Z]\w*[a-z][A-Z]"
)
"""Names, calls and paths of programs."""
MOST_COMMAS = 3
_SPACES = (
    (re.compile(r"\s+([,;:.!?%)\]])"), r"\1"),
    (re.compile(r"([(\[$£€])\s+"), r"\1"),
    (re.compile(r"\s+(['’]s\b|n['’]t\b|['’](?=\s|$))"), r"\1"),
    (re.compile(r"(?<=\w) - (?=\w)"), "-"),
    (re.compile(r"(?<=\d) -- (?=\d)"), "–"),
)


def tells(value: str) -> bool:
    """Whether a value says something in a few words."""
    words = value.split()
    return (
        0 < len(words) <= MOST_WORDS
        and not _SAYS_NOTHING.match(value)
        and any(map(str.isalnum, value))
        and not re.search(r"[<>{}\[\]|\\]|\bhttps?:", value)
        and value.count("(") == value.count(")")
        and value.count('"') % 2 == 0
    )


def is_datum(value: str, most_words: int = 6) -> bool:
    """Whether a value in words is what a field holds, and no sentence, list or piece of a program.

    >>> is_datum("Boston Logan Airport"), is_datum("a ttl is required"), is_datum("st.space()"), is_datum("see below")
    (True, False, False, False)
    """
    words = value.split()
    return (
        len(words) <= most_words
        and not _IN_CODE.search(value)
        and value.count(",") < MOST_COMMAS
        and not re.search(r", [a-z]", value)
        and (len(words) <= 4 or any(word[:1].isupper() or word[:1].isdigit() for word in words))
        and not any(word.casefold() in FINITE for word in words[:-1])
        and not (infinitive(words[0].casefold()) and len(words) > 2)
        and not (auxiliary_of(words[0].casefold()) and len(words) > 2)
    )


def tidy(text: str) -> str:
    r"""Text as people write it, where blanks were put around its marks.

    >>> tidy("`` Nice for What '' was released on April 6 , 2018 , by Drake 's label .")
    '"Nice for What" was released on April 6, 2018, by Drake\'s label.'
    """
    plain = " ".join(text.split())
    plain = _OPENS[0].sub(_OPENS[1], plain)
    for shape, better in _SPACES:
        plain = shape.sub(better, plain)
    return plain
