"""How long each page of the scored sample takes when it is the first one that anybody opens after a start.

Nothing is cached then: a page that reads what it could have from the store is slow here and nowhere else.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Line
from pages.kit import navigation
from tests.support.application import server
from tests.support.application.session import open_page

LIMIT_S = 3.0
"""What somebody waits for without wondering whether it works."""


def lines() -> Iterator[Line]:
    """The time from opening a page to its last element, each in a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        with server.running(data):
            server.wait_for_scores(data)
        for spec in navigation.PAGES:
            with server.running(data) as address:
                began = time.perf_counter()
                open_page(address, spec.url_path)
                took = time.perf_counter() - began
            yield Line(what=f"{spec.key}: opened first", seconds=took, against="limit: a page opens", other=LIMIT_S)
