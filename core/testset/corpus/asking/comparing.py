"""Questions that compare, calculate or follow figures over time; the answer is worked out from what is stated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.judging.match.reference import read_reference
from core.testset.corpus.asking.index import FactIndex, capital, number_of, pairs, same_unit, series_of
from core.testset.corpus.asking.phrases import amount, be, counts, enumerated, noun, placed, then, time
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.labels import is_property
from core.testset.corpus.reading.vocabulary.periods import Period

FEWEST_IN_SERIES = 3
MOST_IN_SERIES = 6
_ENDS = tuple(
    f"{mark} {what} {end}" for mark in ("", ",") for what in ("ending", "beginning") for end in ("balance", "balances")
)
"""What follows a row in a table of the changes in it."""
_TOTAL = re.compile(r"^total (?P<what>.+)$")
_SHARE = re.compile(r"^(?P<what>.+?) for (?P<part>.+)$")
_LASTING = re.compile(r"(?<!per )\b(?:second|minute|hour|day|week|month|year)s?\b")
_DURATION = re.compile(r"(?:wait|notice|period|term|time|duration|length|validity|leave|warranty|pay|stay|delay|life)$")
_NO_COMPARISON = re.compile(
    r"\b(?:number|code|phone|fax|zip|postal|id|year|page|used|direction|setting|serial|runway used|latitude|longitude|register|licen[cs]e|(?:first|last|next) [a-z]+ed)\b"  # noqa: E501
)


def comparison(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """Two cells of one table: two periods of a row, two rows of a column, two records."""
    for fact in facts:
        if fact.rule is FactRule.CELL:
            yield from _of_periods(index, fact, same_document=True)
            yield from _of_rows(index, fact)
    records = [fact for fact in facts if fact.rule is FactRule.TABLE]
    yield from compared(index, QuestionKind.COMPARISON, records)


def _of_periods(
    index: FactIndex, fact: Fact, *, same_document: bool, kind: QuestionKind = QuestionKind.COMPARISON
) -> Iterator[DocumentQuestion]:
    for other in index.by_series[series_of(fact)]:
        higher = _higher(fact, other)
        if higher is None or (other.document_id == fact.document_id) is not same_document:
            continue
        assert fact.period is not None and other.period is not None  # noqa: PT018, S101
        if fact.period.identity == other.period.identity:
            continue
        if not same_document and (_states(index, fact, other.period) or _states(index, other, fact.period)):
            continue
        left, right = sorted((fact, other), key=lambda one: index.hash("shown", one.value, noun(one)))
        lower = other if higher is fact else fact
        difference = _difference(higher, lower)
        if difference and fact.unit and index.coin(fact):
            text = f"By how much {be(fact)} {then(higher, lower, 'higher')}, {fact.unit}?"
            yield index.question(kind, placed(text, fact.subject), difference, "difference", fact, other)
        else:
            which = "In which period" if fact.period.months else "On which date"
            text = f"{which} {be(fact)} {noun(fact, when=False)} higher: {_words(left)} or {_words(right)}?"
            yield index.question(kind, placed(text, fact.subject), _words(higher), "periods", fact, other)
        return


def _states(index: FactIndex, fact: Fact, period: Period) -> bool:
    """Whether the document of a figure gives the same row for another period, too."""
    return any(
        other.document_id == fact.document_id and other.period is not None and other.period.identity == period.identity
        for other in index.by_series[series_of(fact)]
    )


def _of_rows(index: FactIndex, fact: Fact) -> Iterator[DocumentQuestion]:
    """Two parts of one measure in one period: which was higher?"""
    assert fact.period is not None  # noqa: S101
    mine = _SHARE.match(fact.attribute)
    for other in index.by_column[fact.chunk_id, fact.table, fact.period.identity, fact.unit]:
        theirs = _SHARE.match(other.attribute)
        higher = _higher(fact, other)
        if higher is None or mine is None or theirs is None or mine["what"] != theirs["what"]:
            continue
        left, right = sorted((mine["part"], theirs["part"]), key=lambda part: index.hash("shown", part))
        share = _SHARE.match(higher.attribute)
        assert share is not None  # noqa: S101
        owner = noun(replace(fact, attribute=mine["what"]), when=False)
        text = f"{capital(time(fact.period, 'x for y'))}, {be(fact)} {owner} higher for {left} or for {right}?"
        yield index.question(QuestionKind.COMPARISON, placed(text, fact.subject), share["part"], "rows", fact, other)
        return


def trend(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """A row over three periods or more, over all filings; over two where there are no more."""
    for fact in facts:
        if fact.rule is not FactRule.CELL or fact.period is None:
            continue
        if not fact.period.months and any(index.words.has_phrase(f"{fact.attribute}{end}") for end in _ENDS):
            continue  # the changes in it give it for days on which no balance sheet was drawn up
        series = _series(index, fact)
        if len(series) >= FEWEST_IN_SERIES:
            ends = enumerated([_end(one) for one in series])
            length = fact.period.words.split(" ended ")[0] if " ended " in fact.period.words else ""
            over = f"over {_plural(length)} ended {ends}" if length else f"over {ends}"
            if not fact.period.months:
                over = f"from {_end(series[0])} to {_end(series[-1])}"
            have = "have" if be(fact) in ("were", "are") else "has"
            text = f"How {have} {noun(fact, when=False)} changed {over}?"
            yield index.question(QuestionKind.TREND, placed(text, fact.subject), _told(series), "series", *series)
        elif len(series) == 2:
            first, last = series
            assert first.period is not None and last.period is not None  # noqa: PT018, S101
            rise = (number_of(last) or 0) > (number_of(first) or 0)
            text = f"How did {noun(fact, when=False)} change from {_words(first)} to {_words(last)}?"
            reference = f"They {'rose' if rise else 'fell'} from {amount(first)} to {amount(last)}."
            if be(fact) == "was":
                reference = reference.replace("They", "It", 1)
            yield index.question(QuestionKind.TREND, placed(text, fact.subject), reference, "change", first, last)


def _series(index: FactIndex, fact: Fact) -> list[Fact]:
    """The figures of a row in the order of time, each period once, those of a fact's own document first."""
    by_end: dict[tuple[int, ...], Fact] = {}
    for other in sorted(index.by_series[series_of(fact)], key=lambda one: one.document_id != fact.document_id):
        if other.period is not None and number_of(other) is not None:
            by_end.setdefault(other.period.identity, other)
    ordered = [by_end[identity] for identity in sorted(by_end)]
    values = {one.value for one in ordered}
    return ordered[-MOST_IN_SERIES:] if len(values) > 1 else []


def _told(series: Sequence[Fact]) -> str:
    """The figures in the order of time, one sentence each, and what they did in all."""
    sentences = []
    for one in series:
        assert one.period is not None  # noqa: S101
        plural = "were" if be(one) in ("were", "are") else "was"
        sentences.append(f"{capital(time(one.period))}, {one.attribute} {plural} {amount(one)}.")
    return " ".join(sentences)


def _plural(length: str) -> str:
    """The length of several periods: "the three-month periods" for "the three months"."""
    words = length.removeprefix("the ")
    if words.endswith(" months"):
        return f"the {words.removesuffix(' months')}-month periods"
    return f"the {words}s"


def _end(fact: Fact) -> str:
    assert fact.period is not None  # noqa: S101
    return fact.period.words.rsplit(" ended ", 1)[-1]


def _words(fact: Fact) -> str:
    assert fact.period is not None  # noqa: S101
    return fact.period.words


def inference(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """A part as a percentage of its total; which of two subjects of one document has more, or was earlier."""
    for fact in facts:
        if fact.rule is FactRule.CELL and (question := _share(index, fact)):
            yield question
    others = [fact for fact in facts if fact.rule not in (FactRule.CELL, FactRule.TABLE, FactRule.LOOK_UP)]
    yield from compared(index, QuestionKind.INFERENCE, others)


def _share(index: FactIndex, fact: Fact) -> DocumentQuestion | None:
    mine = _SHARE.match(fact.attribute)
    value = number_of(fact)
    if mine is None or not value or fact.period is None or not fact.unit:
        return None
    for total in index.by_subject[fact.subject_key]:
        named = _TOTAL.match(total.attribute)
        whole = number_of(total)
        if named is None or named["what"] != mine["what"] or not whole or total.period is None:
            continue
        same = (total.chunk_id, total.unit, total.period.identity) == (fact.chunk_id, fact.unit, fact.period.identity)
        if not same or not 0 < value < whole:
            continue
        percent = (Decimal(str(value)) / Decimal(str(whole)) * 100).quantize(Decimal("0.1"))
        text = (
            f"What percentage of {noun(total)} was for {mine['part']}, to one decimal place?"
            if re.search(r"\b(?:costs?|expenses?|assets|liabilities)\b", mine["what"])
            else f"What percentage of {noun(total)} came from {mine['part']}, to one decimal place?"
        )
        return index.question(QuestionKind.INFERENCE, placed(text, fact.subject), f"{percent}%", "share", fact, total)
    return None


def compared(index: FactIndex, kind: QuestionKind, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """Which of two subjects of one document has more of a property, or had it earlier."""
    fit = [
        fact
        for fact in facts
        if not fact.condition and fact.kind in ("number", "date") and not _NO_COMPARISON.search(fact.attribute)
    ]
    for fact, other in pairs((fact, index.near(index.by_property[fact.family, fact.kind], fact)) for fact in fit):
        greater = _greater(fact, other)
        if greater is None or fact.document_id != other.document_id or other.condition:
            continue
        if fact.subject.sort != other.subject.sort:
            continue
        if fact.period is not None or other.period is not None:
            continue
        left, right = sorted((fact, other), key=lambda one: index.hash("shown", one.subject.words, one.value))
        text = _which(fact, left.subject.words, right.subject.words)
        if fact.subject.within != other.subject.within:
            continue
        text = placed(text, fact.subject)
        if text:
            reference = (fact if greater == (fact.kind == "number") else other).subject.bare.strip('"')
            yield index.question(kind, text, reference, "comparison", fact, other)


def several(fact: Fact) -> bool:
    """Whether a fact's document is called by the names of several things, or by the number of a sheet of them."""
    about = fact.subject
    names = about.bare.strip('"')
    joined = re.search(r"[a-z\d] and [A-Z]|[a-z\d], [A-Z]| / ", names) is not None
    return (joined and fact.rule is not FactRule.EVENT) or re.search(r"\b[A-Za-z]+s \d+$", names) is not None


def _which(fact: Fact, left: str, right: str) -> str:
    two = f"{left} or {right}"
    if fact.rule is FactRule.EVENT:
        if not fact.verb:
            return f"Which {fact.attribute} earlier, {two}?"
        return f"Which was {fact.attribute}{f' {fact.rest}' if fact.rest else ''} earlier, {two}?"
    if fact.rule is FactRule.COUNT:
        return f"Which {fact.verb} more {fact.attribute}, {two}?"
    if fact.rule not in (FactRule.TABLE, FactRule.KEY_VALUE, FactRule.PROPERTY):
        return ""
    participle = re.fullmatch(r"(?P<verb>[a-z]+ed|born)(?: (?:on|in))?", fact.attribute)
    if participle:
        return f"Which was {participle['verb']} earlier, {two}?" if fact.kind == "date" else ""
    word = _more(fact)
    if not word:
        return ""
    if fact.subject.link == "for":
        return f"Is the {fact.attribute} {word} for {left} or for {right}?"
    if fact.subject.link == "in":
        return f"In which {fact.subject.sort} was the {fact.attribute} {word}, {two}?" if fact.subject.sort else ""
    return f"Which has the {word} {fact.attribute}, {two}?"


def _more(fact: Fact) -> str:
    """How a greater value is called: a fee is higher, a wait longer, a day earlier; empty where nothing fits."""
    if fact.kind != "number":
        return "earlier"
    if counts(fact) or re.match(r"[a-z]+est |maximum |minimum ", fact.attribute):
        return ""  # "Which has the longer longest term?"
    if re.search(r"(?:length|width|height|depth|weight|distance|diameter|thickness)$", fact.attribute):
        return "greater"
    if _LASTING.search(f"{fact.value} {fact.unit}"):
        return "longer" if _DURATION.search(fact.attribute) else ""
    if re.search(r"(?:area|size|volume|capacity|population)$", fact.attribute):
        return "larger"
    return "higher" if is_property(fact.attribute) and not fact.attribute.endswith("hours") else ""


def _higher(fact: Fact, other: Fact) -> Fact | None:
    mine, theirs = number_of(fact), number_of(other)
    if mine is None or theirs is None or mine == theirs or not same_unit(fact, other):
        return None
    return fact if mine > theirs else other


def _difference(higher: Fact, lower: Fact) -> str:
    left, right = read_reference(higher.value).number, read_reference(lower.value).number
    if left is None or right is None:
        return ""
    return f"{left.value - right.value:,f}"


def _greater(fact: Fact, other: Fact) -> bool | None:
    """Whether the first value is greater or later; None where they are equal or cannot be compared."""
    higher = _higher(fact, other)
    if higher is not None:
        return higher is fact
    left, right = read_reference(fact.value), read_reference(other.value)
    if left.date is not None and right.date is not None:
        a, b = left.date.readings, right.date.readings
        if len(a) > 1 or len(b) > 1 or not (a[0].year and b[0].year) or a[0].year == b[0].year:
            return None
        return a[0].year > b[0].year
    return None


def across(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """Comparisons of two periods that need two filings; of those of a property in two reports 10 of 16 were good."""
    for fact in facts:
        if fact.rule is FactRule.CELL:
            yield from _of_periods(index, fact, same_document=False, kind=QuestionKind.MULTI_DOCUMENT)
