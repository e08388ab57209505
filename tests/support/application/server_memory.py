"""The memory of a server while people come and go: every page is opened in a session of its own."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path

from pages.kit import navigation
from tests.support.application import server
from tests.support.application.session import open_page

EVERY = 10
"""Loads between two looks."""


def memory(data: Path, *, warm: int, loads: int) -> list[int]:
    """Resident bytes of the server of a data folder after some first loads, and after each `EVERY` of the others."""
    places = [spec.url_path for spec in navigation.declared()]
    with server.process_running(data, alone=True) as (address, process):
        taken = []
        for number, place in enumerate(islice(cycle(places), warm + loads), 1):
            open_page(address, place)
            if number >= warm and (number - warm) % EVERY == 0:
                taken.append(resident(process.pid))
    return taken


def resident(pid: int) -> int:
    """The bytes of a process that are in memory (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))
