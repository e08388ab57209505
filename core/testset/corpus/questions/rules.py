"""Questions from documents without a language model: simple ones, made from facts that rules read.

Every kind of question is made from facts (:mod:`core.testset.corpus.facts`): a fact asked for, a true or an altered
statement, a choice among values of the same property, two facts of one subject, a comparison, a property that others
have and this one lacks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from core.domain.identity import short_hash
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind, Support
from core.judging.match.readers.normalise import key
from core.judging.match.reference import contains, read_reference
from core.testset.corpus.altering import altered
from core.testset.corpus.chunk_words import ChunkWords
from core.testset.corpus.facts import Fact, FactRule, read_facts
from core.testset.corpus.far_questions import FAR_QUESTIONS
from core.testset.corpus.questions.phrases import ask, ask_both, ask_whether, subject_words, with_options
from core.text.words import fold, stems

OPTIONS = 4
"""Answers a multiple-choice question offers."""
MOST_PARTNERS = 20
"""Other facts that one fact is joined or compared with; more would only repeat it."""

_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Property:
    """What two facts share that give the same property of their subjects."""

    rule: FactRule
    words: frozenset[str]
    kind: str


class QuestionRules:
    """Makes candidate questions from chunks by rules.

    Candidates come in an order that depends on the seed and on what they say, never on the order of the chunks: every
    chunk gives its first before any gives its second.

    Args:
        chunks: Every chunk of the collection, since out-of-scope questions ask what no chunk says.
        titles: Titles of documents by id; a document's first heading replaces a missing title.
        seed: Of the order.
    """

    def __init__(self, chunks: Sequence[Chunk], titles: Mapping[str, str], *, seed: int = 0) -> None:
        self._texts = {chunk.id: chunk.text for chunk in chunks}
        self._titles: dict[str, str] = {}
        for chunk in chunks:
            first = chunk.section[0] if chunk.section else ""
            self._titles[chunk.document_id] = (
                titles.get(chunk.document_id, "") or self._titles.get(chunk.document_id, "") or first
            )
        self._seed = seed
        self._words = ChunkWords(chunks, self._titles)
        read = {chunk.id: read_facts(chunk, self._titles[chunk.document_id]) for chunk in chunks}
        self._conflicts = _conflicts(fact for facts in read.values() for fact in facts)
        disputed = {fact for group in self._conflicts for fact in group}
        self._facts = {key: tuple(fact for fact in facts if fact not in disputed) for key, facts in read.items()}
        self._by_subject: dict[str, list[Fact]] = defaultdict(list)
        self._by_property: dict[_Property, list[Fact]] = defaultdict(list)
        self._of_rule: dict[FactRule, list[Fact]] = defaultdict(list)
        for fact in sorted((fact for facts in self._facts.values() for fact in facts), key=self._rank):
            self._by_subject[_name(fact.subject)].append(fact)
            self._by_property[_property(fact)].append(fact)
            self._of_rule[fact.rule].append(fact)

    @property
    def facts(self) -> Mapping[str, tuple[Fact, ...]]:
        """The facts read in each chunk, by chunk id, without those in conflict."""
        return self._facts

    @property
    def conflicts(self) -> tuple[tuple[Fact, ...], ...]:
        """Facts that give one property of one subject different values; nothing is asked about them."""
        return self._conflicts

    def candidates(
        self, kind: QuestionKind, chunk_ids: Iterable[str], most: int | None = None
    ) -> Iterator[DocumentQuestion]:
        """Candidate questions of a kind that count for the given chunks; each wording once.

        Args:
            kind: What they ask of the system.
            chunk_ids: What they count for.
            most: Ignored: it bounds the passages that a model is asked about, and reading by rules costs nothing.

        Raises:
            KeyError: A chunk is not of this collection.
        """
        makers = {
            QuestionKind.SIMPLE: self._simple,
            QuestionKind.YES_NO: self._yes_no,
            QuestionKind.MULTIPLE_CHOICE: self._multiple_choice,
            QuestionKind.MULTI_HOP: self._multi_hop,
            QuestionKind.INFERENCE: self._inference,
            QuestionKind.OUT_OF_SCOPE: self._out_of_scope,
        }
        wordings: set[str] = set()
        for question in makers[kind](self._spread(chunk_ids)):
            wording = fold(question.text)
            if wording not in wordings:
                wordings.add(wording)
                yield question

    def _simple(self, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
        for fact in facts:
            yield self._about(QuestionKind.SIMPLE, self._ask(fact), fact.value, fact.rule.value, fact)

    def _yes_no(self, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
        """True and altered statements in turn, so that any beginning of the list is balanced; then each opposite."""
        usable = [fact for fact in facts if fact.rule is not FactRule.DEFINITION and fact.kind != "boolean"]
        for turn in (0, 1):
            true, false = (
                [question for fact in usable[start::2] if (question := self._statement(fact, holds=holds))]
                for start, holds in ((turn, True), (1 - turn, False))
            )
            for pair in zip_longest(true, false):
                yield from (question for question in pair if question is not None)

    def _statement(self, fact: Fact, *, holds: bool) -> DocumentQuestion | None:
        values = (fact.value,) if holds else self._other_values(fact, 1)
        if not values:
            return None
        text = ask_whether(fact, values[0], self._titles[fact.document_id])
        reference, rule = ("Yes", "true statement") if holds else ("No", "altered statement")
        return self._about(QuestionKind.YES_NO, text, reference, rule, fact)

    def _multiple_choice(self, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
        for fact in facts:
            others = self._other_values(fact, OPTIONS - 1) if fact.rule is not FactRule.DEFINITION else ()
            if len(others) < OPTIONS - 1:
                continue
            options = tuple(sorted((fact.value, *others), key=lambda value: self._hash(fact.chunk_id, value)))
            text = with_options(self._ask(fact), options)
            yield self._about(QuestionKind.MULTIPLE_CHOICE, text, fact.value, "other values", fact, options=options)

    def _multi_hop(self, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
        """What two chunks say about one subject, or a property of the value of another fact."""
        alone = [fact for fact in facts if not fact.condition and _asks_alone(fact)]
        for fact, other in _pairs((fact, self._partners(fact, _name(fact.subject))) for fact in alone):
            text = ask_both(self._ask(fact), self._ask(other))
            answer = f"{fact.value}; {other.value}"
            yield self._about(QuestionKind.MULTI_HOP, text, answer, "shared subject", fact, other)
        named_facts = [fact for fact in alone if fact.rule is FactRule.PROPERTY and fact.kind == "text"]
        for fact, other in _pairs((fact, self._partners(fact, _name(fact.value))) for fact in named_facts):
            if other.rule is FactRule.PROPERTY:
                text = f"What is the {other.attribute} of the {fact.attribute} of {subject_words(fact)}?"
                yield self._about(QuestionKind.MULTI_HOP, text, other.value, "bridge", fact, other)

    def _partners(self, fact: Fact, name: str) -> list[Fact]:
        """Facts about a subject in other chunks, of another property, that need nothing said before them."""
        mine = _property(fact)
        partners = (
            other
            for other in self._by_subject.get(name, ())
            if other.chunk_id != fact.chunk_id
            and _asks_alone(other)
            and not other.condition
            and _property(other) != mine
        )
        return list(islice(partners, MOST_PARTNERS))

    def _inference(self, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
        """Which of two subjects has more of a property, or had it earlier."""
        fit = [f for f in facts if not (f.of_row or f.condition) and f.kind in ("number", "date")]
        for fact, other in _pairs((fact, self._near(self._by_property[_property(fact)], fact)) for fact in fit):
            greater = _greater(fact, other)
            if greater is None or other.condition or _name(fact.subject) == _name(other.subject):
                continue
            left, right = sorted(
                (fact, other), key=lambda candidate: self._hash("shown", candidate.subject, candidate.value)
            )
            text = _comparison(fact, subject_words(left), subject_words(right))
            reference = _ARTICLE.sub("", (fact if greater == (fact.kind == "number") else other).subject)
            yield self._about(QuestionKind.INFERENCE, text, reference, "comparison", fact, other)

    def _out_of_scope(self, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
        """Near: a property that others of its kind have and it nowhere. Far: fields that no document touches."""
        near = (question for fact in facts if (question := self._lacking(fact)))
        far = (
            DocumentQuestion(kind=QuestionKind.OUT_OF_SCOPE, text=text, reference="", made_by="far")
            for text, telling in sorted(FAR_QUESTIONS, key=lambda pair: self._hash(pair[0]))
            if not self._words.any_of(telling)
        )
        for pair in zip_longest(near, far):
            yield from (question for question in pair if question is not None)

    def _lacking(self, fact: Fact) -> DocumentQuestion | None:
        if fact.of_row or fact.rule is FactRule.DEFINITION:
            return None
        subject = _ARTICLE.sub("", fact.subject)
        peers = self._near(self._by_property[_property(fact)], fact)
        theirs = (other for peer in peers for other in self._by_subject[_name(peer.subject)])
        for other in (*theirs, *self._near(self._of_rule[fact.rule], fact)):
            if other.rule is not fact.rule or other.of_row or other.condition or other.named != fact.named:
                continue
            if not self._words.states(subject, other.attribute):
                return DocumentQuestion(
                    kind=QuestionKind.OUT_OF_SCOPE,
                    text=self._ask(replace(other, subject=fact.subject, document_id=fact.document_id)),
                    reference="",
                    made_by="near",
                    near_chunk_id=fact.chunk_id,
                )
        return None

    def _near(self, facts: Sequence[Fact], fact: Fact) -> list[Fact]:
        """A few facts of other chunks, other ones for every fact."""
        start = int(self._rank(fact), 16) % len(facts)
        turned = (facts[(start + step) % len(facts)] for step in range(min(len(facts), 3 * MOST_PARTNERS)))
        return list(islice((other for other in turned if other.chunk_id != fact.chunk_id), MOST_PARTNERS))

    def _other_values(self, fact: Fact, n: int) -> tuple[str, ...]:
        """Values of the same property elsewhere, then altered ones: none that the chunk itself states."""
        text = self._texts[fact.chunk_id]
        near = self._near(self._by_property[_property(fact)], fact)
        others = [other.value for other in near if _name(other.subject) != _name(fact.subject)]
        used_keys, values = {key(fact.value)}, []
        for value in (*others, *altered(fact.value, fact.kind)):
            if key(value) not in used_keys and contains(value, text) is None:
                used_keys.add(key(value))
                values.append(value)
                if len(values) == n:
                    break
        return tuple(values)

    def _about(
        self, kind: QuestionKind, text: str, reference: str, rule: str, *facts: Fact, options: tuple[str, ...] = ()
    ) -> DocumentQuestion:
        support = tuple(
            Support(
                chunk_id=fact.chunk_id,
                document_id=fact.document_id,
                start=fact.start,
                end=fact.end,
                text=self._texts[fact.chunk_id][fact.start : fact.end],
            )
            for fact in facts
        )
        return DocumentQuestion(
            kind=kind, text=text, reference=reference, support=support, options=options, made_by=rule
        )

    def _ask(self, fact: Fact) -> str:
        return ask(fact, self._titles[fact.document_id])

    def _spread(self, chunk_ids: Iterable[str]) -> list[Fact]:
        """The facts of chunks, so that every chunk comes before any comes again."""
        ranked = [
            (turn, self._rank(fact), fact)
            for chunk_id in dict.fromkeys(chunk_ids)
            for turn, fact in enumerate(sorted(self._facts[chunk_id], key=self._rank))
        ]
        return [fact for _, _, fact in sorted(ranked, key=lambda row: row[:2])]

    def _rank(self, fact: Fact) -> str:
        return self._hash(fact.chunk_id, fact.subject, fact.attribute, fact.value, str(fact.start))

    def _hash(self, *parts: str) -> str:
        return short_hash([self._seed, *parts])


def _pairs(partners: Iterable[tuple[Fact, Iterable[Fact]]]) -> Iterator[tuple[Fact, Fact]]:
    """Each pair once: every fact with its first partner before any with its second."""
    pairs_taken: set[frozenset[Fact]] = set()
    columns = ([(fact, other) for other in others] for fact, others in partners)
    for row in zip_longest(*columns):
        for pair in row:
            if pair is not None and (both := frozenset(pair)) not in pairs_taken:
                pairs_taken.add(both)
                yield pair


def _name(subject: str) -> str:
    return key(_ARTICLE.sub("", subject))


def _property(fact: Fact) -> _Property:
    return _Property(rule=fact.rule, words=stems(fact.attribute), kind=fact.kind)


def _asks_alone(fact: Fact) -> bool:
    """Whether its question names its subject, by itself or as the title of its document."""
    return fact.named or (fact.rule in (FactRule.TABLE, FactRule.KEY_VALUE) and not fact.of_row)


def _conflicts(facts: Iterable[Fact]) -> tuple[tuple[Fact, ...], ...]:
    groups: dict[tuple[str, str, _Property], list[Fact]] = defaultdict(list)
    for fact in facts:
        home = "" if _asks_alone(fact) else fact.document_id
        groups[home, _name(fact.subject), replace(_property(fact), kind="")].append(fact)
    return tuple(tuple(group) for group in groups.values() if len({_value(fact) for fact in group}) > 1)


def _value(fact: Fact) -> str:
    """The value as two spellings of it agree."""
    read = read_reference(fact.value)
    if read.number is not None:
        return f"{read.number.value.normalize()} {read.number.unit} {read.number.currency}"
    return read.date.readings[0].shown() if read.date is not None else key(fact.value)


def _comparison(fact: Fact, left: str, right: str) -> str:
    if fact.rule is FactRule.EVENT:
        return f"Which of the two was {fact.attribute} earlier: {left} or {right}?"
    attribute = f'"{fact.attribute}"' if fact.rule in (FactRule.TABLE, FactRule.KEY_VALUE) else fact.attribute
    return (
        f"Which of the two has the {'higher' if fact.kind == 'number' else 'earlier'} {attribute}: {left} or {right}?"
    )


def _greater(fact: Fact, other: Fact) -> bool | None:
    """Whether the first value is greater or later; None where they are equal or cannot be compared."""
    left, right = read_reference(fact.value), read_reference(other.value)
    if left.number is not None and right.number is not None:
        comparable = (left.number.unit, left.number.currency) == (right.number.unit, right.number.currency)
        certain = comparable and not left.number.also and not right.number.also
        same = left.number.value == right.number.value
        return None if same or not certain else left.number.value > right.number.value
    if left.date is not None and right.date is not None:
        a, b = left.date.readings, right.date.readings
        if len(a) > 1 or len(b) > 1 or not (a[0].year and b[0].year) or a[0].year == b[0].year:
            return None
        return a[0].year > b[0].year
    return None
