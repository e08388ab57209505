"""Draws ``icon.png``, a plumb line and its bob, with nothing but the standard library; the same bytes every time."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

SIZE = 64
FINER = 4
BLUE, WHITE, CLEAR = (0, 114, 178, 255), (255, 255, 255, 255), (0, 0, 0, 0)


def colour(x: float, y: float) -> tuple[int, int, int, int]:
    """Colour of a point of the unit square, y downwards."""
    corner = 0.2
    dx, dy = max(abs(x - 0.5) - (0.5 - corner), 0), max(abs(y - 0.5) - (0.5 - corner), 0)
    if dx * dx + dy * dy > corner * corner:
        return CLEAR
    bar = 0.26 <= x <= 0.74 and 0.14 <= y <= 0.21
    line = abs(x - 0.5) <= 0.028 and 0.2 <= y <= 0.55
    shoulder = 0.52 <= y <= 0.6 and abs(x - 0.5) <= 0.16
    bob = 0.6 <= y <= 0.88 and abs(x - 0.5) <= 0.16 * (0.88 - y) / 0.28
    return WHITE if bar or line or shoulder or bob else BLUE


def png() -> bytes:
    """The icon, each pixel averaged over a finer grid."""
    rows = b""
    for row in range(SIZE):
        rows += b"\0"
        for column in range(SIZE):
            points = [
                colour((column + (i + 0.5) / FINER) / SIZE, (row + (j + 0.5) / FINER) / SIZE)
                for i in range(FINER)
                for j in range(FINER)
            ]
            alpha = sum(point[3] for point in points)
            mixed = [sum(point[c] * point[3] for point in points) // alpha if alpha else 0 for c in range(3)]
            rows += bytes([*mixed, alpha // len(points)])
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


if __name__ == "__main__":
    Path(__file__).with_name("icon.png").write_bytes(png())
