"""Words of a page to rows of cells: what stands on one line, parted where it is set apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.sources.corpus.pdf.words import RAISED, Word

SAME_LINE = 0.35
"""Of the type's size; baselines that are closer are one line."""
APART = 0.95
"""Of the type's size; words with more between them are different cells."""
FIGURES_APART = 0.5
"""The same where one of them is a figure and the other one is, too."""
FIGURE = re.compile(
    r"[-–—+(~<>≈]*[$€£¥]?[-–—+(]*\d[\d.,:/'’]*(?:[%)]|bps|pp?ts?|pp|x)*[*†‡]*|[-–—]+|[$€£¥%()]|\)%|\(?[$€£¥]|[Nn]/[AaMm]|NM|\*+"
)
"""A word of a cell that holds a figure, a dash for none, or a sign that belongs to one."""
LONGEST_FIGURE = 40
"""Characters."""
MEASURES = frozenset(
    {"year", "years", "month", "months", "week", "weeks", "day", "days", "hour", "hours", "bps", "ppt", "pts", "points"}
    | {"shares", "million", "billion", "thousand", "lb", "lbs", "kg", "km", "mi", "ft", "m", "usd", "eur", "gbp", "chf"}
)
"""What may stand behind a figure in its cell."""
YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d[AEe]?")
CURRENCY = re.compile(r"(?<=[$€£¥]) (?=[\d(—–-])")
SIGN_BEHIND = re.compile(r"(?<=[\d—–)]) (?=[%)])")
SIGN_BEFORE = re.compile(r"(?<=\() (?=[\d$€£¥])")
TORN = re.compile(r"(\w)[\ufffe\u00ad]\s*(\w)")


@dataclass(frozen=True, slots=True)
class Cell:
    """Words that stand together on a line."""

    words: tuple[Word, ...]

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(word.x1 for word in self.words)

    @property
    def text(self) -> str:
        """As one reads it: signs of currency, percent and brackets stand at their figure."""
        return joined(" ".join(word.text for word in self.words))

    @property
    def figure(self) -> bool:
        """Whether it holds nothing but a figure, a dash for none, or a range of figures."""
        plain = [word.text for word in self.words if not _footnote(word, self.words)]
        if len(plain) == 2 and plain[1].rstrip(".").casefold() in MEASURES:
            plain = plain[:1]
        return bool(plain) and all(is_figure(word) for word in plain)

    @property
    def dated(self) -> bool:
        """Whether it is a year, as heads of columns are."""
        return len(self.words) == 1 and YEAR.fullmatch(self.words[0].text) is not None

    @property
    def bold(self) -> bool:
        """Whether its words are bold."""
        return all(word.bold for word in self.words)

    @property
    def size(self) -> float:
        """Of its largest type, in points."""
        return max(word.size for word in self.words)


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one line, from left to right."""

    y: float
    cells: tuple[Cell, ...]

    @property
    def size(self) -> float:
        """Of its largest type, in points."""
        return max(cell.size for cell in self.cells)

    @property
    def text(self) -> str:
        """Of all its cells."""
        return " ".join(cell.text for cell in self.cells)

    @property
    def words(self) -> tuple[Word, ...]:
        """Of all its cells."""
        return tuple(word for cell in self.cells for word in cell.words)


def rows_of(words: Sequence[Word]) -> list[Row]:
    """The rows of words, from top to bottom."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.y):
        if lines and word.y - lines[-1][0].y <= SAME_LINE * min(word.size, lines[-1][0].size):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_row(sorted(line, key=lambda word: word.x0)) for line in lines]


def is_figure(word: str) -> bool:
    """Whether a word is a figure, a dash for none, or a sign that belongs to a figure."""
    return len(word) <= LONGEST_FIGURE and FIGURE.fullmatch(word) is not None


def joined(text: str) -> str:
    """Text of words, with signs at their figures and without the hyphens at the ends of lines.

    >>> joined("$ ( 1,250 ) %")
    '$(1,250)%'
    """
    text = TORN.sub(r"\1\2", " ".join(text.split()))
    return SIGN_BEHIND.sub("", SIGN_BEFORE.sub("", CURRENCY.sub("", text)))


def _row(words: Sequence[Word]) -> Row:
    groups = [[words[0]]]
    for before, word in pairwise(words):
        if _parted(before, word):
            groups.append([word])
        else:
            groups[-1].append(word)
    return Row(sum(word.y for word in words) / len(words), tuple(Cell(tuple(group)) for group in _with_signs(groups)))


def _parted(before: Word, word: Word) -> bool:
    gap = word.x0 - before.x1
    size = max(before.size, word.size)
    if gap > APART * size:
        return True
    if before.text.endswith(",") or word.size < RAISED * before.size:
        return False  # a date, or the mark of a footnote
    figures = is_figure(before.text) and is_figure(word.text) and any(map(str.isdigit, before.text))
    return gap > FIGURES_APART * size and (bool(figures) or word.text in "$€£¥")


def _with_signs(groups: Sequence[list[Word]]) -> list[list[Word]]:
    """Groups, with a sign of currency put to the figure behind it, and a percent sign or bracket to that before it."""
    whole: list[list[Word]] = []
    currency: list[Word] = []
    for group in groups:
        text = "".join(word.text for word in group)
        if text.strip("(") in ("$", "€", "£", "¥") and not currency:
            currency = group
            continue
        figure = all(is_figure(word.text) for word in group)
        if currency and not figure:
            whole.append(currency)
            currency = []
        if text in (")", "%", ")%") and whole and not currency:
            whole[-1] = [*whole[-1], *group]
            continue
        whole.append([*currency, *group])
        currency = []
    return [*whole, currency] if currency else whole


def _footnote(word: Word, words: Sequence[Word]) -> bool:
    """Whether a word is the raised mark of a footnote behind a figure."""
    return word is not words[0] and word.size < RAISED * words[0].size
