"""The facts of a collection by chunk, subject, property and time, without those that contradict each other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from core.domain.identity import short_hash
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind, Support
from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import read_reference
from core.testset.corpus.asking import phrases
from core.testset.corpus.chunk_words import ChunkWords
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.reader import Reader

CONTEXT = re.compile(r'^(?:For \{\}|According to "?\{\}"?), ')
"""What a question says first about the document that it is on."""
FEWEST_REPEATS = 3
"""Documents with the same sentence, from which it is about none of them."""
MOST_PARTNERS = 20
"""Other facts that one fact is joined or compared with; more would only repeat it."""
Series = tuple[str, frozenset[str], str, int, str]
"""Subject, property, unit, length of the period and table of figures that are one series over time."""


class FactIndex:
    """The facts that questions may ask about.

    Args:
        chunks: Every chunk of the collection.
        titles: Titles of documents by id.
        seed: Of every order.
    """

    def __init__(self, chunks: Sequence[Chunk], titles: Mapping[str, str], *, seed: int = 0) -> None:
        reader = Reader(chunks, titles)
        self.titles, self.subjects = reader.titles, reader.subjects
        self.texts = {chunk.id: chunk.text for chunk in chunks}
        self.headings = {
            chunk.id: f"{self.titles.get(chunk.document_id, '')} {' '.join(chunk.section)} " for chunk in chunks
        }
        self.words = ChunkWords(chunks, self.titles)
        self._seed = seed
        read = {chunk.id: reader.read(chunk) for chunk in chunks}
        self.conflicts = _conflicts(fact for facts in read.values() for fact in facts)
        disputed = {id(fact) for group in self.conflicts for fact in group}
        disputed |= _told_everywhere(fact for facts in read.values() for fact in facts)
        disputed |= _opened_before(fact for facts in read.values() for fact in facts)
        disputed |= _parts_of_totals([fact for facts in read.values() for fact in facts], chunks)
        self.facts: Mapping[str, tuple[Fact, ...]] = {
            chunk_id: tuple(fact for fact in facts if id(fact) not in disputed and phrases.ask(fact))
            for chunk_id, facts in read.items()
        }
        self.by_subject: dict[str, list[Fact]] = defaultdict(list)
        self.by_property: dict[tuple[frozenset[str], str], list[Fact]] = defaultdict(list)
        self.by_series: dict[Series, list[Fact]] = defaultdict(list)
        self.things: list[Fact] = []
        """Figures of documents that are about one thing each, which another such document may lack."""
        self._sorts: dict[frozenset[str], set[str]] = defaultdict(set)
        self.by_column: dict[tuple[str, str, tuple[int, ...], str], list[Fact]] = defaultdict(list)
        for fact in sorted((fact for facts in self.facts.values() for fact in facts), key=self.rank):
            self.by_subject[fact.subject_key].append(fact)
            self.by_property[fact.family, fact.kind].append(fact)
            if fact.kind == "number" and self._of_thing(fact):
                self.things.append(fact)
                self._sorts[fact.family].add(fact.subject.sort)
            if fact.rule is FactRule.CELL and fact.period is not None:
                self.by_series[series_of(fact)].append(fact)
                self.by_column[fact.chunk_id, fact.table, fact.period.identity, fact.unit].append(fact)

    def akin(self, sort: str, other: str) -> bool:
        """Whether two sorts of things share a property, as loans and accounts do and cards and regions do not."""
        return sort != other and any({sort, other} <= sorts for sorts in self._sorts.values())

    def _of_thing(self, fact: Fact) -> bool:
        about = self.subjects.get(fact.document_id)
        properties = (FactRule.TABLE, FactRule.KEY_VALUE, FactRule.PROPERTY)
        return about is not None and about == fact.subject and about.link == "of" and fact.rule in properties

    def spread(self, chunk_ids: Iterable[str]) -> list[Fact]:
        """The facts of chunks, so that every chunk comes before any comes again, and in it every property."""
        ranked = [
            (turn, self.rank(fact), fact)
            for chunk_id in dict.fromkeys(chunk_ids)
            for turn, fact in enumerate(self._mixed(self.facts[chunk_id]))
        ]
        return [fact for _, _, fact in sorted(ranked, key=lambda row: row[:2])]

    def _mixed(self, facts: Iterable[Fact]) -> list[Fact]:
        """Facts by rank, the first of every property before any second: else a long table asks for one column."""
        times: Counter[frozenset[str]] = Counter()
        turns: list[tuple[int, str, Fact]] = []
        for fact in sorted(facts, key=self.rank):
            turns.append((times[fact.family], self.rank(fact), fact))
            times[fact.family] += 1
        return [fact for _, _, fact in sorted(turns, key=lambda row: row[:2])]

    def near(self, facts: Sequence[Fact], fact: Fact) -> list[Fact]:
        """A few facts of other subjects, other ones for every fact."""
        if not facts:
            return []
        start = int(self.rank(fact), 16) % len(facts)
        turned = (facts[(start + step) % len(facts)] for step in range(min(len(facts), 3 * MOST_PARTNERS)))
        return list(islice((other for other in turned if other.subject_key != fact.subject_key), MOST_PARTNERS))

    def rank(self, fact: Fact) -> str:
        """A number of a fact by what it says and the seed."""
        when = str(fact.period.identity) if fact.period else ""
        return self.hash(fact.chunk_id, fact.subject.words, fact.attribute, fact.value, when, str(fact.start))

    def hash(self, *parts: str) -> str:
        """A number of words and the seed."""
        return short_hash([self._seed, *parts])

    def coin(self, fact: Fact) -> bool:
        """Heads or tails for a fact: which of two questions about it is asked."""
        return int(self.hash("coin", self.rank(fact)), 16) % 2 == 0

    def question(
        self, kind: QuestionKind, text: str, reference: str, rule: str, *facts: Fact, options: tuple[str, ...] = ()
    ) -> DocumentQuestion:
        """A question with the words of the facts that support it, each place once."""
        places = dict.fromkeys((fact.chunk_id, fact.document_id, fact.start, fact.end) for fact in facts)
        support = tuple(
            Support(chunk_id=chunk, document_id=document, start=start, end=end, text=self.texts[chunk][start:end])
            for chunk, document, start, end in places
        )
        return DocumentQuestion(
            kind=kind,
            text=capital(text),
            reference=reference,
            support=support,
            options=options,
            made_by=rule,
            pattern=(*pattern_of(facts[0]), _one_fact(facts)),
        )


def pattern_of(fact: Fact) -> tuple[str, ...]:
    """What other questions share with those about a fact: its document, its table, the column or field, the wording."""
    table = f"{fact.document_id}\n{fact.table.split(chr(10))[0]}" if fact.table else ""
    if fact.rule is FactRule.SHORT_FORM:
        return fact.document_id, "", fact.rule.value
    named = " ".join(sorted(fact.family)) if fact.rule in phrases.PROPERTIES else ""
    column = f"{table}\n{named}" if named else ""
    looked_up = f"{table}\n{fact.rule.value}" if fact.rule is FactRule.LOOK_UP else ""
    return fact.document_id, table, column, looked_up


def _one_fact(facts: Sequence[Fact]) -> str:
    """What the questions about one fact share: openly, and whether it is so; empty for several facts."""
    if len(facts) > 1:
        return ""
    fact = facts[0]
    when = str(fact.period.identity) if fact.period else ""
    return "\n".join((fact.chunk_id, str(fact.start), fact.attribute, when, fact.value))


def series_of(fact: Fact) -> Series:
    """What the figures of one row share over time and filings."""
    months = fact.period.months if fact.period else 0
    # The table's title changes with the filing, its group and column do not.
    return fact.subject_key, fact.family, fact.unit, months, key(fact.part)


def pairs(partners: Iterable[tuple[Fact, Iterable[Fact]]]) -> Iterator[tuple[Fact, Fact]]:
    """Each pair once: every fact with its first partner before any with its second."""
    taken: set[frozenset[int]] = set()
    columns = ([(fact, other) for other in others] for fact, others in partners)
    for row in zip_longest(*columns):
        for pair in row:
            if pair is not None and (both := frozenset(map(id, pair))) not in taken and len(both) == 2:
                taken.add(both)
                yield pair


def number_of(fact: Fact) -> float | None:
    """The value as a number; None where it is not exactly one."""
    read = read_reference(fact.value)
    return float(read.number.value) if read.number is not None and not read.number.also else None


def same_unit(fact: Fact, other: Fact) -> bool:
    """Whether two values can be compared."""
    left, right = read_reference(fact.value).number, read_reference(other.value).number
    return (
        left is not None
        and right is not None
        and fact.unit == other.unit
        and (left.unit, left.currency) == (right.unit, right.currency)
    )


def capital(text: str) -> str:
    """A sentence with its first letter as a capital, unless it begins with a name such as iPhone."""
    return text[:1].upper() + text[1:]


def _conflicts(facts: Iterable[Fact]) -> tuple[tuple[Fact, ...], ...]:
    """Facts that answer the same question with different values: the question would have two readings."""
    groups: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[fact.identity].append(fact)
    return tuple(tuple(group) for group in groups.values() if len({value_key(fact) for fact in group}) > 1)


def _told_everywhere(facts: Iterable[Fact]) -> set[int]:
    """Sentences that many documents repeat about none of them in particular, such as a rule in every footer."""
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        frame = CONTEXT.sub("", fact.asked)
        if fact.rule is FactRule.CLAUSE and "{}" not in frame:
            groups[frame.casefold(), fact.value].append(fact)
    repeated = (group for group in groups.values() if len({fact.document_id for fact in group}) >= FEWEST_REPEATS)
    return {id(fact) for group in repeated for fact in group}


def _opened_before(facts: Iterable[Fact]) -> set[int]:
    """Short forms that another passage before opens as well: each is asked for once."""
    seen: set[str] = set()
    repeated: set[int] = set()
    for fact in facts:
        if fact.rule is FactRule.SHORT_FORM:
            if fact.subject.words in seen:
                repeated.add(id(fact))
            seen.add(fact.subject.words)
    return repeated


def _parts_of_totals(facts: Sequence[Fact], chunks: Sequence[Chunk]) -> set[int]:
    """Figures whose own filing has a total of their name with another value: "deferred revenue" has two readings."""
    texts: dict[str, str] = defaultdict(str)
    for chunk in chunks:
        texts[chunk.document_id] += f"{chunk.text}\n".casefold()
    cells = [fact for fact in facts if fact.rule is FactRule.CELL]
    same = {(fact.document_id, fact.attribute.casefold(), value_key(fact)) for fact in cells}
    has_total = {
        (document, name): f"total {name}" in texts[document]
        for document, name in {(fact.document_id, fact.attribute.casefold()) for fact in cells}
    }
    return {
        id(fact)
        for fact in cells
        if has_total[fact.document_id, fact.attribute.casefold()]
        and (fact.document_id, f"total {fact.attribute.casefold()}", value_key(fact)) not in same
    }


def value_key(fact: Fact) -> str:
    """The value as two spellings of it agree."""
    read = read_reference(fact.value)
    if read.number is not None:
        return f"{read.number.value.normalize()} {read.number.unit} {read.number.currency} {fact.unit}"
    return read.date.readings[0].shown() if read.date is not None else key(fact.value)
