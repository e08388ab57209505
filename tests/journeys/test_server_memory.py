"""The server's memory while people come and go."""

import pytest

from pages.kit import navigation
from tests.support.application.server_memory import memory

pytestmark = [pytest.mark.journey, pytest.mark.slow]

ROUND = len(navigation.PAGES)
WARM, LOADS = 2 * ROUND, 2 * ROUND
"""Every page twice, then twice more; `bench/bench_server_memory.py` loads 360."""
MOST_GROWTH = 1.10
"""Measured: 397 MB after 60 loads, 402 MB after 360."""


def test_the_memory_of_the_server_stays_flat(own_sample):
    taken = memory(own_sample, warm=WARM, loads=LOADS)
    assert max(taken) <= MOST_GROWTH * taken[0], [f"{size / 1e6:,.0f} MB" for size in taken]
