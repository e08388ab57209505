"""Where a value stands in a statement: behind what it is of, or before it."""

from __future__ import annotations

import re

from core.testset.corpus.reading.labels import SMALL


def is_said_first(said: str) -> bool:
    """Whether a value may stand before what it is of: a figure or a name, and no "At sea" or "IT, C. Della"."""
    words = said.split()
    named = all(word[:1].isupper() or word[:1].isdigit() or word in SMALL for word in words)
    return bool(re.match(r"[\d$€£]", said)) or (named and not re.search(r"[,():]|^\w+ing\b", said))


def runs_on(named: str, said: str) -> bool:
    """Whether a value behind a name reads as its continuation: two figures, or two names."""
    last, first = named.split()[-1], said.split()[0]
    return bool((last[:1].isupper() or last[-1:].isdigit()) and re.match(r"[A-Z\d$€£]", first))
