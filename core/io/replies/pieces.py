"""An answer that came in pieces, put together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def joined(pieces: Sequence[str]) -> str:
    """An answer from its pieces.

    >>> joined(["The ", "fee"]), joined(["The", "The fee", "The fee is"]), joined(["The ", "fee", "The fee"])
    ('The fee', 'The fee is', 'The fee')
    """
    pieces = [piece for piece in pieces if piece]
    growing = all(later.startswith(earlier) for earlier, later in pairwise(pieces))
    if growing and len(set(pieces)) > 1:
        return pieces[-1]
    for count in range(2, len(pieces)):  # the whole comes after its pieces
        whole = "".join(pieces[:count])
        if all(piece == whole for piece in pieces[count:]):
            return whole
    return "".join(pieces)
