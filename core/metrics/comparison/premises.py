"""The context as premises an NLI model can read: windows of whole sentences, as many as it has room for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from core.metrics.prepared import Part, Place, Placed, Prepared, part_texts

Count = Callable[[str], int]
"""How many tokens a text has."""

WORD: Final = re.compile(r"\S+")
CHARACTERS_A_TOKEN: Final = 16
"""No more characters a token are tried when a single word has to be cut, so that the search stays short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Consecutive context sentences that are one premise.

    Attributes:
        text: What the model reads.
        places: Where it stands, one stretch a passage.
    """

    text: str
    places: tuple[Place, ...]


def context_windows(prepared: Prepared, count: Count, room: int) -> tuple[Window, ...]:
    """The sentences of all passages in order, packed into windows of at most so many tokens.

    Every sentence is in exactly one window; one that is too long alone is cut at word borders. Where everything fits
    there is one window: the whole context, as the paper has it.

    Args:
        prepared: The sample.
        count: How many tokens a text has.
        room: Tokens of a window, at least 1.
    """
    packed: list[Window] = []
    window: list[Placed] = []
    used = 0
    for sentence in fitting(prepared, Part.CONTEXTS, prepared.sentences(Part.CONTEXTS), count, room):
        tokens = count(sentence.text)
        if window and used + tokens > room:
            packed += _windows(window, count, room)
            window, used = [], 0
        window.append(sentence)
        used += tokens
    return tuple(packed + _windows(window, count, room) if window else packed)


def fitting(prepared: Prepared, part: Part, sentences: Sequence[Placed], count: Count, room: int) -> Iterator[Placed]:
    """Sentences as they are, those of more tokens than there is room for in pieces that fit."""
    for sentence in sentences:
        if count(sentence.text) <= room:
            yield sentence
            continue
        place, start, end = sentence.at
        text = part_texts(prepared.sample, part)[place][start:end]
        for first, last in cut_to_fit(text, count, room):
            yield Placed(text=" ".join(text[first:last].split()), at=(place, start + first, start + last))


def cut_to_fit(text: str, count: Count, room: int) -> list[tuple[int, int]]:
    """Where to cut a text into pieces of at most so many tokens: at word borders, inside a word only if it must be.

    Args:
        text: The text.
        count: How many tokens a text has.
        room: Tokens of a piece, at least 1.

    Returns:
        Start and end of each piece; together they hold every character but blanks between words.

    >>> cut_to_fit("one two abcdef", count=lambda text: sum(-(-len(word) // 3) for word in text.split()), room=1)
    [(0, 3), (4, 7), (8, 11), (11, 14)]
    """
    spans = [match.span() for match in WORD.finditer(text)]
    pieces = []
    at = 0
    while at < len(spans):
        start, end = spans[at]
        most = min(room, len(spans) - at)
        fit = bisect_right(range(1, most + 1), room, key=lambda n: count(text[start : spans[at + n - 1][1]]))
        if fit:
            pieces.append((start, spans[at + fit - 1][1]))
            at += fit
            continue
        most = min(room * CHARACTERS_A_TOKEN, end - start)
        characters = max(1, bisect_right(range(1, most + 1), room, key=lambda n: count(text[start : start + n])))
        pieces.append((start, start + characters))
        if start + characters < end:
            spans[at] = (start + characters, end)
        else:
            at += 1
    return pieces


def _windows(sentences: Sequence[Placed], count: Count, room: int) -> list[Window]:
    """One window of these sentences; two where they are more tokens together than one by one."""
    text = " ".join(sentence.text for sentence in sentences)
    if len(sentences) > 1 and count(text) > room:
        half = len(sentences) // 2
        return [*_windows(sentences[:half], count, room), *_windows(sentences[half:], count, room)]
    places = []
    for part, run in groupby(sentences, key=lambda sentence: sentence.at[0]):
        members = [sentence.at for sentence in run]
        places.append((part, members[0][1], members[-1][2]))
    return [Window(text=text, places=tuple(places))]
