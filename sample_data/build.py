"""Builds the sample bank: the database, the documents, the templates and the list of planted defects.

``python -m sample_data.build`` writes the same bytes every time.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sample_data.bank import write_database
from sample_data.documents import write_documents
from sample_data.planted import planted_file
from sample_data.templates import grammar_file

HERE = Path(__file__).resolve().parent


def build(folder: Path = HERE) -> None:
    """Writes all files below a folder; existing ones are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    write_database(folder / "bank.sqlite")
    write_documents(folder / "documents")
    (folder / "templates.json").write_text(grammar_file(with_ids=False), encoding="utf-8")
    (folder / "templates_with_ids.json").write_text(grammar_file(with_ids=True), encoding="utf-8")
    (folder / "planted.json").write_text(planted_file(), encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
