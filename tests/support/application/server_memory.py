"""The memory of a server while a browser opens its pages, one session a load."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path

from playwright.sync_api import Browser

from pages.kit import navigation
from tests.support.application import server
from tests.support.application.screen import settle

EVERY = 10
"""Loads between two looks."""


def memory(chromium: Browser, data: Path, *, warm: int, loads: int) -> list[int]:
    """Resident bytes of the server of a data folder after some first loads, and after each `EVERY` of the others."""
    places = [spec.url_path for spec in navigation.declared()]
    with server.process_running(data, alone=True) as (address, process):
        page = chromium.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        taken = []
        for number, place in enumerate(islice(cycle(places), warm + loads), 1):
            page.goto(f"{address}/{place}")
            settle(page)
            if number >= warm and (number - warm) % EVERY == 0:
                taken.append(resident(process.pid))
        page.close()
    return taken


def resident(pid: int) -> int:
    """The bytes of a process that are in memory (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))
