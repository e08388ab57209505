"""How texts are put together for a model: batches of a token budget, and windows of a text that is too long."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

TOKEN_BUDGET = 4_096
"""Tokens of a batch, padding counted: beyond it the work no longer fits the caches (8,192 take 1.5 times as long)."""


def batches(lengths: Sequence[int], budget: int = TOKEN_BUDGET) -> Iterator[list[int]]:
    """Places of texts that are encoded together, the shortest first.

    Each batch takes as many as keep rows times longest within the budget; a text that is longer alone is one batch.

    >>> list(batches([9, 2, 3, 2], budget=6))
    [[1, 3], [2], [0]]
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > budget:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def windows(text: str, offsets: Sequence[tuple[int, int]], capacity: int) -> list[str]:
    """A text in pieces of at most so many tokens, cut before words; only a word that is longer is cut inside.

    Args:
        text: What does not fit as a whole.
        offsets: The characters of each of its tokens.
        capacity: Tokens of a piece, at least 1.

    Returns:
        Pieces that make up the text again.

    >>> windows("a few more words", [(0, 1), (2, 5), (6, 10), (11, 14), (14, 16)], 3)
    ['a few more ', 'words']
    """
    cuts = [0]
    at = 0
    while at + capacity < len(offsets):
        following = at + capacity
        word = following
        while word > at and not _before_word(text, offsets[word][0], cuts[-1]):
            word -= 1
        following = word if word > at else following
        # Several tokens may share one character: a cut must leave at least one behind it.
        while following < len(offsets) and offsets[following][0] <= cuts[-1]:
            following += 1
        if following == len(offsets):
            break
        cuts.append(offsets[following][0])
        at = following
    return [text[start:end] for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True)]


def _before_word(text: str, at: int, after: int) -> bool:
    return at > after and (text[at - 1].isspace() or text[at].isspace())


def cut_words(text: str, longest: int) -> str:
    """The text with blanks inside words that a word-piece tokenizer would give up on.

    Such a tokenizer makes one "unknown" of a longer word, so that all long words would look alike.

    Args:
        text: Any text.
        longest: Characters of a word that the tokenizer still takes apart.

    >>> cut_words("abc abcdefghi", 8)
    'abc ab cd ef gh i'
    """
    step = max(1, longest // 4)  # normalisation may make up to four characters of one

    def cut(match: re.Match[str]) -> str:
        word = match.group()
        if len(unicodedata.normalize("NFKD", word)) <= longest:
            return word
        return " ".join(word[at : at + step] for at in range(0, len(word), step))

    return re.sub(rf"[^\s!-/:-@\[-`{{-~]{{{step + 1},}}", cut, text)
