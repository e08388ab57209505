"""A system under test that is a function, and takes a while for each answer."""

from __future__ import annotations

import time

from tests.support.bank_cases import MANAGERS

SECONDS = 0.002


def manager(question: str) -> str:
    """Who manages the branch that a question names, said after two milliseconds at the earliest."""
    time.sleep(SECONDS)
    return next(name for city, name in MANAGERS.items() if city in question)
