"""A program of ours, held at a chosen moment of its writing until it is killed.

``python -m tests.support.processes.held 3:within:responses core worker job_1`` does what ``python -m core worker
job_1`` does, up to its third transaction that writes into the table `responses`; there it says so and goes on no more.
Whoever kills it then knows how far it was, on a slow machine and on a fast one. The moments of a transaction:

- before: it has begun, and nothing is written into the table.
- within: all is written and nothing is committed.
- after: it is committed, and nobody was told.
"""

from __future__ import annotations

import os
import random
import runpy
import sys
import threading
import time
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import Pool

PLACES = ("before", "within", "after")
SAID = "held\n"
LIMIT_S = 120.0
"""How long it waits for its end; only a test that fails lets it wait so long."""


def command(moment: str, module: str, *words: str) -> tuple[str, ...]:
    """The command line of a module, held at a moment such as ``3:within:responses``."""
    return (sys.executable, "-m", "tests.support.processes.held", moment, module, *words)


def wait_until_held(log: Path, times: int) -> None:
    """Waits until the processes that write into a file have said so many times that they are held."""
    until = time.monotonic() + LIMIT_S
    while (said := log.read_text(encoding="utf-8") if log.exists() else "").count(SAID) < times:
        if time.monotonic() > until or "Traceback" in said:
            raise RuntimeError(f"held {said.count(SAID)} times, not {times}:\n{said}")
        time.sleep(0.02)


def moments(seed: int, count: int, table: str, most: int = 3) -> list[tuple[int, str]]:
    """So many moments drawn for attempts that come one after another, each with the transactions it lets through.

    Every place of a transaction comes up; `most` bounds how many transactions an attempt begins.
    """
    drawn = random.Random(seed)
    places = [PLACES[number % len(PLACES)] for number in range(count)]
    drawn.shuffle(places)
    found = []
    for place in places:
        begun = drawn.randint(1, most)
        found.append((begun if place == "after" else begun - 1, f"{begun}:{place}:{table}"))
    return found


class _Holder:
    """Counts the transactions that write into a table and holds the one that is named."""

    def __init__(self, moment: str) -> None:
        count, self.place, self.table = moment.split(":")
        self._left = int(count)
        self._mine = threading.local()

    def listen(self) -> None:
        event.listen(Engine, "before_cursor_execute", self._statement)
        event.listen(Engine, "commit", self._commit)
        event.listen(Engine, "rollback", self._rollback)
        event.listen(Pool, "checkin", self._checkin)

    def _statement(self, connection: Connection, cursor: object, statement: str, *rest: object) -> None:
        words = statement.replace("(", " ").split()[:3]
        if words[:2] != ["INSERT", "INTO"] or words[2] != self.table or getattr(self._mine, "writes", False):
            return
        self._mine.writes = True
        self._left -= 1
        self._hold_at("before")

    def _commit(self, connection: Connection) -> None:
        if getattr(self._mine, "writes", False):
            self._hold_at("within")

    def _rollback(self, connection: Connection) -> None:
        if getattr(self._mine, "writes", False):
            self._mine.writes = False
            self._left += 1

    def _checkin(self, *connection: object) -> None:
        if getattr(self._mine, "writes", False):
            self._hold_at("after")
            self._mine.writes = False

    def _hold_at(self, place: str) -> None:
        if self._left == 0 and self.place == place:
            os.write(1, SAID.encode())
            time.sleep(LIMIT_S)
            os._exit(3)


def main(moment: str, module: str, *words: str) -> None:
    """Runs a module as a program, held at the moment."""
    _Holder(moment).listen()
    sys.argv[1:] = words
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
