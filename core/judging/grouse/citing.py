"""Whether a target cites its passages by number at all, which decides what faithfulness can ask of it."""

from __future__ import annotations

from collections.abc import Iterable

from core.text.citations import without_marks


def cites(answers: Iterable[str | None]) -> bool:
    """Whether one of a target's answers has a mark such as ``[1]``.

    GroUSE calls an answer unfaithful that cites nothing. Of a target that never cites, that says one thing about every
    answer and nothing about any; its cited faithfulness is ``not_applicable``, and the uncited variant is asked.

    >>> cites(["The fee is 5 EUR [1].", "No."]), cites(["The fee is [45] EUR.", None]), cites([])
    (True, False, False)
    """
    return any(without_marks(answer) != answer for answer in answers if answer)
