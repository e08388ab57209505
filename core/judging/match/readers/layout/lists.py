"""References that are lists: every part is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.judging.match.readers.figures.numbers import parse_number
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.times.dates import parse_date

SEPARATOR = re.compile(r";|\n|\||,\s+|,(?=[^\d\s])")
LAST = re.compile(r"^(?:and|or|&)\s+", re.IGNORECASE)
AND = re.compile(r"\s+(?:and|&)\s+", re.IGNORECASE)
BRACKETS = re.compile(r"^\s*[\[(]\s*(.*?)\s*[\])]\s*$", re.DOTALL)
BULLET = re.compile(r"^(?:[-*•]|\d{1,3}[.)])\s+")
_MARKED = re.compile(r"(?:[-*•–]\s*|\d{1,3}[.)]\s+)(?P<part>\S.*)")
WITH_A_FIGURE = re.compile(
    r"(?:with|at|for|up|down|which (?:[a-z]+ ){1,4}?(?:about |around |roughly )?)\s?"
    r"([€$£]?\d\S*(?: (?:million|billion|thousand|percent|%))?)\.?$"
)
"""A part such as "with $28.5 billion" or "which made about $3 billion" or "up 31%"."""
IN_BRACKETS = re.compile(r"(?<=\w )\([^()\n]+\)")
_LEGAL_FORM = re.compile(
    r", (?:Ltd|Inc|LLC|LLP|Limited|Incorporated|S\.A|S\.L|N\.V|B\.V|Corp|PLC|plc)\b\.?(?=\s*(?:$|[;\n|,]| and ))"
)
"""A comma in front of a legal form parts no names: "Haoyu Electronics Co., Ltd."."""
QUOTED = re.compile(r"""^(['"])(.*)\1$""", re.DOTALL)
WORD = re.compile(r"[^\W_]")
PERIOD = re.compile(r"(?:from )?(.{4,40}?)(?: - | to | until |(?<=:\d\d)-(?=\d\d?:\d\d))(.{4,40})")
"""Two dates or times: both are wanted."""
MAX_PARTS = 500


def _no_name(part: str) -> bool:
    return False


def bulleted(reference: str) -> tuple[str, ...]:
    r"""The lines of a reference that is a list with marks, each a part, behind a line that ends in a colon or none.

    >>> bulleted("These are listed:\n-1.5% Notes due 2026\n-1.75% Notes due 2030")
    ('1.5% Notes due 2026', '1.75% Notes due 2030')
    """
    lines = [line.strip() for line in reference.splitlines() if line.strip()]
    if lines and lines[0].endswith(":"):
        lines = lines[1:]
    marked = [_MARKED.match(line) for line in lines]
    if len(lines) < 2 or not all(marked):
        return ()
    return tuple(dict.fromkeys(match["part"].strip() for match in marked if match))


def list_parts(reference: str, is_name: Callable[[str], bool] = _no_name) -> tuple[str, ...]:
    """The parts of a reference that is a list; empty where it is one value.

    Parts are separated by semicolons, lines, bars, or commas with a blank; "and" separates only what can stand alone
    (two or more words each, numbers and dates, or what is known to be a name), so that "Research and Development" stays
    whole.

    Args:
        reference: As given.
        is_name: Whether a single word is a name that can stand alone, such as a country's.

    >>> list_parts("Paris, Rome and Oslo"), list_parts("['a b', 'c d']"), list_parts("Research and Development")
    (('Paris', 'Rome', 'Oslo'), ('a b', 'c d'), ())
    >>> list_parts("Antwerp, Le Havre and Bilbao")
    ('Antwerp', 'Le Havre', 'Bilbao')
    >>> list_parts("1,250,000"), list_parts("April 1, 2023")
    ((), ())
    """
    plain = match_text(reference)
    if parse_date(plain) or parse_number(plain):
        return ()
    inner = BRACKETS.match(reference)
    body = inner[1] if inner else reference
    period = PERIOD.fullmatch(plain)
    if period and parse_date(period[1]) and parse_date(period[2]):
        return period[1], period[2]
    parts = [_clean(part) for part in _apart(body)]
    parts = [part for part in parts if part]
    if len(parts) > 1:
        last = AND.split(parts[-1])
        if len(last) == 2 and not LAST.match(parts[-1]) and all(last) and _like_the_rest(parts, last):
            parts[-1:] = [_clean(part) for part in last]
    else:
        parts = [_clean(part) for part in AND.split(body)]
        if len(parts) < 2 or not all(_alone(part, is_name) for part in parts):
            return ()
    parts = list(dict.fromkeys(part for part in parts if WORD.search(part)))
    return tuple(parts) if 1 < len(parts) <= MAX_PARTS else ()


def _apart(body: str) -> list[str]:
    """What separators part, but for those in brackets, which say more of one part."""
    kept: list[str] = []

    def hidden(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    body = _LEGAL_FORM.sub(hidden, body)
    parts = SEPARATOR.split(IN_BRACKETS.sub(hidden, body))
    return [re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], part) for part in parts]


def _clean(part: str) -> str:
    plain = BULLET.sub("", LAST.sub("", part.strip())).strip()
    if figure := WITH_A_FIGURE.match(plain):
        plain = figure[1]
    quoted = QUOTED.match(plain)
    return quoted[2].strip() if quoted else plain


def _alone(part: str, is_name: Callable[[str], bool]) -> bool:
    plain = match_text(part)
    if len(part.split()) > 1 or parse_number(plain) is not None or parse_date(plain) is not None:
        return True
    return is_name(part)


def _like_the_rest(parts: list[str], last: list[str]) -> bool:
    """Whether "A and B" at the end of a list is two entries: as short as the others, or names a word longer."""
    longest = max(len(part.split()) for part in parts[:-1])
    names = all(part[:1].isupper() for part in (*parts[:-1], *last))
    return all(len(part.split()) <= longest + names for part in last)
