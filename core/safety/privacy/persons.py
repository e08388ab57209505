"""People in texts: names that words around them call a person's, and what is said of such a person's money or health.

These are rules on words, not a model: a name that no title, role, identifier or pronoun accompanies is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.safety.privacy.around import sentence_at
from core.safety.privacy.entities import About, Entity, Finding
from core.safety.privacy.statements import BORN, HEALTH, HOMES, MONEY

_WORD: Final = r"[A-ZÀ-ÖØ-Þ](?:[a-zà-öø-ÿ]+|['’][A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+)(?:-[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+)?"
_TITLED: Final = re.compile(
    rf"(?<!\w)(?:Mr|Mrs|Ms|Miss|Herrn?|Frau|Mme|Mlle|[Mm]onsieur|[Mm]adame|[Ss]eñora?|Sra?|[Ss]ignora?|Sig(?:\.ra)?|"
    rf"[Mm]evrouw|[Mm]eneer|Mevr|Dhr|[Dd]e heer|Don|Doña|M(?=\.))\.? ({_WORD}(?: {_WORD}){{0,2}})"
)
_ROLED: Final = re.compile(
    rf"(?i:\b(?:customer|client|patient|account holder|cardholder|policyholder|borrower|applicant|tenant|complainant|"
    rf"kunde|kundin|patientin))[,:]? (?:(?i:named|called) )?({_WORD}(?: {_WORD}){{1,2}})"
)
_IS_ROLE: Final = re.compile(
    rf"(?<![\w.])({_WORD}(?: {_WORD}){{1,2}}),? is (?:a|an|our) "
    r"(?i:customer|client|patient|tenant|borrower|policyholder)\b"
)
_FULL: Final = re.compile(rf"(?<![\w.])({_WORD} {_WORD}(?: {_WORD})?)(?!\w)")
_NOT_IN_NAMES: Final = """
On In At The A An And For From To With By Of As If When While After Before During Please Dear Hello Hi Yes No
Our Your His Her Their My This That These Those It He She We You They I Is Are Was Were Has Have Had Can Could
Will Would Should May Must Call Send Contact Account Bank Branch Card Number Phone Telephone Email Address
Street Road Lane Avenue Square Gate Company Corporation Inc Ltd Limited Group Holdings Monday Tuesday
Wednesday Thursday Friday Saturday Sunday January February March April June July August September October
November December National Insurance Social Security Federal State United States Kingdom New North South East
West Customer Client Patient Sort Code Swift Iban Bic Visa Mastercard American Express Service Services
Department Office Team Tax Passport Date Birth Note Name Der Die Das Le La Les El Los Il Mein Meine Ihre Seine
Its Payment Transfer Invoice Order Reference Case Report Table Section Figure Total Balance Amount Health
Credit Debit Current Savings Computing Center Centre Data Cloud Network University College School Studios
Republic Law Library County City Question Answer Source Type Doc Docs Revenue Operating Rd St Ave Park River
Lake World Day Expo Court Records Management Division Policy Plan Business Personal Private Home Mobile Work
Fax Tel Nr Mr Mrs Ms Miss
"""
_NO_NAME: Final = frozenset(_NOT_IN_NAMES.split())
_IDENTIFYING: Final = frozenset(
    {Entity.CARD, Entity.IBAN, Entity.ACCOUNT, Entity.NATIONAL_ID, Entity.PHONE, Entity.EMAIL}
)
"""Beside which a name is that of the person it belongs to."""
_HOUSE: Final = re.compile(r"(?<!\d)\d{1,5}[A-Za-z]?,? $")
_OTHER_FIELD: Final = re.compile(
    r"(?:,|\b(?!(?:\w*name|contact\w*|customer|client|patient|notes):)\w+:) $", re.IGNORECASE
)
"""Before a town in an address, or the value of a field that is no name."""
_STREET: Final = re.compile(r"\b(?:Parkway|Place|Way|Loop|Boulevard|Drive|Manor|Hill|Hollow|Court|Terrace|Arts)$")
NEAR: Final = 60
"""Characters between a full name and what is said of that person."""
SAID_LATER: Final = 120
"""Characters behind a role with a name in which a pronoun shows that it is a person and no firm."""
_PRONOUN: Final = re.compile(r"\b(?:she|he|her|his|him|hers)\b", re.IGNORECASE)


def find_phrases(text: str, named: Sequence[Finding] = ()) -> Iterator[Finding]:
    """Dates of birth, home addresses, and the money or health of a named person.

    Args:
        text: Any text.
        named: Names that a model found in it, of people of whom nothing else is known.
    """
    for match in BORN.finditer(text):
        yield _finding(Entity.BIRTH_DATE, match, 1, "named a date of birth")
    for pattern in HOMES:
        for match in pattern.finditer(text):
            yield _finding(Entity.HOME_ADDRESS, match, 1, "named where a person lives")
    for match in _IS_ROLE.finditer(text):
        if not _NO_NAME.intersection(match[1].split()):
            yield _finding(Entity.NAME, match, 1, "named a customer, patient or the like")
    for match in _ROLED.finditer(text):
        told = _PRONOUN.search(text, match.end(), match.end() + SAID_LATER)
        if told and not _NO_NAME.intersection(match[1].split()):
            yield _finding(Entity.NAME, match, 1, "named a customer, patient or the like")
    for entity, pattern, rule in (
        (Entity.FINANCES, MONEY, "an amount said of a named person"),
        (Entity.HEALTH, HEALTH, "a condition said of a named person"),
    ):
        for match in pattern.finditer(text):
            start, end = sentence_at(text, match.start(), match.end())
            if re.search(r"\b(?:million|billion)\b", text[match.start() : match.end() + 12], re.IGNORECASE):
                continue
            people = (
                named_people(text, start, end)
                or _named_by_pronoun(text, max(start, match.start() - NEAR), match)
                or [replace(one, about=About.PERSON) for one in named if start <= one.start and one.end <= end]
            )
            if people:
                yield _finding(entity, match, 0, rule)
                yield from people


def names_beside(text: str, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Names in the sentences in which a person's identifier or contact stands."""
    personal = [one for one in findings if one.about is About.PERSON and one.entity in _IDENTIFYING]
    for start, end in {sentence_at(text, finding.start, finding.end) for finding in personal}:
        for known in findings:
            if known.entity is Entity.NAME and known.about is About.UNKNOWN and start <= known.start < end:
                yield replace(known, about=About.PERSON)
        taken = [(finding.start, finding.end) for finding in findings]
        for match in _FULL.finditer(text, start, end):
            words = match[1].split()
            if words[0] in _NO_NAME and len(words) == 3:
                match = _FULL.search(text, match.start() + len(words[0]), end) or match
                words = match[1].split()
            inside = any(match.start() < stop and begin < match.end() for begin, stop in taken)
            if inside:
                continue
            if number := _HOUSE.search(text, max(start, match.start() - 8), match.start()):
                value = text[number.start() : match.end(1)]
                yield Finding(
                    entity=Entity.HOME_ADDRESS,
                    start=number.start(),
                    end=match.end(1),
                    value=value,
                    rule="street beside other personal data",
                )
            elif _OTHER_FIELD.search(text, max(start, match.start() - 24), match.start()):
                continue
            elif not _NO_NAME.intersection(words) and not _STREET.search(match[1]):
                yield _finding(Entity.NAME, match, 1, "name in the sentence of other personal data")


def named_people(text: str, start: int, end: int) -> list[Finding]:
    """The people whom title or role call so in a stretch of text."""
    return [
        _finding(Entity.NAME, match, 1, "name with a title or role")
        for pattern in (_TITLED, _ROLED, _IS_ROLE)
        for match in pattern.finditer(text, start, end)
        if pattern is _TITLED or not _NO_NAME.intersection(match[1].split())
    ]


def _named_by_pronoun(text: str, start: int, said: re.Match[str]) -> list[Finding]:
    """Full names shortly before what is said, where a pronoun shows that it is said of a person."""
    if not _PRONOUN.search(text, start, said.end() + NEAR):
        return []
    return [
        _finding(Entity.NAME, match, 1, "full name with a pronoun")
        for match in _FULL.finditer(text, start, said.start())
        if not _NO_NAME.intersection(match[1].split())
    ]


def _finding(entity: Entity, match: re.Match[str], group: int, rule: str) -> Finding:
    value = match[group].rstrip(" ,")
    start = match.start(group)
    return Finding(entity=entity, start=start, end=start + len(value), value=value, rule=rule)
