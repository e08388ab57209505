"""How many calls one endpoint gets at once: as many as the user allows, fewer while it refuses, slowly more again."""

from __future__ import annotations

import asyncio
from collections import deque

MOST_PATIENCE = 64
"""Rounds of success before one more is tried, once such tries were refused again and again."""


class AdaptiveLimiter:
    """Slots for calls in flight; every stage of a process that talks to an endpoint shares one.

    It starts at the ceiling. A refusal (429) brings it down to what is in flight without the refused call, which is
    what the server took: a burst of 100 against a server that takes 16 ends at exactly 16 once the refusals are in.
    After a round of successes (as many as there are slots) it tries one slot more; each time that is refused it waits
    twice as many rounds before it tries again, each time it holds half as many.

    Only to be used inside one event loop.

    Args:
        ceiling: The most calls at once, at least 1.

    Attributes:
        limit: Slots there are now.
        refusals: How many calls were refused so far.
    """

    def __init__(self, ceiling: int) -> None:
        self.ceiling = max(1, ceiling)
        self.limit = self.ceiling
        self.refusals = 0
        self._flying = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._successes = 0
        self._patience = 1
        self._tried = False

    @property
    def in_flight(self) -> int:
        """Calls that hold a slot."""
        return self._flying

    async def acquire(self, *, again: bool = False) -> None:
        """Waits for a slot; a call that is sent again goes before those that were never sent."""
        if self._flying < self.limit and not self._waiting:
            self._flying += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if again:
            self._waiting.appendleft(turn)
        else:
            self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the slot was given in the same moment
                self._flying -= 1
                self._wake()
            elif turn in self._waiting:  # else one who woke others passed over it before it could leave
                self._waiting.remove(turn)
            raise

    def release(self, *, answered: bool) -> None:
        """Gives a slot back after an answer, or after a failure that says nothing about the load."""
        self._flying -= 1
        if answered and self.limit < self.ceiling:
            self._successes += 1
            if self._successes >= self.limit * self._patience:
                if self._tried:  # the last try held for its rounds: the server takes more than it did
                    self._patience = max(1, self._patience // 2)
                self._successes = 0
                self.limit += 1
                self._tried = True
        self._wake()

    def refuse(self) -> None:
        """Gives the slot of a refused call back and takes away what the server did not grant."""
        self._flying -= 1
        self.refusals += 1
        if self._tried:
            self._patience = min(MOST_PATIENCE, self._patience * 2)
            self._tried = False
        self._successes = 0
        self.limit = max(1, min(self.limit, self._flying))
        self._wake()

    def _wake(self) -> None:
        while self._waiting and self._flying < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._flying += 1
                turn.set_result(None)
