"""CSV files: each row one readable line."""

from __future__ import annotations

import csv
import io

from core.domain.errors import UnreadableFile
from core.sources.corpus.decoding import decode_told
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tabular.tables import named_lines

DELIMITERS = ",;\t|"
LONGEST_FIELD = 20_000_000
"""Characters; a longer one is a quotation mark that nobody closed."""


@reads("csv", ".csv", ".tsv", version=2)
def read_csv(data: bytes) -> tuple[Parsed, ...]:
    """One document: rows as ``header: value; header: value``; the first row holds the headers."""
    text, notes = decode_told(data)
    rows = csv_rows(text)
    if not rows:
        raise UnreadableFile("it is empty", "")
    return (Parsed(text="\n".join(named_lines(rows)), notes=notes),)


def csv_rows(text: str) -> list[list[str]]:
    """The rows of a CSV text that hold anything, cells trimmed; the delimiter is the one that cuts the first line most.

    Raises:
        UnreadableFile: The text is no CSV.
    """
    first = text.lstrip("\n").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True))
    except csv.Error as error:
        raise UnreadableFile(f"it is no CSV: {error}", "Save it as CSV with one header row.") from None
    finally:
        csv.field_size_limit(before)  # it is one for the whole process
    return [cells for row in rows if any(cells := [" ".join(cell.split()) for cell in row])]
