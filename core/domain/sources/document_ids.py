"""When two document ids name the same document, and which gold ids name none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from core.domain.sources.document_places import DocumentPlaces, without_place

NAMESPACE = re.compile(r"([^\W\d][\w $-]*):(?=[^\s/\\])")
"""A table's name in front of a key. ``https://...`` and ``Note: text`` have none."""

NO_MATCHES: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})
"""What people decided where nobody has."""

WHOLE = re.compile(r"([+-]?\d+)\.0+")


def normalise_id(value: object) -> str:
    """The one spelling of an id that all its spellings share.

    Ids are text: ``1``, ``1.0`` and ``"1"`` are the same id. A table's name in front of the key is compared without
    regard to letter case; the case of the key counts.

    >>> normalise_id(1.0), normalise_id(" People:1.0 "), normalise_id("Blue Lagoon Resort")
    ('1', 'people:1', 'Blue Lagoon Resort')
    """
    text = str(value).strip()
    match = NAMESPACE.match(text)
    if match is None:
        return _key(text)
    return f"{match.group(1).strip().casefold()}:{_key(text[match.end() :])}"


def bare_key(value: object) -> str:
    """The normalised id without its table's name.

    >>> bare_key("People:1.0"), bare_key("1")
    ('1', '1')
    """
    text = normalise_id(value)
    match = NAMESPACE.match(text)
    return text if match is None else text[match.end() :]


def namespace_of(value: object) -> str:
    """The table's name in front of an id, empty where there is none.

    >>> namespace_of("People:1.0"), namespace_of("1")
    ('people', '')
    """
    match = NAMESPACE.match(normalise_id(value))
    return match.group(1) if match else ""


class KnownDocuments:
    """The ids of a corpus, ready for many look-ups; the one place where gold ids become documents.

    A full match wins, then what people decided for the id (`matches`), then the bare key.

    Args:
        known_ids: The documents' own ids. Where two are the same id, the first one counts.
        matches: Documents of gold ids that are spelled in another way, as chosen on the Connect page. Documents that
            are not among `known_ids` are left out.
    """

    def __init__(self, known_ids: Iterable[str], matches: Mapping[str, Sequence[str]] = NO_MATCHES) -> None:
        self._own: dict[str, str] = {}
        for document_id in known_ids:
            self._own.setdefault(normalise_id(document_id), document_id)
        self._matched: dict[str, tuple[str, ...]] = {}
        for gold, document_ids in matches.items():
            found = tuple(dict.fromkeys(filter(None, (self._own.get(normalise_id(name)) for name in document_ids))))
            if found:
                self._matched[normalise_id(gold)] = found
        self._places: DocumentPlaces | None = None

    def find(self, gold: str) -> str | None:
        """The corpus's id of the document that a gold id names, the first of several, or None."""
        return next(iter(self.find_all(gold)), None)

    def find_all(self, gold: str) -> tuple[str, ...]:
        """The corpus's ids of the documents that a gold id names; several only where people decided so."""
        full = normalise_id(gold)
        if own := self._own.get(full):
            return (own,)
        if matched := self._matched.get(full):
            return matched
        bare = self._own.get(bare_key(gold))
        return (bare,) if bare else ()

    def retrieved(self, name: str) -> str:
        """The corpus's id of a document as a system names it; the name itself where it names none.

        Besides the id, the document's address, path or file name says which it is, where exactly one file has it; a
        page, a passage or another place within the document may follow ("fees.pdf (p. 2)", "products:1#4").
        """
        if self.find_all(name):
            return name
        if own := self.find(without_place(name)):
            return own
        if self._places is None:
            self._places = DocumentPlaces(self._own.values())
        return self._places.find(name) or name

    def resolve(self, gold_ids: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Gold ids as the documents' own ids, and those that name no document.

        Returns:
            ``(resolved, dangling)``, each without repetition, in order of appearance.
        """
        resolved: dict[str, None] = {}
        dangling: dict[str, None] = {}
        for gold in gold_ids:
            own = self.find_all(gold)
            if own:
                resolved.update(dict.fromkeys(own))
            else:
                dangling[gold] = None
        return tuple(resolved), tuple(dangling)

    def named(self, gold_ids: Sequence[str]) -> tuple[str, ...]:
        """Gold ids with those that people matched replaced by their documents; all others stay as they are."""
        if not self._matched:
            return tuple(gold_ids)
        spelled: dict[str, None] = {}
        for gold in gold_ids:
            full = normalise_id(gold)
            matched = None if self._own.get(full) else self._matched.get(full)
            spelled.update(dict.fromkeys(matched or (gold,)))
        return tuple(spelled)


@dataclass(frozen=True, slots=True)
class GoldTables:
    """The tables that gold ids name records of, "" for ids without a table.

    Where none of the many records of a table has a document, that says how ids are spelled or how documents are cut,
    and nothing about a retrieval.

    Attributes:
        fitting: Those of which some record has a document.
        unfit: Those of which none has.
    """

    fitting: frozenset[str] = frozenset()
    unfit: frozenset[str] = frozenset()

    @classmethod
    def of(cls, gold_ids: Iterable[str], documents: KnownDocuments | None) -> GoldTables:
        """Compares gold ids, with repetitions, with the documents; no table is unfit where no corpus is known."""
        if documents is None:
            return cls()
        tables: dict[str, bool] = {}
        for gold in dict.fromkeys(gold_ids):
            table = namespace_of(gold)
            if not tables.get(table):
                tables[table] = documents.find(gold) is not None
        fitting = frozenset(table for table, fits in tables.items() if fits)
        return cls(fitting=fitting, unfit=frozenset(tables) - fitting)

    @property
    def none_fits(self) -> bool:
        """Whether there are gold ids and not one names a document."""
        return bool(self.unfit) and not self.fitting

    def comparable(self, gold_ids: Iterable[str]) -> bool:
        """Whether gold ids can be compared with retrieved documents: each is of a table whose records have some."""
        return not self.unfit or all(namespace_of(gold) not in self.unfit for gold in gold_ids)


def resolve_gold(gold_ids: Iterable[str], known_ids: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Gold ids as the documents' own ids, and the dangling ones: a defect of the data, not a retrieval miss.

    Args:
        gold_ids: The ids of the test case, as ``table:key`` or bare.
        known_ids: The ids of the corpus. For many cases use :class:`KnownDocuments` once.

    >>> resolve_gold(["client:1.0", "client:9"], ["1", "2"])
    (('1',), ('client:9',))
    """
    return KnownDocuments(known_ids).resolve(gold_ids)


def _key(text: str) -> str:
    text = text.strip()
    match = WHOLE.fullmatch(text)
    return match.group(1) if match else text
