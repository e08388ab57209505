"""Pages that know what they say: for each value of the database, the documents that state it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from core.domain.sources.documents import Document


class SaidPages:
    """Documents, with the documents that state each value, by table, key and column in small letters."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.said: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)

    def add(self, document_id: str, title: str, text: str, stated: Iterable[tuple[str, object, str]]) -> None:
        """Adds a page.

        Args:
            document_id: Its id.
            title: Its title.
            text: What it says.
            stated: The values that it states, each as table, key and columns with blanks between.
        """
        self.documents.append(Document(id=document_id, title=title, text=text))
        for table, key, columns in stated:
            for column in columns.split():
                self.said[table.lower(), str(key).lower(), column.lower()].add(document_id)
