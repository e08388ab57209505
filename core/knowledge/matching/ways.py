"""The ways in which documents are found for the records of a table. Each says what it found and what it cannot tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.sources.document_ids import normalise_id
from core.domain.sources.document_mappings import Way
from core.knowledge.matching import templates, words
from core.knowledge.matching.records import Named, Records

EQUALS: Final = " = "
"""Between a field of documents and the column it holds, in a rule; without it a field holds the key."""
LABEL: Final = "title"
"""The rule of `by content`: the title or first heading is what people call the row."""
TRIED: Final = 4
"""Fields or columns of one table that are compared with every document."""
LEAST_DISTINCT: Final = 0.9
"""Share of different values from which on a column is proposed as what tells rows apart."""
UNSAID: Final = frozenset({"title", "date", "created", "published", "updated", "author"})
"""Fields that say no key."""
SEPARATORS: Final = re.compile(r"[,;|]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one rule finds for one table.

    Attributes:
        table: The table.
        rule: What was compared.
        documents: By gold id, for records where it is clear.
        ambiguous: Why it is not clear, by gold id.
    """

    table: str
    rule: str
    documents: Mapping[str, tuple[str, ...]]
    ambiguous: Mapping[str, str]


def find(way: Way, table: Records, documents: Sequence[Named], rule: str) -> Found:
    """What a rule finds.

    Args:
        way: The way it belongs to; not `Way.EXACT`, which needs no rule.
        table: The records.
        documents: Those that are looked at.
        rule: A template, a field, a column, or `LABEL`.

    Raises:
        InvalidInput: The rule is a template that cannot be used.
    """
    index: dict[str, list[int]] = {}
    column = rule.partition(EQUALS)[2] if way is Way.FRONT_MATTER else rule
    spelled: Iterable[str] = table.keys
    if way is Way.COLUMN or (way is Way.FRONT_MATTER and column):
        spelled = map(words.plain, table.columns.get(column, ()))
    elif way is Way.CONTENT:
        spelled = map(words.plain, table.labels)
    for place, text in enumerate(spelled):
        if text:
            index.setdefault(text, []).append(place)
    return _found(table, rule, index, documents, _says(way, table, rule), several=way is Way.FRONT_MATTER)


def plausible(way: Way, records: Sequence[Records], documents: Sequence[Named]) -> Iterator[tuple[Records, str]]:
    """The rules of a way that fit some document, a few of each table; one pass over the documents."""
    if way is Way.PATTERN:
        yield from templates.read_off(records, documents)
    elif way is Way.CONTENT:
        yield from ((table, LABEL) for table in records if any(table.labels))
    elif way is Way.COLUMN:
        yield from _columns(records, documents)
    elif way is Way.FRONT_MATTER:
        yield from _fields(records, documents)


def _says(way: Way, table: Records, rule: str) -> Callable[[Named], Iterable[str]]:
    """What a document says that may be a record's key or name, the likeliest first; the first that is one counts."""
    if way is Way.PATTERN:
        pattern = templates.compiled(rule, table.table)
        return lambda document: (
            words.key(match["key"])
            for name in document.names
            for match in (pattern.fullmatch(name), pattern.fullmatch(words.without_ending(name)))
            if match
        )
    strip = _stripper(table.table)
    if way is Way.COLUMN:
        return lambda document: (text for name in _names(document) for text in (name, strip(name)))
    if way is Way.CONTENT:
        return lambda document: (
            text for heading in map(words.plain, document.headings) for text in (heading, strip(heading))
        )
    return lambda document: ()


def _found(
    table: Records,
    rule: str,
    index: Mapping[str, Sequence[int]],
    documents: Iterable[Named],
    says: Callable[[Named], Iterable[str]],
    *,
    several: bool,
) -> Found:
    claims: dict[int, dict[str, None]] = {}
    shared: dict[int, str] = {}
    for document in documents:
        first = next(filter(index.__contains__, says(document)), "")
        for text in _listed(document, rule, index, table) if several else filter(None, [first]):
            rows = index[text]
            if len(rows) > 1:
                reason = f"{document.id} could be any of {len(rows)} records"
                shared.update({row: reason for row in rows if row not in shared})
            else:
                claims.setdefault(rows[0], {})[document.id] = None
    clear: dict[str, tuple[str, ...]] = {}
    ambiguous = {table.ids[row]: reason for row, reason in sorted(shared.items())}
    for row, names in sorted(claims.items()):
        if len(names) > 1 and not several:
            ambiguous[table.ids[row]] = f"{len(names)} documents fit: {', '.join(list(names)[:3])}"
        else:
            clear[table.ids[row]] = tuple(names)
    return Found(table=table.table, rule=rule, documents=clear, ambiguous=ambiguous)


def _listed(document: Named, rule: str, index: Mapping[str, Sequence[int]], table: Records) -> list[str]:
    """What a field of a document names: one record, or several with commas between them."""
    name, _, column = rule.partition(EQUALS)
    value = document.fields.get(name, "")
    whole = [text for text in _spelled(value, table.table, column=bool(column)) if text in index]
    if whole:
        return whole[:1]
    parts = SEPARATORS.split(value) if SEPARATORS.search(value) else ()
    return list(
        dict.fromkeys(
            text for part in parts for text in _spelled(part, table.table, column=bool(column)) if text in index
        )
    )


def _spelled(value: str, table: str, *, column: bool) -> list[str]:
    if column:
        return [words.plain(value)]
    prefix = f"{table.casefold()}:"
    full = normalise_id(value)
    return [words.key(full[len(prefix) :] if full.casefold().startswith(prefix) else value)]


def _names(document: Named) -> list[str]:
    bare = [words.without_ending(name) for name in document.names]
    return list(dict.fromkeys(words.plain(text) for name in bare for text in (words.last_part(name), name)))


def _stripper(table: str) -> Callable[[str], str]:
    """Takes the table's name off the beginning or end of a name: "product chai" is "chai"."""
    names = words.table_names(table)

    def strip(text: str) -> str:
        for name in names:
            for begun in (f"{name} ", f"the {name} "):
                if text.startswith(begun):
                    return text[len(begun) :]
            if text.endswith(f" {name}"):
                return text[: -len(name) - 1]
        return ""

    return strip


def _columns(records: Sequence[Records], documents: Sequence[Named]) -> Iterator[tuple[Records, str]]:
    holders = _holders(records)
    hits: Counter[tuple[int, str]] = Counter()
    strips = [_stripper(table.table) for table in records]
    by_table: list[set[str]] = [set() for _ in records]
    for (place, _), texts in holders.items():
        by_table[place] |= texts
    of_text: dict[str, list[tuple[int, str]]] = {}
    for holder, texts in holders.items():
        for text in texts:
            of_text.setdefault(text, []).append(holder)
    for document in documents:
        names = _names(document)
        said: set[tuple[int, str]] = {holder for name in names for holder in of_text.get(name, ())}
        for place, strip in enumerate(strips):
            stripped = {text for name in names if (text := strip(name)) in by_table[place]}
            said |= {holder for text in stripped for holder in of_text[text] if holder[0] == place}
        hits.update(said)
    yield from _most(records, hits)


def _fields(records: Sequence[Records], documents: Sequence[Named]) -> Iterator[tuple[Records, str]]:
    of_key: dict[str, list[int]] = {}
    for place, table in enumerate(records):
        for key in dict.fromkeys(table.keys):
            of_key.setdefault(key, []).append(place)
    prefixes = [f"{table.table.casefold()}:" for table in records]
    of_text: dict[str, list[tuple[int, str]]] = {}
    for holder, texts in _holders(records).items():
        for text in texts:
            of_text.setdefault(text, []).append(holder)
    hits: Counter[tuple[int, str]] = Counter()
    for document in documents:
        said: set[tuple[int, str]] = set()
        for name, value in document.fields.items():
            if name in UNSAID:
                continue
            for part in dict.fromkeys((value, *SEPARATORS.split(value))):
                said.update((place, name) for place in of_key.get(words.key(part), ()))
                full = normalise_id(part).casefold()
                said.update((place, name) for place, prefix in enumerate(prefixes) if full.startswith(prefix))
                said.update((place, f"{name}{EQUALS}{column}") for place, column in of_text.get(words.plain(part), ()))
        hits.update(said)
    yield from _most(records, hits)


def _holders(records: Sequence[Records]) -> dict[tuple[int, str], set[str]]:
    """The different values of each column that tells rows apart, as they are compared."""
    holders = {}
    for place, table in enumerate(records):
        for column, values in table.columns.items():
            spelled = [text for text in map(words.plain, values) if text]
            distinct = set(spelled)
            if len(distinct) >= LEAST_DISTINCT * len(spelled):
                holders[place, column] = distinct
    return holders


def _most(records: Sequence[Records], hits: Mapping[tuple[int, str], int]) -> Iterator[tuple[Records, str]]:
    """The rules that fit most documents, a few a table."""
    of_table: dict[int, list[tuple[int, str]]] = {}
    for (place, rule), count in hits.items():
        of_table.setdefault(place, []).append((-count, rule))
    for place, rules in sorted(of_table.items()):
        yield from ((records[place], rule) for _, rule in sorted(rules)[:TRIED])
