"""Sentences of a text, with their exact places.

Blank lines, headings, table rows, list items and ``Key: value`` lines are borders; hard-wrapped lines are joined. The
rest is cut into sentences by sentencex and a few rules for what it cuts too early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt
import sentencex

from core.text.blocks import EMPHASIS, LINK, MONTH, Block, BlockKind, blocks

AT_ONCE = 10_000
"""Characters that sentencex is given together."""
DEPTH = 2
"""Marks within marks of the same kind that are seen through, as in a linked picture or in bold italics."""

_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\ufeff]")
_MARK = re.compile(r"[\[*_`\x00-\x1f\x7f-\x9f\u200b\ufeff]")
_LONE = re.compile(r"[\ud800-\udfff]")
_QUOTED = re.compile(r"^[ \t]{0,3}(?:>[ \t]?)+", re.MULTILINE)
_MARKS_ONLY = re.compile(r"[\s!-/:-@\[-`{-~¡¿«»‘’“”„…‹›。、！？）］｝」』〉》]*")
"""Punctuation, which belongs to the sentence beside it; symbols such as emoji are not among it."""
_NUMBER_ONLY = re.compile(r"\s*\(?\d{1,3}[.)]\s*")
_BEFORE_NUMBER = re.compile(
    r"(?<!\w)(?:Nos?|NO|[Nn]r|Nrn|Abs|[Aa]rt|[Ff]igs?|[Ee]qs?|[Ss]ect?|[Cc]h|[Vv]ol|[Tt]ab|Par|Ziff|Rn|Rz|Kap|Bd|Anm|"
    r"Abb|lit|[Cc]a|[Aa]cct|[Tt]el|[Pp]p?|S)\.\s*$"
)
"""Abbreviations that announce a number or a section; without one behind them they may end a sentence."""
_NUMBER = re.compile(r"[(\[]?(?:[§#№]|\d|(?:Abs|Art|Nr|Ziff|No|Fig)\.|[IVX]+\b)")
_BEFORE_WORD = re.compile(
    r"(?<!\w)(?:gem|bzgl|inkl|exkl|zzgl|lt|vgl|approx|acc|mind|jährl|mtl|ggf|evtl)\.\s*$", re.IGNORECASE
)
"""Abbreviations that end no sentence."""
_TITLE = re.compile(r"(?<!\w)(?:M|MM|Mme|Mlle|Hr|Fr|Sra?)\.\s*$")
_DAY = re.compile(r"(?<![\w.,])\d{1,2}\.\s*$")
_GOING_ON = (
    (_BEFORE_NUMBER, _NUMBER),
    (_BEFORE_WORD, re.compile(r"[\w§]")),
    (_TITLE, re.compile(r"[^\W\d_]")),
    (_DAY, MONTH),
    (re.compile(r"[:;]\s+\(?\d{1,3}[.)]\s*$"), re.compile(r"\w")),
)
"""What a piece ends with and the next begins with, where the two are one sentence."""
LONGEST_ENDING = 12
_DENIAL = re.compile(r"\s*[Nn]o\.\s+(?=[^\W\d_])(?![IVX]+\b)")
"""The answer "No." before a word, which sentencex takes for the abbreviation of "number"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence.

    Attributes:
        text: Its words without markup and line breaks; never empty.
        start: Where it begins in the text.
        end: Where it ends in the text, exclusive.
    """

    text: str
    start: int
    end: int


def split_sentences(text: str, language: str = "en") -> tuple[Sentence, ...]:
    r"""The sentences of a text, in order; none for a blank text.

    A row of a table is one sentence, its cells with commas between them: led by their headers, rows come closer to what
    is said about them and closer still to each other. Marks of lists, headings, quotes, emphasis, links and tables are
    left out, as are the rules of tables and the fences of code; each line of code is one sentence. Control characters
    count as blanks.

    Args:
        text: Plain text or Markdown, of any length.
        language: Whose abbreviations sentencex should know, such as ``en``, ``de`` or ``pt-BR``.

    Returns:
        Sentences whose places increase and never overlap; ``text[start:end]`` is the sentence as it stands there.

    >>> [sentence.text for sentence in split_sentences("Rates rose by 2.5 percent. See Fig. 3.")]
    ['Rates rose by 2.5 percent.', 'See Fig. 3.']
    >>> sentences = split_sentences("# Fees\n- **None** for\n  students. See [here](x).")
    >>> [(sentence.text, sentence.start) for sentence in sentences]
    [('Fees', 2), ('None for students.', 9), ('See here.', 34)]
    """
    readable = _LONE.sub("�", text)
    return tuple(sentence for block in blocks(readable) for sentence in _of_block(readable, block, language))


def _of_block(text: str, block: Block, language: str) -> Iterator[Sentence]:
    if block.kind is BlockKind.ROW:
        yield from _row(text, block)
        return
    clean, places = _plain(text, block.start, block.end, marked=block.kind is not BlockKind.CODE)
    whole = block.kind in (BlockKind.CODE, BlockKind.HEADING)
    spans = [(0, len(clean))] if whole else _joined(clean, _pieces(clean, language))
    at = block.start
    for start, end in spans:
        piece = clean[start:end]
        words = " ".join(piece.split())
        if not words:
            continue
        first = start + len(piece) - len(piece.lstrip())
        last = start + len(piece.rstrip())
        # Marks that were left out belong to the sentence they stand at.
        begin = max(at, int(places[first - 1]) + 1 if first else block.start)
        at = int(places[last]) if last < len(places) else block.end
        yield Sentence(text=words, start=begin, end=at)


def _row(text: str, block: Block) -> Iterator[Sentence]:
    cells = [words for start, end in block.cells if (words := _words(text, start, end))]
    if cells:
        yield Sentence(text=", ".join(cells), start=block.start, end=block.end)


def _words(text: str, start: int, end: int) -> str:
    marked = _MARK.search(text, start, end) is not None
    return " ".join((_plain(text, start, end, marked=True)[0] if marked else text[start:end]).split())


def _plain(text: str, start: int, end: int, *, marked: bool) -> tuple[str, npt.NDArray[np.int64]]:
    """A part of a text without marks, line breaks as blanks, and the place in the text of each character left."""
    raw = text[start:end]
    places = np.arange(start, end)
    if marked and "\n" in raw:
        raw, places = _without(raw, places, [match.span() for match in _QUOTED.finditer(raw) if match.start()])
    raw = _BLANK.sub(" ", raw)
    if not marked:
        return raw, places
    for marks in (*[LINK] * DEPTH, *[EMPHASIS] * DEPTH):
        spans = [span for match in marks.finditer(raw) for span in _around(match)]
        if spans:
            raw, places = _without(raw, places, spans)
    return raw, places


def _around(match: re.Match[str]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The marks before and behind the one group that matched."""
    start, end = match.span(match.lastindex or 0)
    return (match.start(), start), (end, match.end())


def _without(
    raw: str, places: npt.NDArray[np.int64], spans: list[tuple[int, int]]
) -> tuple[str, npt.NDArray[np.int64]]:
    if not spans:
        return raw, places
    mask = np.ones(len(raw), dtype=bool)
    parts, at = [], 0
    for start, end in spans:
        mask[start:end] = False
        parts.append(raw[at:start])
        at = end
    return "".join([*parts, raw[at:]]), places[mask]


def _pieces(clean: str, language: str) -> list[tuple[int, int]]:
    """What sentencex makes of it, a part at a time: among many brackets its time grows with their square."""
    pieces: list[tuple[int, int]] = []
    at, size = 0, AT_ONCE
    while at < len(clean):
        lengths = map(len, sentencex.segment(language, clean[at : at + size]))
        spans = list(pairwise(accumulate(lengths, initial=at)))
        if at + size < len(clean):
            if len(spans) < 2:
                size *= 2
                continue
            spans.pop()  # it may go on behind what was looked at
        pieces += spans
        at, size = spans[-1][1], AT_ONCE
    return pieces


def _joined(clean: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pieces with those put together that were cut too early."""
    spans: list[tuple[int, int]] = []
    wordless = False  # whether what was made last is punctuation, or the number of what follows
    for piece in _without_denials(clean, pieces):
        marks = _MARKS_ONLY.fullmatch(clean, *piece) is not None
        if spans and (marks or wordless or _goes_on(clean, spans[-1], piece)):
            spans[-1] = (spans[-1][0], piece[1])
            wordless = wordless and (marks or _NUMBER_ONLY.fullmatch(clean, *piece) is not None)
        else:
            spans.append(piece)
            wordless = marks or _NUMBER_ONLY.fullmatch(clean, *piece) is not None
    return spans


def _without_denials(clean: str, pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in pieces:
        denial = _DENIAL.match(clean, start, end)
        if denial:
            yield start, denial.end()
        yield (denial.end() if denial else start), end


def _goes_on(clean: str, before: tuple[int, int], after: tuple[int, int]) -> bool:
    # Only the end of what stands before matters: looking at all of it again and again would cost its square.
    tail = clean[max(before[0], before[1] - LONGEST_ENDING) : before[1]]
    return any(ending.search(tail) and following.match(clean, *after) for ending, following in _GOING_ON)
