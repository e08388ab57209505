"""Packing the parts of a document into chunks up to a budget of tokens, and cutting parts that are too large."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.domain.sources.chunks import Chunking
from core.encoders.tokens import TokenCounter
from core.sources.corpus.chunks.parts import PartKind
from core.text.sentences import split_sentences

SMALL = 4
"""A section that fills less than one part in so many of the budget is put together with the next one below the same
heading."""
STOP = re.compile(r"[.!?;][”’\")]?\s+(?=\S)")
"""Where a sentence beyond the budget may be cut before it is cut between any two words."""
TAIL = 8
"""What fills less than one part in so many of the budget stays with the large table above it."""
STRETCH = 200_000
"""Characters of a sentence whose tokens are looked at together: those of 10 MB would take a gigabyte."""
WHOLE = 4
"""A table is kept whole up to so many times the budget: the encoder reads it in windows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a document, or a piece of one, with its tokens."""

    kind: PartKind
    start: int
    end: int
    section: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Span:
    """The place of a chunk in the text, and the headings above it."""

    start: int
    end: int
    section: tuple[str, ...]


@dataclass(slots=True)
class Packer:
    """Puts pieces together until the budget is full; `core.sources.corpus.chunks.chunking` has the rules.

    Attributes:
        text: The document's.
        counter: Of the encoder's tokens.
        chunking: The budget and the overlap.
    """

    text: str
    counter: TokenCounter
    chunking: Chunking
    _open: list[Piece] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)
    _repeated: int = 0
    """How many of the open pieces stand in the chunk before, too."""

    def add(self, piece: Piece) -> None:
        """Adds the next part of the document."""
        if piece.kind is PartKind.HEADING:
            self._heading(piece)
        elif self._fits(piece) or self._ends_table(piece):
            self._open.append(piece)
        elif piece.kind is PartKind.TABLE:
            self._table(piece)
        else:
            self._prose(piece)

    def finished(self) -> list[Span]:
        """Every chunk's place and section."""
        self._close()
        return self._spans

    @property
    def _size(self) -> int:
        return sum(piece.tokens for piece in self._open)

    def _fits(self, piece: Piece) -> bool:
        return self._size + piece.tokens <= self.chunking.tokens

    def _ends_table(self, piece: Piece) -> bool:
        """Whether a few words stand below a large table, such as its source."""
        below = bool(self._open) and self._open[-1].kind is PartKind.TABLE and self._open[-1].section == piece.section
        return below and piece.kind is PartKind.PROSE and piece.tokens * TAIL <= self.chunking.tokens

    def _heading(self, piece: Piece) -> None:
        content = [open_piece for open_piece in self._open if open_piece.kind is not PartKind.HEADING]
        above = piece.section[:-1]
        small = self._size * SMALL < self.chunking.tokens and self._fits(piece)
        below = bool(above) and all(open_piece.section[: len(above)] == above for open_piece in self._open)
        if not self._fits(piece) or (content and not (small and below)):
            headings = self._headings()
            if sum(open_piece.tokens for open_piece in headings) + piece.tokens > self.chunking.tokens:
                headings = []  # headings without end, as in a list of contents, are cut like anything else
            self._open = self._close(keeping=headings)
        self._open.append(piece)

    def _table(self, piece: Piece) -> None:
        self._open = self._close(keeping=self._caption())
        if piece.tokens <= WHOLE * self.chunking.tokens:
            self._open.append(piece)
            return
        for row in self._cut(piece, _lines(self.text, piece)):
            self._append(row)

    def _headings(self, behind: int = 0) -> list[Piece]:
        """The headings at the end of what is open, with so many pieces behind them."""
        place = len(self._open) - behind
        while place and self._open[place - 1].kind is PartKind.HEADING:
            place -= 1
        return self._open[place:]

    def _caption(self) -> list[Piece]:
        """The last open pieces that announce what follows: headings, and a sentence that ends with a colon."""
        announced = bool(self._open) and self.text[self._open[-1].start : self._open[-1].end].endswith(":")
        return self._headings(behind=int(announced))

    def _prose(self, piece: Piece) -> None:
        alone = piece.tokens <= self.chunking.tokens
        if alone and self._size * 2 >= self.chunking.tokens:
            self._continue(piece)
            self._open.append(piece)
            return
        for sentence in self._sentences(piece):
            self._append(sentence)

    def _append(self, piece: Piece) -> None:
        """Adds a sentence or a row; one beyond the budget is cut before words."""
        if piece.tokens > self.chunking.tokens:
            text = self.text[piece.start : piece.end]
            stops = [piece.start, *(piece.start + match.end() for match in STOP.finditer(text))]
            smaller = self._cut(piece, stops)
            for part in smaller if len(smaller) > 1 else self._cut(piece, self._windows(piece)):
                self._append(part if len(smaller) > 1 else replace(part, tokens=min(part.tokens, self.chunking.tokens)))
            return
        if not self._fits(piece):
            self._continue(piece)
        self._open.append(piece)

    def _continue(self, following: Piece) -> None:
        """Closes the chunk; the next one begins with its last sentences where they leave room."""
        if not any(open_piece.kind is not PartKind.HEADING for open_piece in self._open):
            return
        room = min(self.chunking.overlap, self.chunking.tokens - following.tokens)
        repeated: list[Piece] = []
        for open_piece in reversed(self._open):
            if open_piece.kind is not PartKind.PROSE or open_piece.section != following.section:
                break
            sentences = self._sentences(open_piece)
            tail = _last(sentences, room)
            repeated = tail + repeated
            room -= sum(sentence.tokens for sentence in tail)
            if len(tail) < len(sentences):
                break
        headings = self._headings()
        whole = sum(piece.tokens for piece in repeated) >= self._size
        self._close(keeping=headings)
        self._open = headings if whole or headings else repeated
        self._repeated = 0 if whole or headings else len(repeated)

    def _close(self, keeping: Sequence[Piece] = ()) -> list[Piece]:
        """Makes a chunk of the open pieces, except the last ones that are kept; returns those."""
        pieces = self._open[: len(self._open) - len(keeping)]
        if len(pieces) > self._repeated:
            text = self.text[pieces[0].start : pieces[-1].end]
            if words := text.strip():
                start = pieces[0].start + len(text) - len(text.lstrip())
                self._spans.append(Span(start, start + len(words), _section(pieces)))
        self._open, self._repeated = [], 0
        return list(keeping)

    def _sentences(self, piece: Piece) -> list[Piece]:
        sentences = split_sentences(self.text[piece.start : piece.end])
        starts = [piece.start, *(piece.start + sentence.start for sentence in sentences[1:])]
        return self._cut(piece, starts)

    def _windows(self, piece: Piece) -> list[int]:
        """Where to cut a sentence so that each part has at most the budget: before words where it can be."""
        text = self.text[piece.start : piece.end]
        starts = [0]
        while starts[-1] < len(text):
            stretch = text[starts[-1] : starts[-1] + STRETCH]
            cuts = self._cuts(stretch, last=starts[-1] + STRETCH >= len(text))
            if not cuts:
                break
            starts += [starts[-1] + cut for cut in cuts]
        return [piece.start + start for start in starts]

    def _cuts(self, text: str, *, last: bool) -> list[int]:
        """Where to cut a stretch of a sentence; its last words are left to the next stretch where there is one."""
        places = self.counter.places(text)
        cuts: list[int] = []
        at = 0
        while at + self.chunking.tokens < len(places):
            cut = at + self.chunking.tokens
            word = cut
            while word > at + 1 and not text[places[word][0] - 1 : places[word][0]].isspace():
                word -= 1
            at = word if word > at + 1 else cut
            if places[at][0] > (cuts[-1] if cuts else 0):
                cuts.append(places[at][0])
        return cuts if last or len(cuts) < 2 else cuts[:-1]

    def _cut(self, piece: Piece, starts: Sequence[int]) -> list[Piece]:
        """A piece in pieces that begin at places, each without the blanks behind it."""
        if len(starts) < 2:
            return [piece]
        ends = [*starts[1:], piece.end]
        spans = [
            (start, start + len(self.text[start:end].rstrip()))
            for start, end in zip(starts, ends, strict=True)
            if self.text[start:end].strip()
        ]
        sizes = self.counter.count([self.text[start:end] for start, end in spans])
        return [
            replace(piece, start=start, end=end, tokens=size) for (start, end), size in zip(spans, sizes, strict=True)
        ]


def _lines(text: str, piece: Piece) -> list[int]:
    """Where the lines of a piece begin."""
    breaks = [place for place in range(piece.start, piece.end) if text[place] == "\n"]
    return [piece.start, *(place + 1 for place in breaks)]


def _last(sentences: Sequence[Piece], room: int) -> list[Piece]:
    tail: list[Piece] = []
    for sentence in reversed(sentences):
        if sentence.tokens > room:
            break
        room -= sentence.tokens
        tail.insert(0, sentence)
    return tail


def _section(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The headings above all of the content; of headings alone those above the first, itself included."""
    sections = [piece.section for piece in pieces if piece.kind is not PartKind.HEADING] or [pieces[0].section]
    shared = sections[0]
    for section in sections[1:]:
        while section[: len(shared)] != shared:
            shared = shared[:-1]
    return shared
