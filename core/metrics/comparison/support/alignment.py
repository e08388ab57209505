"""The best way to lay the words of a claim along those of a sentence, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.metrics.comparison.support.words import Word

SAME = 2.0
IN_PLACE = 0.5
"""Two words that exclude one another stand for one another rather than beside one another."""
OTHER = -0.2
SKIPPED = 0.3
SKIPPED_VALUE = 1.0
"""Of a number or a name."""


def align(
    claim: Sequence[Word],
    sentence: Sequence[Word],
    rivals: Callable[[Word, Word], bool],
    names: frozenset[str] = frozenset(),
) -> list[tuple[int, int]]:
    """Pairs of places, rising on both sides; words that are skipped are in no pair.

    A global alignment of the claim along any stretch of the sentence: what stands before and after costs nothing.

    Args:
        claim: Its words.
        sentence: Its words.
        rivals: Whether two words that differ can stand in the same place of a statement.
        names: Keys of words that are names.
    """
    rows, columns = len(claim), len(sentence)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    step = [[2] * (columns + 1) for _ in range(rows + 1)]
    skip = [SKIPPED_VALUE if word.measure or word.key in names else SKIPPED for word in sentence]
    for row in range(1, rows + 1):
        word, above, here, steps = claim[row - 1], best[row - 1], best[row], step[row]
        lost = SKIPPED_VALUE if word.measure else SKIPPED
        here[0], steps[0] = above[0] - lost, 1
        for column in range(1, columns + 1):
            other = sentence[column - 1]
            gain = SAME if word.key == other.key else IN_PLACE if rivals(word, other) else OTHER
            value, way = above[column - 1] + gain, 0
            if (up := above[column] - lost) > value:
                value, way = up, 1
            if (left := here[column - 1] - (skip[column - 1] if row < rows else 0.0)) > value:
                value, way = left, 2
            here[column], steps[column] = value, way
    row, column, pairs = rows, columns, []
    while row and column:
        way = step[row][column]
        if way == 0:
            pairs.append((row - 1, column - 1))
        row, column = row - (way != 2), column - (way != 1)
    return pairs[::-1]
