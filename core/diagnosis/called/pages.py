"""The page of a record whose gold id is spelled in another way than the ids of the documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from core.domain.sources.document_ids import KnownDocuments, bare_key
from core.domain.sources.documents import Document
from core.judging.facts.index import FactIndex
from core.text.words import contains_phrase, fold

SHORT_KEY = 4
"""Letters and digits up to which a key stands in a title by chance."""
SIGNS = re.compile(r"[_/\\.]+")


class OwnPages:
    """Finds the page of a record: by its gold id, else the only one that is called by its key or its name.

    Args:
        index: All documents.
        known: Their ids, with what people matched.
        name_of: What documents call the record of a gold id; empty where that is not known.
    """

    def __init__(self, index: FactIndex, known: KnownDocuments, name_of: Callable[[str], str] = lambda _: "") -> None:
        self._index = index
        self._known = known
        self._name_of = name_of
        self._called: dict[str, str | None] = {}

    def find(self, gold_id: str) -> str | None:
        """The id of the document, or None."""
        return self._known.find(gold_id) or self._titled(gold_id)

    def documents(self, gold_ids: Iterable[str]) -> list[Document]:
        """The documents of several gold ids, as far as there are some."""
        found: dict[str, None] = {}
        for gold_id in gold_ids:
            own = self._known.find_all(gold_id) or (self._titled(gold_id),)
            found.update(dict.fromkeys(name for name in own if name))
        return [document for name in found if (document := self._index.document(name)) is not None]

    def _titled(self, gold_id: str) -> str | None:
        if gold_id not in self._called:
            key = fold(bare_key(gold_id))
            names = [key] if len(key) > SHORT_KEY and any(map(str.isdigit, key)) else []
            names += [name] if (name := fold(self._name_of(gold_id))) else []
            self._called[gold_id] = next((own for name in names if (own := self._by_name(name)) is not None), None)
        return self._called[gold_id]

    def _by_name(self, name: str) -> str | None:
        """The only document whose title or id has a name; the one that is called so and nothing else, of several."""
        titled = [
            document
            for document, _ in self._index.mentioning((name,))
            if contains_phrase(fold(document.title), name) or contains_phrase(fold(SIGNS.sub(" ", document.id)), name)
        ]
        exact = [document for document in titled if fold(document.title) == name]
        only = exact if len(exact) == 1 else titled
        return only[0].id if len(only) == 1 else None
