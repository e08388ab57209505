"""The wording of questions made by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase

from core.testset.corpus.asking.participles import PARTICIPLE, preposition, titled, when_done, whether_done
from core.testset.corpus.asking.standing import is_said_first, runs_on
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fitting import is_counted
from core.testset.corpus.reading.labels import head_noun, is_plural, is_property
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.prose import HAPPENED
from core.testset.corpus.reading.vocabulary.common_words import DOES, FIRM, PERSON
from core.testset.corpus.reading.vocabulary.periods import Period

PROPERTIES = frozenset({FactRule.CELL, FactRule.TABLE, FactRule.LOOK_UP, FactRule.KEY_VALUE, FactRule.PROPERTY})
_NAME = re.compile(r"(?:(?:Mr|Ms|Mrs|Dr)\.? )?[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]*){1,3}(?:, .*)?$")
_BY_PROFESSION = re.compile(
    r"(?:an?|the) (?:[\w'’-]+ (?:and )?){0,5}(?:actor|actress|singer|author|politician|player|rapper|writer|footballer|"
    r"director|character|composer|painter|scientist|lawyer|king|queen|president|minister|officer|physician|manager|"
    r"musician|songwriter|journalist|poet|artist|engineer|professor|economist|employee|person|woman|man)\b"
)
_WHOLE = re.compile(r"(?:location|date|time|date and time|(?:\w+ )?cause|place|report date|category)$")
"""Properties of an event itself, where others are of things in it."""
_ENDS_WITH_LINK = re.compile(r" (?:in|to|of|by|on|for|at|from|with|as|under|or)$")
_PAID_NOUN = re.compile(r"\w+ (?:\w+ed|paid|held|due|sold|bought|made|given)$")
"""A noun with its participle, which is a statement and no property: "interest paid"."""
_PHRASE = re.compile(r"[A-Z][a-z]+ (?:[a-z]+ )*(?!(?:and|of|the|for|in|de|von|van|der|da|al)\b)[a-z]+\b")
"""A value that stands in a table as a sentence begins, and would need an article or a small letter in a question."""
_KINDS = re.compile(r"\d+ (?:kinds?|sorts?|types?|pieces?|people|persons)")
_PERSONAL = re.compile(r"\b(?:medical|ratings?|certifications?|licen[cs]e|exam|age|toxicology|occupation)\b")
"""What a person has, and no event."""
_PEOPLE = re.compile(r"\b(?:persons|people|participants|attendees)$")
_BASES = {
    "has": "have",
    "had": "have",
    "contains": "contain",
    "comprises": "comprise",
    "includes": "include",
    "employs": "employ",
    "consists of": "consist of",
    "seats": "seat",
    "offers": "offer",
    "increased": "increase",
    "decreased": "decrease",
    "declined": "decline",
    "fell": "fall",
    "rose": "rise",
    "grew": "grow",
}
_OF_A_TEXT = frozenset(
    [
        "owner",
        "author",
        "version",
        "status",
        "scope",
    ]
)
"""Properties in one word that a text, or what it reports, is asked for."""
_OF_ITS_MAKING = re.compile(
    r"(?:date of (?:the )?)?(?:(?:last|next|previous|first) )?"
    r"(?:review|revision|approval|issue|publication|update|adoption)"
    r"(?: date)?$|(?:effective|commencement) date$"
)
"""Properties that a text has, and what it tells of has not."""
_PUBLISHED = re.compile(
    r"(?:date of (?:the )?)?(?:publish|publication|release|print|issue|revision|version)(?: date)?$"
)
"""What a report has, and not the event that it tells of."""
_FIRMS = re.compile(
    r"\b(?:supplier|manufacturer|maker|insurer|contractor|vendor|publisher|landlord|distributor|applicant)$"
)
"""What a firm is to a thing, whatever its name looks like."""
_SIGNS = {"dollars": "$", "euros": "€", "pounds": "£"}


def ask(fact: Fact) -> str:
    """The question that the fact's value answers; empty where it cannot be asked as a person would."""
    return _opened(_question(fact), fact)


def ask_whether(fact: Fact, value: str) -> str:
    """The yes/no question whether the fact's value is the given one; empty where there is no plain one."""
    return _opened(_statement(fact, value), fact)


def noun(fact: Fact, *, when: bool = True) -> str:
    """The property of its subject as a noun: "Apple's total net sales for the three months ended April 1, 2023"."""
    words = _tied(fact.subject, fact.attribute)
    return f"{words} {time(fact.period, fact.attribute)}" if when and fact.period else words


def then(fact: Fact, other: Fact, word: str) -> str:
    """A property in one period against another: "Apple's net income higher for 2023 than for 2022"."""
    assert fact.period is not None and other.period is not None  # noqa: PT018, S101
    mine, theirs = (
        f"{'in' if ' for ' in f' {fact.attribute} ' or period.named else 'for'} {period.words}"
        if period.months
        else f"on {period.words}"
        for period in (fact.period, other.period)
    )
    return f"{noun(fact, when=False)} {word} {mine} than {theirs}"


def time(period: Period, attribute: str = "") -> str:
    """A period with the preposition that reads best behind a property."""
    phrase = period.phrase
    return f"in {phrase[4:]}" if phrase.startswith("for ") and " for " in f" {attribute} " else phrase


def amount(fact: Fact, value: str = "") -> str:
    """A value as a person says it: "$94,836 million" where the figure is in millions of dollars."""
    figure = value or fact.value
    if not fact.unit or figure.endswith("%"):
        return figure
    unit, _, rate = fact.unit.removeprefix("in ").partition(" per ")
    if rate or unit in ("pence", "cents", "cent"):
        figure = f"{_SIGNS[unit]}{figure}" if unit in _SIGNS else f"{figure} {unit}"
        return f"{figure} per {rate}" if rate else figure
    words = unit.split(" of ")
    scale = words[0].removesuffix("s") if words[0] in ("thousands", "millions", "billions") else ""
    currency = words[-1] if words[-1] in (*_SIGNS, "Swiss francs") else ""
    figure = f"{_SIGNS[currency]}{figure}" if currency in _SIGNS else figure
    figure = f"{figure} {scale}" if scale else figure
    if scale and not currency and len(words) > 1:
        return f"{figure} {words[-1]}"
    if not scale and not currency:
        return f"{figure}%" if words[0] == "percent" else f"{figure} {unit}"
    return f"{figure} Swiss francs" if currency == "Swiss francs" else figure


def be(fact: Fact) -> str:
    """The verb of a property: of the past for what is over, plural for plural names."""
    plural = is_plural(fact.attribute) or (" and " in fact.attribute and fact.rule is FactRule.KEY_VALUE)
    past = fact.period is not None or fact.subject.past
    return {(True, True): "were", (True, False): "are", (False, True): "was", (False, False): "is"}[plural, past]


def with_options(question: str, options: Sequence[str]) -> str:
    """A question with the answers it offers, one a line."""
    listed = "\n".join(f"{letter}) {option}" for letter, option in zip(ascii_uppercase, options, strict=False))
    return f"{question} Answer with the words of one option.\n{listed}"


def lowered(question: str) -> str:
    """A question behind the beginning of a sentence."""
    return question[:1].lower() + question[1:]


def enumerated(words: Sequence[str]) -> str:
    """Things in a row.

    >>> enumerated(["a", "b", "c"])
    'a, b and c'
    """
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def base(verb: str) -> str:
    """A verb after "did" or "does"."""
    return _BASES.get(verb, verb)


def _tied(subject: Subject, attribute: str) -> str:
    if subject.link == "'s":
        return f"{subject.words}{'’' if subject.words.endswith('s') else '’s'} {attribute}"
    link = "of" if subject.link == "in" and _WHOLE.match(attribute) and subject.sort else subject.link
    quoted = link == "in" and subject.words.startswith('"')
    link = "of" if (link == "for" or quoted) and PERSON.fullmatch(attribute) else link
    own = attribute in _OF_A_TEXT or _OF_ITS_MAKING.match(attribute) or PERSON.fullmatch(attribute)
    if own and (quoted or (subject.topic and link == "of")) and not subject.words.startswith("the "):
        return f'the {attribute} of "{subject.words.strip(chr(34))}"'
    if not link:
        return f"the {attribute}"  # what says where it stands comes first
    if subject.topic and link == "of" and not subject.words.startswith("the "):
        return f'the {attribute} in "{subject.words}"'  # a title that nobody says of a thing
    return f"the {attribute} {link} {subject.words}"


def _opened(question: str, fact: Fact) -> str:
    """A question with its condition or the place of its table in front, where it has one."""
    said = f"{fact.condition}, {lowered(question)}" if question and fact.condition else question
    return placed(said, fact.subject)


def placed(question: str, subject: Subject) -> str:
    """A question behind what says in which table or list its subject stands."""
    return f"{subject.within}, {lowered(question)}" if question and subject.within else question


def _question(fact: Fact) -> str:
    subject, attribute = fact.subject.words, fact.attribute
    was = "were" if fact.verb in ("were", "are") else "was"
    match fact.rule:
        case FactRule.DEFINITION:
            if fact.verb == "means":
                return f"What does {subject} mean?"
            return f"{'Who' if _BY_PROFESSION.match(fact.value) else 'What'} {fact.verb} {subject}?"
        case FactRule.EVENT:
            if not fact.verb:
                did = "does" if fact.attribute.endswith("s") else "did"
                return f"When {did} {subject} {HAPPENED[fact.attribute]}{_spaced(fact.rest)}?"
            return f"When {was} {subject} {attribute}{_spaced(fact.rest)}?"
        case FactRule.AGENT:
            return f"Who {was} {subject} {attribute} by?"
        case FactRule.PLACE:
            return f"Where {fact.verb} {subject} {attribute}?"
        case FactRule.COUNT:
            return f"How many {attribute} {_does(fact)} {subject} {base(fact.verb)}?"
        case FactRule.CAUSE:
            return f"Why did {subject} {base(fact.verb)}{_spaced(fact.rest)}?"
        case FactRule.CLAUSE | FactRule.LOOK_UP:
            return fact.asked.replace("{}", subject)
        case FactRule.SHORT_FORM:
            return f"What does {subject} stand for?"
        case _:
            return _property_question(fact)


def _property_question(fact: Fact) -> str:
    participle = PARTICIPLE.fullmatch(fact.attribute)
    if not _asked_of(fact) or _is_of_somebody(fact):
        return ""
    if participle is not None:
        return when_done(fact, participle)
    if (
        (PERSON.fullmatch(fact.attribute) or DOES.search(fact.attribute))
        and _NAME.match(fact.value)
        and not is_plural(fact.attribute)
    ):
        attribute = fact.attribute.removesuffix(" name")
        return f"Who {be(fact)} {noun(replace(fact, attribute=attribute))}?"
    if _ENDS_WITH_LINK.search(fact.attribute) or (_PAID_NOUN.search(fact.attribute) and fact.rule is not FactRule.CELL):
        return ""
    if _PEOPLE.search(fact.attribute) or _own_kind(fact):
        return ""
    firm = FIRM.search(fact.attribute) and fact.kind == "text" and fact.value[:1].isupper()
    if firm or fact.attribute in ("owner", "author"):
        return _of_text(f"Who {be(fact)} {noun(fact)}?", fact)
    unit = f", {fact.unit}" if fact.unit else ""
    if counts(fact) and is_counted(fact.attribute):
        return f"How many {fact.attribute} does {fact.subject.words} have?"
    return _of_text(f"What {be(fact)} {noun(fact)}{unit}?", fact)


def _of_text(question: str, fact: Fact) -> str:
    """A question with the title of its text in front and not behind."""
    tied, title = noun(fact), f'"{fact.subject.words.strip(chr(34))}"'
    if fact.rule is FactRule.CELL or fact.subject.within or not tied.endswith(f" in {title}"):
        return question
    return f"According to {title}, {lowered(question.replace(tied, tied.removesuffix(f' in {title}')))}"


def _statement(fact: Fact, value: str) -> str:
    subject, attribute = fact.subject.words, fact.attribute
    match fact.rule:
        case FactRule.EVENT:
            if not fact.verb:
                did = "Does" if fact.attribute.endswith("s") else "Did"
                happen = f"{HAPPENED[fact.attribute]}{_spaced(fact.rest)}"
                return f"{did} {subject} {happen} {preposition(value)} {value}?"
            was = "Were" if fact.verb == "were" else "Was"
            return f"{was} {subject} {attribute}{_spaced(fact.rest)} {preposition(value)} {value}?"
        case FactRule.AGENT:
            return f"{'Were' if fact.verb in ('were', 'are') else 'Was'} {subject} {attribute} by {value}?"
        case FactRule.PLACE:
            return f"{fact.verb.capitalize()} {subject} {attribute} {fact.rest} {value}?"
        case FactRule.COUNT:
            return f"{_does(fact).capitalize()} {subject} {base(fact.verb)} {value} {attribute}?"
        case FactRule.CLAUSE | FactRule.LOOK_UP:
            return fact.stated.replace("{}", subject).replace("[]", value)
        case FactRule.DEFINITION | FactRule.CAUSE | FactRule.SHORT_FORM:
            return ""
        case _:
            return _property_statement(fact, value)


def _asked_of(fact: Fact) -> bool:
    """Whether a field of one word is asked of a title in quotes: the owner is, "Room" or "Chair" is not.

    Nor is what is counted ("What are the seats?").
    """
    if fact.rule in (FactRule.KEY_VALUE, FactRule.TABLE) and counts(fact):
        return fact.rule is FactRule.TABLE and is_counted(fact.attribute) and fact.subject.link == "of"
    of_a_text = titled(fact) and fact.rule is FactRule.KEY_VALUE
    if of_a_text and not fact.subject.link and _NAME.match(fact.value) and DOES.search(fact.attribute):
        return True
    return not of_a_text or " " in fact.attribute or fact.attribute in _OF_A_TEXT or fact.attribute.endswith("ed")


def _property_statement(fact: Fact, value: str) -> str:
    if not _asked_of(fact) or _is_of_somebody(fact):
        return ""
    participle = PARTICIPLE.fullmatch(fact.attribute)
    if participle is not None:
        return whether_done(fact, participle, value)
    if _ENDS_WITH_LINK.search(fact.attribute) or (_PAID_NOUN.search(fact.attribute) and fact.rule is not FactRule.CELL):
        return ""
    if fact.rule is FactRule.KEY_VALUE and (not fact.spoken or is_plural(fact.attribute)):
        return ""
    if _PEOPLE.search(fact.attribute) or _own_kind(fact):
        return ""
    if counts(fact) and is_counted(fact.attribute):
        return f"Does {fact.subject.words} have {value} {fact.attribute}?"
    said = fact.spoken if value == fact.value and fact.spoken else amount(fact, value)
    named = noun(fact)
    if fact.rule is FactRule.TABLE and _PHRASE.match(said):
        return ""  # "Is the status On loan?", "is the address Letter from a provider?"
    whole = _WHOLE.match(fact.attribute) is not None
    if fact.subject.link == "in" and fact.subject.sort and not whole and runs_on(named, said):
        # "Was the airport elevation 137 ft in accident CHI08CA047?"
        return f"{be(fact).capitalize()} the {fact.attribute} {said} in {fact.subject.words}?"
    if fact.rule is not FactRule.CELL and runs_on(named, said):
        # "Is 9.1 the mean number of falls of Fell 9.8?", and not "... of Fell 9.8 9.1?"
        if not is_said_first(said) or head_noun(fact.attribute) in ("status", "state", "condition"):
            return ""
        return "" if is_plural(fact.attribute) else _of_text(f"{be(fact).capitalize()} {said} {named}?", fact)
    if fact.period is not None and said[:1].isdigit() and named[-1:].isdigit():
        # "Were the total visits 122 in 2023?", and not "... in 2023 122?"
        named, said = noun(fact, when=False), f"{said} {time(fact.period, fact.attribute)}"
    return _of_text(f"{be(fact).capitalize()} {named} {said}?", fact)


def _is_of_somebody(fact: Fact) -> bool:
    """Whether a field of an event is a person's, whom it does not name: "the medical certification" of which pilot?"""
    return fact.subject.link == "in" and bool(fact.subject.sort) and _PERSONAL.search(fact.attribute) is not None


def counts(fact: Fact) -> bool:
    """Whether a value is the number of the things that its head names: "Seats: 41", "Vegetables: 8 kinds"."""
    number = fact.value.isdigit() or (_KINDS.fullmatch(fact.value) and not is_property(fact.attribute))
    return bool(number) and not fact.unit and is_plural(fact.attribute)


def _own_kind(fact: Fact) -> bool:
    """Whether a field of an event is the kind of what it names, or names the event, so that nobody asks what it was.

    "Airport: Arnold Palmer Regional Airport" is where the event was.
    """
    if fact.subject.link == "in" and fact.subject.sort and _PUBLISHED.match(fact.attribute):
        return not fact.subject.words.startswith('"')
    if fact.subject.sort and re.search(rf"\b{re.escape(fact.subject.sort)}\b", fact.attribute):
        return fact.subject.link == "in"  # "the distance from accident site in accident NYC08CA048"
    return fact.subject.link == "in" and fact.attribute.casefold() in fact.value.casefold().split()


def _does(fact: Fact) -> str:
    if fact.verb == "had":
        return "did"
    return "do" if fact.verb in ("have", "contain", "comprise", "include", "employ", "consist of", "offer") else "does"


def _spaced(words: str) -> str:
    return f" {words}" if words else ""
