"""When two document ids name the same document, and which gold ids name none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

NAMESPACE = re.compile(r"([^\W\d][\w $-]*):(?=[^\s/\\])")
"""A table's name in front of a key. ``https://...`` and ``Note: text`` have none."""

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


class KnownDocuments:
    """The ids of a corpus, ready for many look-ups.

    Args:
        known_ids: The documents' own ids. Where two are the same id, the first one counts.
    """

    def __init__(self, known_ids: Iterable[str]) -> None:
        self._own: dict[str, str] = {}
        for document_id in known_ids:
            self._own.setdefault(normalise_id(document_id), document_id)

    def find(self, gold: str) -> str | None:
        """The corpus's id of the document that a gold id names, or None; a full match wins over a bare key."""
        return self._own.get(normalise_id(gold)) or self._own.get(bare_key(gold))

    def resolve(self, gold_ids: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Gold ids as the documents' own ids, and those that name no document.

        Returns:
            ``(resolved, dangling)``, each without repetition, in order of appearance.
        """
        resolved: dict[str, None] = {}
        dangling: dict[str, None] = {}
        for gold in gold_ids:
            own = self.find(gold)
            if own is None:
                dangling[gold] = None
            else:
                resolved[own] = None
        return tuple(resolved), tuple(dangling)


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
