"""Telephone numbers and e-mail addresses, and whether they are a person's or an organisation's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.safety.privacy.around import ORGANISATION, PERSON, cued, numbered_otherwise, sentence_at
from core.safety.privacy.entities import About, Entity, Finding

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

REGIONS: Final = ("GB", "US", "DE", "FR", "ES", "IT", "NL", "CH")
"""Whose national ways of writing a number are read; a number with its country code is read from everywhere."""

_EMAIL: Final = re.compile(
    r"(?<![\w.+%-])[A-Za-z0-9](?:[\w.+%'-]{0,62}[\w])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}"
    r"(?![\w-])"
)
_ROLE: Final = re.compile(
    r"^(?:info|contact|support|service|services|help|helpdesk|hello|office|press|media|sales|admin|administrator|"
    r"billing|accounts|complaints|careers|jobs|hr|enquiries|inquiries|feedback|webmaster|postmaster|noreply|no-reply|"
    r"donotreply|investor\w*|ir|privacy|dpo|security|legal|kontakt|kundenservice|contacto|contatti|team|mail|"
    r"customer[._-]?(?:service|care|relations)|reception|newsletter|marketing|orders|reservations)\b",
    re.IGNORECASE,
)
_OFFICE: Final = re.compile(
    r"cloud|onboarding|library|support|service|team|group|desk|office|news|public|inquir|enquir|customer|payroll|"
    r"records|account|claims|training|event|sales|admin|relations|resources",
    re.IGNORECASE,
)
"""Words of an address that no person is called."""
_NUMBER: Final = re.compile(
    r"(?:(?<![\w.,/@=:-])|(?<=[=:])(?=\+))(?<!\d )(?:\(?\+|\()?\(?"
    r"\d(?:[ .\-/()]{0,2}\d){6,14}(?:(?: ?x| ext\.? ?)\d{1,6})?"
    r"(?![\w@]|[.,:/-]\d| ?(?:[%€$£]|EUR|USD|GBP|CHF|million|billion))"
)
_CUE: Final = re.compile(
    r"\b(?:phone|telephone|tel|mobile|cell|call(?:ed|ing)?|ring|rang|dial|text(?:ed)? (?:me|us|her|him)|sms|whatsapp|"
    r"reach(?:ed|able)?|contact(?:ed)?|landline|fax|telefon\w*|handy|mobil\w*|rufnummer|anruf\w*|t[ée]l[ée]phone|"
    r"portable|appele[rz]|tel[ée]fono|m[óo]vil|(?<!me )llam\w+|"
    r"cellulare|chiam\w+|telefoon\w*|mobiel|bel(?:len)?|natel)\b",
    re.IGNORECASE,
)
_WRITTEN: Final = re.compile(
    r"\(0?\d{2,5}\)[ -]?\d{3,4}[ -]?\d{3,5}|0\d(?:\.\d\d){4}|0\d{1,5}[ /-]\d{2,4}(?:[ -]?\d{2,4}){0,4}"
    r"|\d{3}[-.]\d{3}[-.]\d{4}|[6789]\d{2} \d{2} \d{2} \d{2}"
)
"""Ways of writing that only telephone numbers have."""
LEAST_UNNAMED: Final = 9
"""Digits of a number that no country's plan has to vouch for, or that no word calls a telephone number."""
AFTER: Final = 24
"""Characters behind a number in which a word can call it a telephone number."""
BESIDE: Final = 250
"""Characters within which a contact goes with a person's other data in the same paragraph."""


def find_contacts(text: str, regions: Sequence[str] = REGIONS) -> Iterator[Finding]:
    """Telephone numbers and e-mail addresses of a text, with whose they are."""
    findings = [replace(one, about=whose(text, one)) for one in (*_emails(text), *_phones(text, regions))]
    sure = [one for one in findings if one.about is About.PERSON]
    for finding in findings:
        beside = finding.about is About.UNKNOWN and any(_together(text, finding, one) for one in sure)
        yield replace(finding, about=About.PERSON) if beside else finding


def whose(text: str, finding: Finding) -> About:
    """Whose a contact is: by the address itself, else by the words of its sentence, else not known."""
    if finding.entity is Entity.EMAIL:
        if _ROLE.match(finding.value):
            return About.ORGANISATION
        local = finding.value.partition("@")[0]
        if re.fullmatch(r"[A-Za-z]{2,}[._-][A-Za-z]{2,}\d{0,4}", local) and not _OFFICE.search(local):
            return About.PERSON
    start, end = sentence_at(text, finding.start, finding.end)
    around = text[start : finding.start] + " … " + text[finding.end : end]
    if PERSON.search(around):
        return About.PERSON
    return About.ORGANISATION if ORGANISATION.search(around) else About.UNKNOWN


def _together(text: str, one: Finding, other: Finding) -> bool:
    """Whether two contacts stand close to each other in one paragraph."""
    start, end = min(one.end, other.end), max(one.start, other.start)
    return end - start <= BESIDE and "\n\n" not in text[start:end]


def _emails(text: str) -> Iterator[Finding]:
    for match in _EMAIL.finditer(text):
        yield Finding(
            entity=Entity.EMAIL, start=match.start(), end=match.end(), value=match[0], rule="form of an e-mail address"
        )


def _phones(text: str, regions: Sequence[str]) -> Iterator[Finding]:
    for match in _NUMBER.finditer(text):
        value = match[0].rstrip(" .-/(")
        start = match.start()
        if value.startswith("(") and ")" not in value:
            # The bracket is that of the sentence.
            value, start = value[1:], start + 1
        if rule := _phone_rule(text, value, start, regions):
            yield Finding(entity=Entity.PHONE, start=start, end=start + len(value), value=value, rule=rule)


def _phone_rule(text: str, value: str, start: int, regions: Sequence[str]) -> str:
    """By which rule it is a telephone number, or empty."""
    import phonenumbers

    if numbered_otherwise(text, start) or _dated(value):
        return ""
    named = cued(_CUE, text, start, start + len(value), after=AFTER)
    written = _WRITTEN.fullmatch(value) is not None
    if value.lstrip("(").startswith("+"):
        number = _parsed(value, None)
        if number is None:
            return ""
        if phonenumbers.is_valid_number(number):
            return "number of a country's plan"
        return "of a possible length, and named a telephone number" if named and _possible(number) else ""
    digits = len(re.sub(r"\D", "", value))
    if not named and not (written and digits >= LEAST_UNNAMED):
        return ""
    numbers = [number for region in regions if (number := _parsed(value, region)) is not None]
    if any(phonenumbers.is_valid_number(number) for number in numbers):
        return "number of a country's plan" if written else "number of a country's plan, named a telephone number"
    if named and any(map(_possible, numbers)) and digits >= LEAST_UNNAMED:
        return "of a possible length, and named a telephone number"
    return ""


def _dated(value: str) -> bool:
    return bool(
        re.fullmatch(
            r"(?:19|20)\d{2}[-./ ]?[01]?\d[-./ ]?[0-3]?\d(?:[ T].*)?|"
            r"[0-3]?\d[./-][01]?\d[./-](?:19|20)\d{2}.*|(?:19|20)\d{2} ?[-/] ?(?:19|20)\d{2}",
            value,
        )
    )


def _parsed(value: str, region: str | None) -> PhoneNumber | None:
    import phonenumbers

    try:
        return phonenumbers.parse(value, region)
    except phonenumbers.NumberParseException:
        return None


def _possible(number: PhoneNumber) -> bool:
    import phonenumbers

    return phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE
