"""Files damaged in the ways in which disks, copies and people damage them."""

from __future__ import annotations

import random

PAGE = 4096
KINDS = ("bytes", "cut", "zeros", "header", "page")


def damaged(data: bytes, kind: str, seed: int) -> bytes:
    """A damaged copy of an SQLite file whose first 16 bytes still say what it is."""
    draw, copy = random.Random(f"{kind} {seed}"), bytearray(data)
    if kind == "bytes":
        for _ in range(draw.randint(1, 300)):
            copy[draw.randrange(100, len(copy))] = draw.randrange(256)
    elif kind == "cut":
        del copy[draw.randrange(100, len(copy)) :]
    elif kind == "header":
        for _ in range(draw.randint(1, 6)):
            copy[draw.randrange(16, 100)] = draw.randrange(256)
    else:
        start = draw.randrange(len(copy) // PAGE) * PAGE
        first = start + (100 if start == 0 else 0)
        copy[first : start + PAGE] = bytes(PAGE) if kind == "zeros" else draw.randbytes(start + PAGE - first)
    return bytes(copy)
