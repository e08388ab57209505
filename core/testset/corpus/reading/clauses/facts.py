"""Facts from the clauses of plain sentences, tied to what their document is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.clauses.grammar import Clause, parsed
from core.testset.corpus.reading.clauses.specific import heading_above, is_specific, takes_up
from core.testset.corpus.reading.clauses.splitting import parts_of
from core.testset.corpus.reading.clauses.wording import property_of, questions_of
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.labels import Labels, is_plural
from core.testset.corpus.reading.naming.subjects import Subject, context_of
from core.testset.corpus.reading.prose import names_itself
from core.testset.corpus.reading.values import tells

_PRONOUN = re.compile(r"(?:it|they)$", re.IGNORECASE)
_OWNED = re.compile(r"(?:its|their) (?P<noun>[\w'’ -]+)$", re.IGNORECASE)
_DEICTIC = re.compile(
    r"(?:this|that|these|those|such|here|there|he|she|we|you|i|what|who|which|each|both|all|some|many|most|several|few|"
    r"hence|thus|therefore|thereby|otherwise|instead|moreover|furthermore|additionally|finally|consequently|note|"
    r"another|one|his|her|our|your|my|to|for|in|on|as|by|with|from|of|at|when|where|while|after|before|however|then)\b",
    re.IGNORECASE,
)
_SAYS_WHAT = re.compile(r"The [a-z][\w-]* (?:is|was) an? ")
_DANGLES = re.compile(
    r"how much (?:\S+ ){7,}(?:for|with|at|in|to|by|of)\?$|how much (?:may|can|is|are|was|were) .+ for an? \w+\?$"
)
"""An amount whose preposition is left at the end, or lost: "for £280 a day" as "for a day"."""
_THIS_TEXT = re.compile(
    r" (?:of|in|under) this (?:policy|procedure|document|guideline|manual|standard|page|report|instruction|chapter|section)\b"  # noqa: E501
)
_RELATIVE = re.compile(
    r"\b(?:latter|former|rival|same|other|others|next|last|first|second|third|following|above|new|old|rest|remaining|resulting|result)\b"
)
_FIGURE = re.compile(r"(?: of)? ?\b(?:(?:EUR|USD|GBP|CHF) )?\d[\d,.]*(?: ?%| (?:EUR|USD|GBP|CHF)\b)?")
_ARTICLE = re.compile(r"^(?:The|An?|Every|Any|Two|Three|No) ")


@dataclass(slots=True)
class Told:
    """What the sentences so far were about: whether "it" is the document's subject."""

    about: bool


def clause_facts(
    chunk: Chunk, sentence: str, place: tuple[int, int], about: Subject | None, labels: Labels, told: Told
) -> Iterator[Fact]:
    """The facts of one sentence, in its order.

    Args:
        chunk: Where it stands.
        sentence: The sentence, tidied.
        place: Its place in the chunk.
        about: What the document is about; None where it has no name that tells it from all others.
        labels: Letter case of the collection.
        told: What the sentences before it were about; brought up to date.
    """
    if (
        about is not None
        and _SAYS_WHAT.match(sentence)
        and not _names(sentence.split(" is ")[0].split(" was ")[0], about)
    ):
        return  # "The account is a savings product and ..." is about another thing than its page
    for part in parts_of(_THIS_TEXT.sub(lambda match: match[0].replace("this", "the"), sentence)):
        clause = parsed(part)
        subject_words = clause.subject if clause is not None else " ".join(part.words.split()[:6])
        pointed = told.about
        told.about = _still(subject_words, about, told)
        if clause is None:
            continue
        before = chunk.text[: place[0]]
        if _anaphoric(clause.subject, before, about):
            continue
        heading = heading_above(chunk.text, place[0], chunk.section[-1] if chunk.section else "")
        past = clause.auxiliary in ("was", "were", "did", "had")
        for fact in _facts(chunk, clause, place, about, labels, pointed=pointed):
            own = about is not None and about.link == "of" and not about.topic
            placed = fact.asked.startswith(("According to ", "For ")) and ", " in fact.asked
            asked = fact.asked.split(", ", 1)[1] if placed else fact.asked
            answers = key(fact.value) in key(clause.subject) and not clause.condition
            subject = "" if answers else clause.subject
            known = f"{about.words} {about.sort} {heading}" if about is not None else heading
            if _DANGLES.match(asked.lower()):
                continue  # "How much was it bought from a colliery in 1972 for?"
            if not takes_up(asked, before, known) and (
                (own and subject) or is_specific(asked, subject, heading, about, chunk.document_id, labels, past=past)
            ):
                yield fact


def _is_paper(about: Subject | None) -> bool:
    """Whether a document is a paper that its title in quotes names, beside which others may say it otherwise."""
    return about is not None and about.words.startswith('"')


def _anaphoric(words: str, before: str, about: Subject | None) -> bool:
    """Whether a definite subject takes up what was named before, so that its words alone do not say which.

    The first mention of "the tank" is the one tank of what the document is about. After "this procedure", "the
    procedure" is the document's own.
    """
    match = re.fullmatch(r"[Tt]he (?P<noun>[a-z][\w-]*)", words)
    if match is None or (about is not None and match["noun"] == about.sort):
        return False
    noun = re.escape(match["noun"])
    named = re.search(rf"\b{noun}s?\b", before, re.IGNORECASE)
    return named is not None and not re.search(rf"\b[Tt]his {noun}\b", before)


def _still(words: str, about: Subject | None, told: Told) -> bool:
    """Whether "it" in the next clause is what the document is about, after one with this subject."""
    if about is None:
        return False
    if _names(words, about):
        return True
    people = re.match(r"(?:it|its|there)\b", words, re.IGNORECASE) or is_plural(words)
    return told.about and bool(people)


def _names(words: str, about: Subject) -> bool:
    bare = key(re.sub(r"^(?:the|an?) ", "", words, flags=re.IGNORECASE))
    return bare in about.keys or bare.endswith(f" {key(about.bare)}")


def _facts(
    chunk: Chunk, clause: Clause, place: tuple[int, int], about: Subject | None, labels: Labels, *, pointed: bool
) -> Iterator[Fact]:
    if about is not None and not about.link:
        about = replace(about, within="")  # the question itself says it first
    base = Fact(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        rule=FactRule.CLAUSE,
        subject=about or Subject(words=chunk.document_id),
        attribute="",
        value="",
        kind="",
        start=place[0],
        end=place[1],
    )
    stated = property_of(clause)
    if stated is not None:
        if about is not None and (pointed or not clause.subject.startswith("Its")):
            yield from _property(base, *stated, about, clause)
        return
    subject, context = _subject(clause.subject, about, labels, pointed=pointed)
    if not subject:
        return
    for asked in questions_of(clause, subject):
        if (
            not context
            and "{}" not in asked.question
            and (_is_paper(about) or re.search(r"\b(?:the|The) [a-z]", _elsewhere(asked.question, subject)))
        ):
            if about is None:
                continue  # which product, which procedure: nothing says it
            asked = replace(
                asked,
                question=_within(asked.question, context_of(about), about),
                statement=asked.statement and _within(asked.statement, context_of(about), about),
            )
        own_subject = (
            about if about is not None and (context or "{}" in asked.question) else Subject(words=clause.subject)
        )
        if not tells(asked.value) or (about is not None and _which_of_several(asked.question, about)):
            continue
        yield replace(
            base,
            subject=own_subject,
            attribute=f"{asked.ask} {asked.attribute}".strip(),
            value=asked.value,
            kind=read_reference(asked.value).kind,
            asked=_within(asked.question, context, about),
            stated=_within(asked.statement, context, about) if asked.statement else "",
        )


def _property(base: Fact, noun: str, value: str, about: Subject, clause: Clause) -> Iterator[Fact]:
    """A property of what the document is about, such as its payload."""
    if not tells(value):
        return
    if _which_of_several(f"the {noun}?", about):
        return
    fact = replace(base, attribute=noun, value=value, kind=read_reference(value).kind)
    if about.link == "of" and not about.topic and key(about.bare) not in key(noun) and " of the " not in noun:
        yield replace(fact, rule=FactRule.PROPERTY)
        return
    what = "Who" if fact.kind == "text" and not re.search(r"\d", value) else "What"
    yield replace(
        fact,
        asked=_within(f"{what} {clause.auxiliary} the {noun}?", context_of(about), about),
        stated=_within(f"{clause.auxiliary.capitalize()} the {noun} []?", context_of(about), about),
    )


def _which_of_several(question: str, about: Subject) -> bool:
    """Whether "the cruise" is one of those that a page lists by its title: "Cruise reports, batch 11"."""
    title = set(re.findall(r"[a-z]+", about.words.casefold()))
    numbered = about.link != "of" and re.search(r"[\d,/]", about.words)
    nouns = re.findall(r"\bthe ([a-z]+)\b", question)
    return any(f"{noun}s" in title or (numbered and noun in title) for noun in nouns)


def _elsewhere(question: str, subject: str) -> str:
    return question.replace(subject, "", 1)


def _within(question: str, context: str, about: Subject | None) -> str:
    named = about is not None and key(about.bare) in key(question)
    return f"{context}, {question[:1].lower() + question[1:]}" if context and not named else question


def _subject(words: str, about: Subject | None, labels: Labels, *, pointed: bool) -> tuple[str, str]:
    """A clause's subject as its question names it, and what the question says first; the first is empty where it is unclear."""  # noqa: E501
    if _PRONOUN.match(words):
        return (
            ("{}", "")
            if about is not None and pointed and about.link == "of" and words.casefold() == "it"
            else ("", "")
        )
    if owned := _OWNED.fullmatch(words):
        return (
            (f"the {owned['noun']} of {{}}", "") if about is not None and pointed and about.link == "of" else ("", "")
        )
    own_sort = about is not None and about.sort and re.fullmatch(rf"the {re.escape(about.sort)}", words, re.IGNORECASE)
    if about is not None and (_names(words, about) or own_sort):
        return "{}", ""
    if _DEICTIC.match(words) or _RELATIVE.search(words):
        return "", ""
    small = _lowered(words, labels)
    if not small or words.split()[0].endswith("ing"):
        return "", ""
    bare = _FIGURE.sub("", words).strip()
    if bare and names_itself(bare, labels):
        return small, ""
    return (small, context_of(about)) if about is not None else ("", "")


def _lowered(words: str, labels: Labels) -> str:
    """A subject inside a question; empty where its first word may be a name or not."""
    first, *rest = words.split()
    if _ARTICLE.match(words):
        return words[:1].lower() + words[1:]
    bare = re.sub(r"['’]s?$", "", first)
    if not first[1:].islower() or labels.is_name(bare) or (rest and rest[0][:1].isupper()):
        return words
    if labels.is_common(bare) or (is_plural(words) and is_plural(first)) or not first[:1].isupper():
        return words[:1].lower() + words[1:]
    return ""
