"""Questions that join facts: two of one subject in two passages, a bridge, the same property in two documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.judging.match.readers.normalise import key
from core.testset.corpus.asking.comparing import across
from core.testset.corpus.asking.index import MOST_PARTNERS, FactIndex, pairs
from core.testset.corpus.asking.phrases import PROPERTIES, ask, be, lowered, noun
from core.testset.corpus.reading.facts import Fact, FactRule

_SHORT = 8
"""Words of a value that can stand beside another in one answer."""
_PERSONAL = frozenset({"born", "hired", "job title", "position", "role", "date of birth"})
"""Properties that only people have."""
_PARTICIPLE = re.compile(r"\b\w+ (?:on|in|to|by|from|at)$")


def multi_hop(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """What two passages say about one subject, or a property of what another fact names."""
    alone = [fact for fact in facts if not fact.condition and len(fact.value.split()) <= _SHORT]
    named = [fact for fact in alone if fact.kind == "text" and _can_bridge(fact)]
    for fact, other in pairs((fact, _about_value(index, fact)) for fact in named):
        text = _bridge(index, fact, other)
        if text:
            yield index.question(QuestionKind.MULTI_HOP, text, other.value, "bridge", fact, other)
    for fact, other in pairs((fact, _partners(index, fact)) for fact in alone):
        text = _both(fact, other)
        if text:
            answer = f"{fact.value}; {other.value}"
            yield index.question(QuestionKind.MULTI_HOP, text, answer, "shared subject", fact, other)


def _can_bridge(fact: Fact) -> bool:
    return fact.rule in PROPERTIES and fact.rule is not FactRule.CELL


def _about_value(index: FactIndex, fact: Fact) -> list[Fact]:
    """Properties of what a fact's value names, stated in another passage."""
    subject = key(re.sub(r"^(?:the|an?) ", "", fact.value, flags=re.IGNORECASE))
    others = (
        other
        for other in index.by_subject.get(subject, ())
        if other.chunk_id != fact.chunk_id
        and not other.condition
        and other.rule in PROPERTIES | {FactRule.EVENT, FactRule.COUNT, FactRule.PLACE}
        and other.subject_key != fact.subject_key
        and key(other.value) != fact.subject_key
    )
    return list(islice(others, MOST_PARTNERS))


def _bridge(index: FactIndex, fact: Fact, other: Fact) -> str:
    """The second fact asked about what the first one names, without naming it."""
    participle = re.fullmatch(r"(?P<verb>[a-z]+) by", fact.attribute)
    if participle:
        personal = any(one.attribute in _PERSONAL for one in index.by_subject[other.subject_key])
        if not personal:
            return ""
        described = f"the person who {participle['verb']} {fact.subject.words}"
    elif _PARTICIPLE.search(fact.attribute) or fact.attribute.startswith("contact"):
        return ""
    else:
        described = noun(fact)
    question = ask(other)
    name = other.subject.words
    if name not in question or question.count(name) > 1 or other.subject.link == "'s":
        return ""
    return question.replace(name, described)


def _partners(index: FactIndex, fact: Fact) -> list[Fact]:
    """Facts about the same subject in other passages, of another property, told in the same way."""
    others = (
        other
        for other in index.by_subject.get(fact.subject_key, ())
        if other.chunk_id != fact.chunk_id
        and not other.condition
        and other.family != fact.family
        and len(other.value.split()) <= _SHORT
    )
    return list(islice(others, MOST_PARTNERS))


def _both(fact: Fact, other: Fact) -> str:
    """One question for two properties of one subject; empty where they do not go together."""
    # Two fields of a form, or two cells, are not what a person asks for together: 2 of 10 read well.
    if {fact.rule, other.rule} & {FactRule.KEY_VALUE, FactRule.CELL}:
        return ""
    if fact.rule in PROPERTIES and other.rule in PROPERTIES:
        if _PARTICIPLE.search(fact.attribute) or _PARTICIPLE.search(other.attribute):
            return ""
        same_time = (fact.period and fact.period.identity) == (other.period and other.period.identity)
        if not same_time or fact.unit != other.unit:
            return ""
        past = be(fact) in ("was", "were")
        subject = fact.subject
        unit = f", {fact.unit}" if fact.unit else ""
        when = f" {fact.period.phrase}" if fact.period else ""
        owner = (
            f"{subject.words}’s {fact.attribute} and {other.attribute}"
            if subject.link == "'s"
            else f"the {fact.attribute} and the {other.attribute} {subject.link} {subject.words}"
        )
        return f"What {'were' if past else 'are'} {owner}{when}{unit}?"
    first, second = ask(fact), ask(other)
    told = (FactRule.EVENT, FactRule.AGENT, FactRule.PLACE, FactRule.COUNT)
    if fact.rule not in told or other.rule not in told or not first or not second:
        return ""
    name = fact.subject.words
    pronoun = "it" if not re.match(r"(?:Who|When) (?:was|were) .* born", second) else "this person"
    if second.count(name) != 1 or fact.verb in ("were", "are", "have") or other.verb in ("were", "are", "have"):
        return ""
    return f"{first.removesuffix('?')}, and {lowered(second.replace(name, pronoun))}"


def multi_document(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """What two documents say about one property, compared or side by side."""
    yield from across(index, facts)
    fit = [
        fact
        for fact in facts
        if fact.rule in PROPERTIES
        and fact.rule is not FactRule.CELL
        and not fact.condition
        and fact.period is None
        and not _PARTICIPLE.search(fact.attribute)
        and len(fact.value.split()) <= _SHORT
    ]
    near = ((fact, index.near(index.by_property[fact.family, fact.kind], fact)) for fact in fit)
    for fact, other in pairs(near):
        apart = fact.document_id != other.document_id and fact.subject.sort == other.subject.sort
        if not apart or fact.subject.link != other.subject.link or fact.subject.link == "'s" or other.condition:
            continue
        if key(fact.value) == key(other.value) or len(other.value.split()) > _SHORT:
            continue
        first, was = ask(fact).removesuffix("?"), be(fact)
        if not first.startswith(("What ", "Who ")):
            continue
        that = ("those" if was in ("are", "were") else "that") if fact.subject.link == "of" else "it"
        that = "they" if that == "it" and was in ("are", "were") else that
        who = lowered(first.split()[0])
        text = f"{first}, and {who} {was} {that} {fact.subject.link} {other.subject.words}?"
        yield index.question(QuestionKind.MULTI_DOCUMENT, text, f"{fact.value}; {other.value}", "each", fact, other)
