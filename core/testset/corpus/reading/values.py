"""Values that are worth a question, and one spelling for text that was cut into words and marks."""

from __future__ import annotations

import re

MOST_WORDS = 12
"""A longer value is prose, which may state more than one fact."""
_SAYS_NOTHING = re.compile(
    r"(?:not|never|no longer|unknown|n/?a|none|tb[acd]|to be|being|available|given|listed|shown|set|subject|\?|[-–—]+|"
    r"as|see|due|still|also|only|often|usually|on file|unk|various|other|yes|no|page|ibid|same)\b|\W*$",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:above|below|overleaf|ditto|as (?:before|shown|stated))$", re.IGNORECASE)
"""The end of a value that points elsewhere: "half of the rate above"."""
_OPENS = (re.compile(r"(``|\")\s*(.+?)\s*(''|\")"), r'"\2"')
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
        and not _POINTS.search(value)
        and any(map(str.isalnum, value))
        and not re.search(r"[<>{}\[\]|\\]|\bhttps?:", value)
        and value.count("(") == value.count(")")
        and value.count('"') % 2 == 0
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
