"""Questions from the domain that no document answers, each with the proof that none does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.judging.match.readers.texts.normalise import key
from core.testset.corpus.asking.index import CONTEXT, FactIndex, capital, pattern_of
from core.testset.corpus.asking.phrases import ask
from core.testset.corpus.reading.facts import Fact, FactRule
from core.text.words import stems

YEARS_BACK = 15
NEIGHBOURS = 97
"""How far from a number of the documents an absent one is looked for."""
NOT_LACKED = frozenset({FactRule.CELL, FactRule.LOOK_UP, FactRule.DEFINITION, FactRule.CAUSE, FactRule.SHORT_FORM})
SHARED = 2
"""Properties that two subjects must share before one is asked for a third of the other's."""
ABSENT_COMPANIES = (
    "Siemens",
    "Nestlé",
    "Toyota",
    "Unilever",
    "Samsung",
    "Volkswagen",
    "Pfizer",
    "Boeing",
    "Coca-Cola",
    "Walmart",
    "Shell",
    "Sony",
    "Bayer",
    "Nike",
    "Caterpillar",
    "Starbucks",
    "FedEx",
    "Honda",
    "Novartis",
    "Adidas",
)
"""Companies that publish accounts; one is asked about only where no document names it."""
_SORTS = (
    re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"),
    re.compile(r"[$€£]|\b(?:EUR|USD|GBP|CHF|euros?|dollars|pounds)\b"),
    re.compile(r"%|\bper ?cent"),
)
"""Days, amounts and shares, as a text gives them."""
_MEASURED = re.compile(r" ?(?:[kcm]?m|k?g|mg|t|ml|l|[kM]?[WV]A?h?|inch|bar|ton)\b|\"| ?%")
_LAST_NUMBER = re.compile(r"\d+(?=\D*$)")


def out_of_scope(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """A period, a subject or a property of the documents' own kind that none of them states."""
    makers = (_other_year, _other_subject, _lacking)
    for row in zip_longest(*(_made(make, index, facts) for make in makers)):
        yield from (question for question in row if question is not None)


def _made(
    make: Callable[[FactIndex, Fact], DocumentQuestion | None], index: FactIndex, facts: Sequence[Fact]
) -> Iterator[DocumentQuestion]:
    """What a maker makes of facts, looked for as far as it is asked for."""
    return (question for fact in facts if (question := make(index, fact)))


def _asked(index: FactIndex, fact: Fact, near: Fact, rule: str) -> DocumentQuestion | None:
    text = ask(fact)
    if not text:
        return None
    return DocumentQuestion(
        kind=QuestionKind.OUT_OF_SCOPE,
        text=capital(text),
        reference="",
        made_by=rule,
        pattern=pattern_of(near),
        near_chunk_id=near.chunk_id,
    )


def _other_year(index: FactIndex, fact: Fact) -> DocumentQuestion | None:
    """A figure for a year that stands in no document, the latest before those that do."""
    period = fact.period
    if fact.rule is not FactRule.CELL or period is None:
        return None
    year = period.end[0]
    absent = next(
        (other for other in range(year - 3, year - 3 - YEARS_BACK, -1) if not index.words.any_of(str(other))), None
    )
    if absent is None:
        return None
    # A year, since nobody knows on which day a quarter of that year ended.
    year_words = f"fiscal {absent}" if fact.subject.sort == "company" else str(absent)
    words = year_words if period.months else f"the end of {year_words}"
    moved = replace(period, end=(absent, 0, 0), words=words)
    return _asked(index, replace(fact, period=moved), fact, "other year")


def _other_subject(index: FactIndex, fact: Fact) -> DocumentQuestion | None:
    """The same property of a subject of the same sort that no document names: another company, another number."""
    subject = fact.subject
    if subject.sort == "company" and fact.rule is FactRule.CELL:
        if " for " in fact.attribute or "statutory" in fact.attribute or fact.period is None or "(" in fact.attribute:
            return None
        year = fact.period.end[0]
        words = f"{year}" if fact.period.months else f"the end of {year}"
        fact = replace(fact, period=replace(fact.period, end=(year, 0, 0), words=words))
        ranked = sorted(ABSENT_COMPANIES, key=lambda name: index.hash(name, fact.attribute))
        absent = next((name for name in ranked if not index.words.has_phrase(name)), "")
        return (
            _asked(index, replace(fact, subject=replace(subject, words=absent)), fact, "other subject")
            if absent
            else None
        )
    number = _LAST_NUMBER.search(subject.words)
    if number is None and _of_document(index, fact):
        return _other_name(index, fact)
    if number is not None and _MEASURED.match(subject.words[number.end() :]):
        return None  # a size is not what tells one thing from another of its sort
    dated = re.search(r"[A-Z][a-z]+ (?:19|20)\d\d|[\"“]", subject.words)
    if dated or subject.topic or subject.link == "for":
        return None
    if not subject.sort or number is None or subject.words == subject.sort or len(number[0]) < 3:
        return None
    start = int(index.hash(subject.words, fact.attribute), 16) % NEIGHBOURS
    for step in range(NEIGHBOURS):
        other = str(int(number[0]) + 1 + (start + step) % NEIGHBOURS).zfill(len(number[0]))
        words = f"{subject.words[: number.start()]}{other}{subject.words[number.end() :]}"
        bare = words.removeprefix(f"{subject.sort} ")
        if not index.words.has_phrase(bare):
            moved = replace(subject, words=words, within=subject.within.replace(subject.words, words))
            return _asked(index, replace(fact, subject=moved), fact, "other subject")
    return None


def _other_name(index: FactIndex, fact: Fact) -> DocumentQuestion | None:
    """A thing that no document names, called by the names of two of its sort: the "Juniper Voyager card"."""
    mine = fact.subject.bare.split()
    named = fact.subject.words.startswith("the ") and fact.subject.sort.islower() and len(mine) >= 3
    if not named or '"' in fact.subject.words or fact.subject.link != "of" or fact.condition or fact.rule in NOT_LACKED:
        return None
    for peer in index.near(index.by_property[fact.family, fact.kind], fact):
        theirs = peer.subject.bare.split()
        if peer.subject.sort != fact.subject.sort or len(theirs) != len(mine) or theirs[0] == mine[0]:
            continue
        words = " ".join([mine[0], *theirs[1:]])
        if theirs[1:] != mine[1:] and not index.words.has_phrase(words):
            subject = replace(fact.subject, words=f"the {words}")
            return _asked(index, replace(fact, subject=subject), fact, "other subject")
    return None


def _lacking(index: FactIndex, fact: Fact) -> DocumentQuestion | None:
    """A property that subjects like this one have, and this one in no document."""
    own = _of_document(index, fact)
    if fact.rule in NOT_LACKED or fact.period is not None or (fact.rule is FactRule.TABLE and not own):
        return None
    mine = {other.family for other in index.by_subject[fact.subject_key]}
    peers = index.near(index.by_property[fact.family, fact.kind], fact)
    things = index.near(index.things, fact) if own and fact.subject.link == "of" else []
    for peer in (*peers, *things):
        theirs = index.by_subject[peer.subject_key]
        need = 1 if fact.rule is FactRule.PROPERTY else SHARED
        alike = sum(other.family in mine for other in theirs) >= need and peer.subject.sort == fact.subject.sort
        if peer in things and index.akin(fact.subject.sort, peer.subject.sort):
            theirs = [peer]
        elif not alike:
            continue
        for other in theirs:
            if not _usual(index, fact, other):
                continue
            odd = other.rule in NOT_LACKED or other.condition or "(" in other.attribute
            if odd or other.family in mine or other.period is not None or other.subject.link != fact.subject.link:
                continue
            if other.rule is FactRule.CLAUSE and (
                "{}" not in CONTEXT.sub("", other.asked) or key(other.subject.bare) in key(other.asked)
            ):
                continue  # it would ask what another passage says
            words = f"{other.attribute} {other.rest if other.rule is FactRule.EVENT else ''}"
            stated = index.words.states(fact.subject.bare, words)
            if (
                stated
                or not _provable(index, fact.subject.bare, other)
                or (own and index.words.in_document(fact.document_id, words))
            ):
                continue
            moved = replace(other, subject=fact.subject, document_id=fact.document_id)
            return _asked(index, moved, fact, "no such property")
    return None


def _usual(index: FactIndex, fact: Fact, other: Fact) -> bool:
    """Whether papers of a sort have a property as a rule: the record of a grounding has no permit issuer."""
    subject = fact.subject
    if not subject.past and subject.link == "of":
        return True

    def alike(facts: Iterable[Fact]) -> set[str]:
        return {
            one.subject_key for one in facts if (one.subject.sort, one.subject.link) == (subject.sort, subject.link)
        }

    have = alike(index.by_property[other.family, other.kind])
    return len(have) > 1 and 2 * len(have) >= len(alike(index.by_property[fact.family, fact.kind]))


def _provable(index: FactIndex, subject: str, other: Fact) -> bool:
    """Whether no passage about the subject gives anything of the value's sort: a day, an amount, a figure of its unit.

    What is missing in these words may be there in others, so a fact of a sentence is lacked only where nothing that
    could be its value stands with the subject.
    """
    if other.rule in (FactRule.TABLE, FactRule.KEY_VALUE):
        return True
    sort = next((shape for shape in _SORTS if shape.search(other.value)), None)
    stated = other.rule in (FactRule.PROPERTY, FactRule.COUNT)
    if sort is None and stated and (unit := re.search(r"\d[\d,.]* ?(?P<unit>[A-Za-z²³/]+)", other.value)):
        sort = re.compile(rf"\d ?{re.escape(unit['unit'])}\b")
    if sort is None:
        return False
    near = " ".join(
        text for chunk, text in index.texts.items() if subject in index.headings[chunk] + text and sort.search(text)
    )
    return not (stems(near) & stems(other.attribute) - stems(subject) if other.rule is FactRule.PROPERTY else near)


def _of_document(index: FactIndex, fact: Fact) -> bool:
    """Whether a fact is about its document as a whole, whose passages need not repeat its name."""
    about = index.subjects.get(fact.document_id)
    return about is not None and about.words == fact.subject.words
