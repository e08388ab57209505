"""Anybody's table: one row for each answer, under column names that a person maps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from core.io.exchange.format import Format, FormatSpec, Unpacked, exchange_format
from core.io.exchange.tables import READS
from core.io.tables.rows import read_rows

SPEC: Final = FormatSpec(
    name="table",
    title="Any table",
    about="One row for each answer, with columns of any names.",
    reads=READS,
    writes=(),
    columns={},
    signs=(),
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """The rows as they are."""
    del model
    return Unpacked(rows=read_rows(path))


exchange_format(Format(spec=SPEC, unpack=unpack, pack=None))
