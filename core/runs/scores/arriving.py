"""The answers of a run that is still being asked, for whoever measures them meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence


class Left(Exception):
    """The asking ended before all answers were there; what is waited for does not come."""


class ArrivingAnswers:
    """Which cases have a committed answer; told by who asks, waited for by who measures.

    Args:
        case_ids: Cases that are answered already.
        contexts: Whether one of their answers has a retrieved passage.
    """

    def __init__(self, case_ids: Collection[str] = (), *, contexts: bool = False) -> None:
        self._there = set(case_ids)
        self._contexts = contexts
        self._complete = self._left = False
        self._news = threading.Condition()

    def add(self, case_ids: Collection[str], *, contexts: bool) -> None:
        """Tells of answers that were committed, and whether one of them has a retrieved passage."""
        with self._news:
            self._there.update(case_ids)
            self._contexts |= contexts
            self._news.notify_all()

    def complete(self) -> None:
        """Tells that every case is answered."""
        with self._news:
            self._complete = True
            self._news.notify_all()

    def leave(self) -> None:
        """Tells that no more will come, though cases are left."""
        with self._news:
            self._left = True
            self._news.notify_all()

    def wait_for(self, case_ids: Sequence[str]) -> None:
        """Returns when all these cases are answered.

        Raises:
            Left: They will not be.
        """
        wanted = set(case_ids)
        with self._news:
            self._news.wait_for(lambda: self._left or self._complete or wanted <= self._there)
            if self._left:
                raise Left

    def wait_for_contexts(self) -> None:
        """Returns when an answer has a retrieved passage, or all are there and none has.

        Raises:
            Left: The asking ended before.
        """
        with self._news:
            self._news.wait_for(lambda: self._left or self._complete or self._contexts)
            if self._left:
                raise Left
