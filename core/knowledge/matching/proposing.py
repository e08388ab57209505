"""Every way tried on records and documents, with what it matches: a proposal, never a decision."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.errors import NotFound
from core.domain.sources.document_ids import KnownDocuments, bare_key, normalise_id
from core.domain.sources.document_mappings import Way
from core.domain.sources.documents import Document
from core.knowledge.matching import words
from core.knowledge.matching.records import Named, Records, described, rows_of
from core.knowledge.matching.ways import EQUALS, Found, find, plausible

SAMPLE: Final = 200
"""Pairs of record and document that are looked at for signs that a rule is right."""
LEAST_OWN: Final = 0.5
"""A rule under which a record has more documents than two on average speaks of something that documents share."""
LEAST_SURE: Final = 0.5
"""Share of documents that must name the row or its table where only numbers are compared: files are often numbered."""
FEW: Final = 3
FEW_SHARE: Final = 0.25
"""Documents of so few records, of so small a share of the table, may have their numbers by chance: "Kestrel K7"."""
SAYS: Final = 2.0
"""How much it counts, beside the number of records, that documents speak of the row's name."""
NO_RULE: Final = "no document fits a record of this table"
NO_DOCUMENT: Final = "no document fits it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What one way gives.

    Attributes:
        way: The way.
        rules: What is compared, by table, the best first; tables without a document are left out. Tables whose records
            do not count may be among them: their documents are no other table's.
        own: Documents by gold id where a document has that id itself, with whatever way.
        matches: Documents by gold id that the way adds.
        ambiguous: Why it is not clear, by gold id.
        unmatched: Why there is no document, by gold id.
    """

    way: Way
    rules: Mapping[str, str]
    own: Mapping[str, tuple[str, ...]]
    matches: Mapping[str, tuple[str, ...]]
    ambiguous: Mapping[str, str]
    unmatched: Mapping[str, str]

    @property
    def matched(self) -> int:
        """How many records have a document."""
        return len(self.own) + len(self.matches)

    @property
    def records(self) -> int:
        """How many records were looked at."""
        return self.matched + len(self.ambiguous) + len(self.unmatched)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """Every way with what it matches, over the same records.

    Attributes:
        tables: Whose records were looked at: those that gold ids name, else those that some way finds documents for.
        ways: In the order of `Way`, the exact one first.
    """

    tables: tuple[str, ...]
    ways: tuple[Proposal, ...]

    @property
    def best(self) -> Proposal:
        """The way that matches most; of equal ones the first, with fewer doubts."""
        return min(self.ways, key=lambda one: (-one.matched, len(one.ambiguous), list(Way).index(one.way)))

    def of(self, way: Way) -> Proposal:
        """The proposal of a way."""
        return next(one for one in self.ways if one.way is way)


def propose(records: Sequence[Records], documents: Iterable[Document], needed: Collection[str] = ()) -> Proposals:
    """Tries every way; the same input gives the same proposals.

    Args:
        records: The rows of the database; all tables, since a document of one must not be taken for one of another.
        documents: The corpus.
        needed: Tables that gold ids name; none where that is not known yet.
    """
    named = described(documents)
    own, doubtful = _exact(records, named, needed)
    taken = {document_id for ids in own.values() for document_id in ids}
    free = [document for document in named if document.id not in taken]
    chosen: dict[Way, list[Found]] = {Way.EXACT: []}
    for way in list(Way)[1:]:
        candidates = (find(way, table, free, rule) for table, rule in plausible(way, records, free))
        chosen[way] = _choose(way, candidates, records, free)
    tables = _tables(records, needed, own, chosen)
    looked_at = [table for table in records if table.table in tables]
    return Proposals(
        tables=tuple(table.table for table in looked_at),
        ways=tuple(
            _proposal(way, looked_at, own, found, doubtful if way is Way.EXACT else {}) for way, found in chosen.items()
        ),
    )


def follow(
    way: Way,
    rules: Mapping[str, str],
    records: Sequence[Records],
    documents: Iterable[Document],
    needed: Collection[str] = (),
) -> Proposal:
    """What given rules match: those that were proposed, or a person's own.

    Args:
        way: The way.
        rules: What is compared, by table; a table without a rule gets no document but those with its ids.
        records: The rows of the database.
        documents: The corpus.
        needed: Tables whose records count, in any letter case; those with rules where none is named.

    Raises:
        InvalidInput: A template cannot be used.
        NotFound: There is no such table.
    """
    named = described(documents)
    of_table = {table.table.casefold(): table for table in records}
    if unknown := next((table for table in rules if table.casefold() not in of_table), ""):
        raise NotFound(f"There are no records of a table {unknown}.", "Choose a table with a primary key.")
    own, doubtful = _exact(records, named, needed)
    taken = {document_id for ids in own.values() for document_id in ids}
    free = [document for document in named if document.id not in taken]
    found = (
        [] if way is Way.EXACT else [find(way, of_table[table.casefold()], free, rule) for table, rule in rules.items()]
    )
    counted = {table.casefold() for table in (needed or rules)} or {table.split(":")[0] for table in own}
    looked_at = [table for table in records if table.table.casefold() in counted] or list(records)
    return _proposal(way, looked_at, own, _apart(found), doubtful if way is Way.EXACT else {})


def _exact(
    records: Sequence[Records], documents: Sequence[Named], needed: Collection[str]
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Documents whose own id is a record's, and records whose bare key is the id of a document that fits others too."""
    known = KnownDocuments(document.id for document in documents)
    ids = {normalise_id(document.id) for document in documents}
    asked = {table.casefold() for table in needed}
    own: dict[str, tuple[str, ...]] = {}
    bare: dict[str, list[str]] = {}
    for table in records:
        for gold in table.ids:
            if normalise_id(gold) in ids:
                own[gold] = known.find_all(gold)
            elif (key := bare_key(gold)) in ids and (not asked or table.table.casefold() in asked):
                bare.setdefault(key, []).append(gold)
    doubtful: dict[str, str] = {}
    for key, golds in bare.items():
        if len(golds) == 1:
            own[golds[0]] = known.find_all(golds[0])
        else:
            reason = f"document {key} has the key of {len(golds)} records, such as {' and '.join(golds[:2])}"
            doubtful.update(dict.fromkeys(golds, reason))
    return own, doubtful


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A rule with how well it fits: a document belongs to the rule that fits best."""

    found: Found
    used: frozenset[str]
    fit: float
    share: float


def _choose(
    way: Way, candidates: Iterable[Found], records: Sequence[Records], documents: Sequence[Named]
) -> list[Found]:
    """One rule a table at most, the best first; a document that a better rule has is no sign for another one."""
    rows = {table.table: table for table in records}
    by_id = {document.id: document for document in documents}
    measured = [one for found in candidates if (one := _measured(way, found, rows[found.table], by_id))]
    order = sorted(measured, key=_rank)
    chosen: list[Found] = []
    done: set[str] = set()
    taken: set[str] = set()
    for place, one in enumerate(order):
        if one.found.table in done or len(one.used - taken) < max(1.0, 0.5 * len(one.used)):
            continue
        done.add(one.found.table)
        rivals = [
            other
            for other in order[place + 1 :]
            if other.found.table not in done
            and (other.fit, other.share) == (one.fit, one.share)
            and 2 * len(other.used & one.used) > len(one.used)
        ]
        taken |= one.used
        if rivals:  # nothing tells the tables apart, so none of them is guessed
            for item in (one, *rivals):
                others = [each.found.table for each in (one, *rivals) if each is not item]
                done.add(item.found.table)
                reason = f"its document fits table {others[0]} as well"
                doubts = {**item.found.ambiguous, **dict.fromkeys(item.found.documents, reason)}
                chosen.append(Found(table=item.found.table, rule=item.found.rule, documents={}, ambiguous=doubts))
        else:
            chosen.append(one.found)
    return _apart(chosen)


def _rank(one: _Candidate) -> tuple[float, float, int, bool, int, str, str]:
    """The best first; of rules that fit equally the one that says most of a name."""
    rule = one.found.rule
    return -one.fit, -one.share, rule.count("*"), "{table}" not in rule, -len(rule), one.found.table, rule


def _measured(way: Way, found: Found, table: Records, documents: Mapping[str, Named]) -> _Candidate | None:
    used = frozenset(name for names in found.documents.values() for name in names)
    number = len(found.documents)
    if not number or number < LEAST_OWN * len(used) or (number == 1 < len(table.ids)):
        return None
    step = max(1, number // SAMPLE)
    sample = list(found.documents.items())[::step]
    place_of = {gold: place for place, gold in enumerate(table.ids)}
    called = words.table_names(table.table)
    rule = words.plain(found.rule)
    says = names = 0
    for gold, document_ids in sample:
        document = documents[document_ids[0]]
        label = words.plain(table.labels[place_of[gold]]) if table.labels else ""
        says += bool(label) and f" {label} " in f" {document.head} "
        spoken = [f" {words.plain(name)} " for name in document.names]
        names += any(f" {name} " in text for name in called for text in (*spoken, f" {rule} "))
    by_number = way is Way.PATTERN or (way is Way.FRONT_MATTER and EQUALS not in found.rule)
    if by_number and any(key.isdigit() for key in table.keys) and max(says, names) < LEAST_SURE * len(sample):
        return None
    few = number <= FEW and number < FEW_SHARE * len(table.ids)
    if by_number and few and says < LEAST_SURE * len(sample) and any(key.isdigit() for key in table.keys):
        return None
    sure = SAYS * says / len(sample) + names / len(sample)
    return _Candidate(found, used, round(number * (1.0 + sure), 6), round(number / len(table.ids), 6))


def _apart(chosen: Sequence[Found]) -> list[Found]:
    """The same with every document at one table only, the first that has it."""
    owner: dict[str, str] = {}
    apart = []
    for found in chosen:
        documents = {}
        ambiguous = dict(found.ambiguous)
        for gold, names in found.documents.items():
            others = [name for name in names if owner.setdefault(name, found.table) != found.table]
            if others:
                ambiguous[gold] = f"{others[0]} belongs to a record of {owner[others[0]]}"
            else:
                documents[gold] = names
        apart.append(Found(table=found.table, rule=found.rule, documents=documents, ambiguous=ambiguous))
    return apart


def _tables(
    records: Sequence[Records],
    needed: Collection[str],
    own: Mapping[str, tuple[str, ...]],
    chosen: Mapping[Way, Sequence[Found]],
) -> set[str]:
    """The tables whose records count."""
    asked = {table.casefold() for table in needed}
    if named := {table.table for table in records if table.table.casefold() in asked}:
        return named
    found = {one.table for founds in chosen.values() for one in founds if one.documents}
    with_own = {table.table for table in records if any(gold in own for gold in table.ids)}
    return found | with_own or {table.table for table in records}


def _proposal(
    way: Way,
    looked_at: Sequence[Records],
    own: Mapping[str, tuple[str, ...]],
    chosen: Sequence[Found],
    doubtful: Mapping[str, str],
) -> Proposal:
    rules = {found.table: found.rule for found in chosen if found.documents}
    found = {gold: names for one in chosen for gold, names in one.documents.items()}
    doubts = {**doubtful, **{gold: reason for one in chosen for gold, reason in one.ambiguous.items()}}
    has: dict[str, tuple[str, ...]] = {}
    matches: dict[str, tuple[str, ...]] = {}
    ambiguous: dict[str, str] = {}
    unmatched: dict[str, str] = {}
    for table in looked_at:
        lacking = NO_DOCUMENT if table.table in rules or way is Way.EXACT else NO_RULE
        for gold in table.ids:
            if gold in own:
                has[gold] = own[gold]
            elif gold in found:
                matches[gold] = found[gold]
            elif gold in doubts:
                ambiguous[gold] = doubts[gold]
            else:
                unmatched[gold] = lacking
    return Proposal(
        way=way,
        rules=rules,
        own=has,
        matches=matches,
        ambiguous=ambiguous,
        unmatched=unmatched,
    )


__all__ = ["Proposal", "Proposals", "follow", "propose", "rows_of"]
