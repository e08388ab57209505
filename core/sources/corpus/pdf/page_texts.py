"""Pages to one text: where each begins, and what stands on all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

AT_EDGE = 3
"""Lines at the top and at the bottom of a page that may be its header or footer."""
FEWEST_PAGES = 4
SHARE = 0.5
"""Of the pages; a line at the edge of as many is a running header or footer."""
DIGITS = re.compile(r"\d+")


def joined_pages(pages: Iterable[str]) -> tuple[str, tuple[int, ...]]:
    r"""Pages parted by a blank line, and where each begins; a blank page begins where the next one does.

    >>> joined_pages(["one", "", "two"])
    ('one\n\ntwo', (0, 5, 5))
    """
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    for page in pages:
        starts.append(at)
        if page:
            parts.append(page)
            at += len(page) + 2
    text = "\n\n".join(parts)
    return text, tuple(min(start, len(text)) for start in starts)


def running_lines(pages: Sequence[Sequence[str]]) -> list[set[int]]:
    """For each page, the places of its lines that are running headers, footers and page numbers.

    A line counts where the same one, digits apart, stands at the edge of at least half of the pages, four or more.

    Args:
        pages: The lines of each page.

    >>> running_lines([["Fees 2026", f"Fee {word}.", f"Rate {word}.", f"Page {n}"] for n, word in enumerate("abcd")])[0]
    {0, 3}
    """
    if len(pages) < FEWEST_PAGES:
        return [set() for _ in pages]
    edges = [{place: DIGITS.sub("0", lines[place].strip()) for place in _edge(len(lines))} for lines in pages]
    counts = Counter(line for edge in edges for line in set(edge.values()) if line)
    running = {line for line, count in counts.items() if count >= max(FEWEST_PAGES, SHARE * len(pages))}
    return [{place for place, line in edge.items() if line in running} for edge in edges]


def _edge(count: int) -> set[int]:
    return {*range(min(AT_EDGE, count)), *range(max(0, count - AT_EDGE), count)}
