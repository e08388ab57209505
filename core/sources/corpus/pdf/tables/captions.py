"""What stands above a table and belongs to it: its title, its units, and that it is unaudited."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.sources.corpus.pdf.headings import PARTS
from core.sources.corpus.pdf.rows import Row, joined
from core.sources.corpus.pdf.tables.labels import is_period
from core.sources.corpus.pdf.words import Word

LONGEST_HEADING = 110
"""Characters."""
LONGEST_UNITS = 200
LONGEST_INTRO = 1_500
MOST_CAPTION_WORDS = 18
NEAR = 2.4
"""Of the type's size, between the baselines of lines of one paragraph."""
IN_UNITS = re.compile(
    r"\(((?:(?:all |dollar )?(?:amounts|dollars|figures) )?(?:expressed |stated )?in [^()]{2,120}|"
    r"[^()]{2,40} in (?:thousands|millions|billions)\b[^()]{0,80})\)",
    re.IGNORECASE,
)
UNITS_ROW = re.compile(
    r"\((?:[^()]*\b)?in [^()]+\)(?: ?\(?unaudited\)?)?|in (?:thousands|millions|billions)\b[^.]{0,80}", re.IGNORECASE
)
_BRACKETED_UNIT = re.compile(r"\((?:in|x) [^()]+\)", re.IGNORECASE)
"""A unit in brackets: two of them measure different columns, "Assets (in EUR million) and return (in %)"."""
UNAUDITED = re.compile(r"[\s(]*\bunaudited\b[\s)]*", re.IGNORECASE)
COMPANY = re.compile(
    r"\b(?:Inc|Corp|Ltd|Co|plc|Bros|CORPORATION|Corporation|COMPANY|Company|LLC|N\.A|AG|SE|S\.A)\.?,?$"
)
CALLED = re.compile(r"(?:Table|Tab\.|Exhibit|Schedule) [\dIVX]{1,4}(?:\.\d+)*[.:]? ?\S")
"""A line that is the caption of a table."""
_FOOTER = re.compile(r"\b(?:page|p\.) ?\d+(?: ?(?:/|of) ?\d+)?$", re.IGNORECASE)
"""The end of what stands at the foot of each page."""
OPENING = re.compile(
    r"following (?:are|is) (?:the details of )?(?:our |the )?|"
    r"(?:(?:the|this) )?(?:following |accompanying |below )?(?:tables?|schedules?)?(?: below| that follows?)?,? ?"
    r"(?:shows?|presents?|summari[sz]es?|sets? forth|provides?|details?|reflects?|lists?|outlines?|contains?|"
    r"discloses?|reconciles?|includes?) "
    r"(?:the company[’']s |our |a summary of |information (?:about|on) )?(?:the )?",
    re.IGNORECASE,
)
"""Begins a sentence that announces a table."""
CLOSING = re.compile(
    r",?(?: (?:is|are|was|were|has been|have been|consists?(?: of)?|comprises?)"
    r"(?: as follows| shown below| the following)?| as follows| follows)?[\s:]*$",
    re.IGNORECASE,
)
PERIODS = re.compile(
    r",? (?:for|during|in|as of|at|on) (?:each of )?(?:the )?"
    r"(?:(?:three|six|nine|twelve|\d+)\b.*|"
    r"(?:years?|quarters?|periods?|months?|weeks?|fiscal|respective)\b.*|"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|\d{4})\b.*)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Caption:
    """What stands above a table.

    Attributes:
        title: Of the table, empty where nothing tells it.
        units: Such as "in millions, except per share amounts".
        words: Of lines that hold nothing but units, so that they need no line of their own.
    """

    title: str
    units: str
    words: list[Word]
    introduced: bool
    """Whether a heading or a paragraph stands between this table and the one above."""
    anew: bool
    """Whether what stands there is a paragraph or a numbered part, so that the units above hold no longer."""


@dataclass(frozen=True, slots=True)
class Type:
    """The size of most words of a page, and whether they are bold."""

    size: float
    bold: bool


def type_of(rows: Sequence[Row]) -> Type:
    """The type in which most of a page is set."""
    counts: Counter[Type] = Counter()
    for row in rows:
        for word in row.words:
            counts[Type(round(word.size, 1), word.bold)] += len(word.text)
    return counts.most_common(1)[0][0] if counts else Type(0.0, False)


def heads(text: str) -> bool:
    """Whether the words of a line could head what follows: short, without a full stop, no company and no period."""
    letters = sum(sign.isalpha() for sign in text)
    if len(text) > LONGEST_HEADING or letters < 3 or letters * 2 < len(text.replace(" ", "")):
        return False
    if _FOOTER.search(text):
        return False
    return not (text.endswith((".", ";", ":", ",")) or COMPANY.search(text) or text.startswith("(") or is_period(text))


def numbered(text: str) -> bool:
    """Whether a line begins like a part of a report."""
    return any(part.match(text) for part in PARTS)


def is_heading(row: Row, body: Type) -> bool:
    """Whether a row heads what follows: it is set otherwise than the page, or begins like a part of a report."""
    text = row.text
    if not heads(text):
        return False
    if numbered(text):
        return True
    bold = all(cell.bold for cell in row.cells) and not body.bold
    larger = min(word.size for word in row.words) > body.size * 1.1
    capitals = text.isupper() and sum(map(str.isalpha, text)) > 5
    return len(row.cells) <= 2 and (bold or larger or capitals)


def caption(rows: Sequence[Row], first: int, lowest: int, headings: Sequence[int], body: Type, before: str) -> Caption:
    """What the rows above a table say of it.

    Args:
        rows: Of the page.
        first: Place of the table's first row.
        lowest: Place behind the table or form above; what stands above that does not introduce this one.
        headings: Places of the rows that are headings.
        body: Type of the page.
        before: The last heading of the pages before.
    """
    words: list[Word] = []
    units = ""
    unaudited = False
    place = first - 1
    while place >= lowest and _measures(text := rows[place].text):
        unaudited = unaudited or UNAUDITED.search(text) is not None
        text = UNAUDITED.sub("", text).strip()
        if text:
            units = text.strip("() ")
        words += rows[place].words
        place -= 1
    intro = "" if place < lowest or is_heading(rows[place], body) else _paragraph(rows, place, lowest, body)
    intro_units, intro_rest = _measured(intro)
    units = units or intro_units
    at = next((at for at in reversed(headings) if at <= place), -1)
    heading = rows[at].text if at >= 0 else before
    apart = at >= 0 and (numbered(heading) or CALLED.match(heading) is not None)
    if not intro and at - 1 >= lowest and at - 1 not in headings and not numbered(heading):
        intro_above = _paragraph(rows, at - 1, lowest, body)  # it announces several tables, each with a heading
        if (match := IN_UNITS.search(intro_above)) and intro_above.endswith(":"):
            units = units or match.group(1)
    heading_units, heading = _measured(heading)
    units = units or heading_units
    title = heading_title(heading)
    if CALLED.match(intro):
        title = intro_rest.strip(" .")[:LONGEST_HEADING]
    elif named := _named(intro):
        repeats = title.casefold() in named.casefold() or named.casefold() in title.casefold()
        title = max(title, named, key=len) if repeats else f"{title}: {named}"
    if unaudited and "unaudited" not in title.casefold():
        title = f"{title} (unaudited)".strip()
    introduced = bool(intro) or any(lowest <= at <= place for at in headings)
    return Caption(title, units, words, introduced, bool(intro) or apart)


def _measured(text: str) -> tuple[str, str]:
    """The unit that a caption gives for its whole table, and the caption without it."""
    match = IN_UNITS.search(text)
    if match is None or len(_BRACKETED_UNIT.findall(text)) > 1:
        return "", text
    return match.group(1), IN_UNITS.sub("", text).strip()


def heading_title(text: str) -> str:
    """A heading as the title of a table; one in capitals as a sentence begins.

    >>> heading_title("STATEMENTS OF OPERATIONS (Unaudited)")
    'Statements of operations (unaudited)'
    """
    text = joined(text).strip()
    letters = [sign for sign in UNAUDITED.sub("", text) if sign.isalpha()]
    return text.capitalize() if letters and all(sign.isupper() for sign in letters) else text


def _measures(text: str) -> bool:
    """Whether a row says nothing but in what a table is measured, or that it is unaudited."""
    return len(text) <= LONGEST_UNITS and bool(UNITS_ROW.fullmatch(text) or UNAUDITED.fullmatch(text))


def _paragraph(rows: Sequence[Row], last: int, lowest: int, body: Type) -> str:
    """The paragraph that ends with a row."""
    first = last
    while (
        first - 1 >= lowest
        and rows[first].y - rows[first - 1].y <= NEAR * rows[first].size
        and not is_heading(rows[first - 1], body)
        and last - first < 12
    ):
        first -= 1
    return joined(" ".join(row.text for row in rows[first : last + 1])[-LONGEST_INTRO:])


def _named(intro: str) -> str:
    """What the sentence before a table says that it shows, without its period, which the heads of its columns give."""
    sentence = re.split(r"(?<=[a-z)\d][.!?]) (?=[A-Z])", intro)[-1].strip()
    if not sentence.endswith(":") and "follow" not in sentence.casefold():
        return ""
    sentence = CLOSING.sub("", IN_UNITS.sub("", sentence).strip().rstrip(":").strip())
    named = OPENING.sub("", sentence, count=1) if OPENING.match(sentence) else sentence
    named = PERIODS.sub("", CLOSING.sub("", PERIODS.sub("", named))).strip(" ,:")
    words = named.split()
    return named[:1].upper() + named[1:] if 1 < len(words) <= MOST_CAPTION_WORDS else ""
