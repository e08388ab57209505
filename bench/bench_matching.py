"""Finding the documents of records: every way tried on as many documents as rows."""

from __future__ import annotations

from collections.abc import Iterator

from bench.measure import Line, median_seconds
from core.domain.sources.documents import Document
from core.knowledge.matching.proposing import propose
from core.knowledge.matching.records import Records

ROWS = 10_000
LIMIT_S = 10.0


def lines() -> Iterator[Line]:
    """One line for each way in which files are named."""
    records = [_table("products", ROWS), _table("suppliers", ROWS // 10), _table("categories", 20)]
    styles = {
        "product-00001.md": [_document(n, f"product-{n:05}.md") for n in range(1, ROWS + 1)],
        "a field of theirs": [_document(n, f"page-{ROWS - n}.md", sku=str(n)) for n in range(1, ROWS + 1)],
        "the row's name": [_document(n, f"products-{n}-name.md") for n in range(1, ROWS + 1)],
    }
    for name, documents in styles.items():
        seconds = median_seconds(lambda documents=documents: propose(records, documents))
        yield Line(
            what=f"{ROWS:,} records x {ROWS:,} documents, by {name}",
            seconds=seconds,
            against="limit: a person waits",
            other=LIMIT_S,
        )


def _table(name: str, rows: int) -> Records:
    names = tuple(f"{name} {number} name" for number in range(1, rows + 1))
    return Records(
        table=name,
        ids=tuple(f"{name}:{number}" for number in range(1, rows + 1)),
        keys=tuple(str(number) for number in range(1, rows + 1)),
        columns={"name": names},
        labels=names,
    )


def _document(number: int, path: str, **fields: str) -> Document:
    text = f"The products {number} name costs {number} pounds. " * 20
    return Document(id=path, title=path, text=text, path=path, metadata=fields)
