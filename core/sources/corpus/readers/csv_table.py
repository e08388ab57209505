"""CSV files: each row one readable line, below the lines that stand above its heads."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence

from core.domain.errors import UnreadableFile
from core.sources.corpus.decoding import decode_told
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tabular.tables import FEWEST_HEADS, filled, named_lines, row_of_heads

DELIMITERS = ",;\t|"
LONGEST_FIELD = 20_000_000
"""Characters; a longer one is a quotation mark that nobody closed."""
MOST_TITLES = 6
"""Lines above the heads with few cells: what an export says of itself."""
MOST_LOOKED_AT = 30
"""Lines by which the delimiter is told."""
FEWEST_NOTE_WORDS = 4


@reads("csv", ".csv", ".tsv", version=3)
def read_csv(data: bytes) -> tuple[Parsed, ...]:
    """One document: rows as ``header: value; header: value``; the first row of several cells holds the headers.

    What stands above them, and notes in a cell of their own between or below the rows, are lines as they are.
    """
    text, notes = decode_told(data)
    rows = csv_rows(text)
    if not rows:
        raise UnreadableFile("it is empty", "")
    first = row_of_heads(rows, MOST_TITLES)
    titles = [" ".join(filter(None, row)) for row in rows[:first]]
    heads, *records = rows[first:]
    lines: list[str] = []
    below: list[Sequence[str]] = []
    for record in records:
        if not _is_note(record, heads):
            below.append(record)
            continue
        lines += [*(named_lines([heads, *below]) if below else ()), record[0]]
        below = []
    lines += named_lines([heads, *below]) if below or not lines else []
    return (Parsed(text="\n".join([*titles, *([""] if titles else []), *lines]), notes=notes),)


def _is_note(record: Sequence[str], heads: Sequence[str]) -> bool:
    """Whether a row is a sentence in its first cell and nothing else: "Note: number 06 is not used"."""
    return filled(heads) >= FEWEST_HEADS and not any(record[1:]) and len(record[0].split()) >= FEWEST_NOTE_WORDS


def csv_rows(text: str) -> list[list[str]]:
    """The rows of a CSV text that hold anything, cells trimmed; the delimiter is the one that cuts most lines alike.

    Raises:
        UnreadableFile: The text is no CSV.
    """
    delimiter = _delimiter(text)
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True))
    except csv.Error as error:
        raise UnreadableFile(f"it is no CSV: {error}", "Save it as CSV with one header row.") from None
    finally:
        csv.field_size_limit(before)  # it is one for the whole process
    return [cells for row in rows if any(cells := [" ".join(cell.split()) for cell in row])]


def _delimiter(text: str) -> str:
    """The sign that stands as often in most of the first lines, whatever a title above them or a remark in them has."""
    lines = [line for line in text.split("\n", 4 * MOST_LOOKED_AT)[: 4 * MOST_LOOKED_AT] if line.strip()][
        :MOST_LOOKED_AT
    ]

    def alike(delimiter: str) -> tuple[int, int]:
        counts = Counter(count for line in lines if (count := line.count(delimiter)))
        return max(((times, count) for count, times in counts.items()), default=(0, 0))

    return max(DELIMITERS, key=alike)
