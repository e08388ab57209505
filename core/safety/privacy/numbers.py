"""Payment cards, bank accounts and national identifiers of eight countries, by format, checksum and the words around.

A number whose checksum is weak, or that has none, counts only where a word names it. python-stdnum has the checksums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from core.safety.privacy.around import cued, numbered_otherwise
from core.safety.privacy.entities import Entity, Finding

_CARD: Final = re.compile(r"(?<![\w.,/-])(?:\d[ .-]?){12,18}\d(?![\w/]|[.,-]\d)")
_CARD_CUE: Final = re.compile(
    r"\b(?:cards?|visa|mastercard|amex|american express|maestro|kreditkarte|karte\w*|carte|tarjeta|carta|kaart|pan)\b",
    re.I,
)
_GROUPED_CARD: Final = re.compile(r"\d{4}([ .-])\d{4}\1\d{4}\1\d{4}|\d{4}([ .-])\d{6}\2\d{5}")
_ISSUERS: Final = (
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"6011|65|64[4-9]"), (16, 19)),
    (re.compile(r"3(?:0[0-5]|[689])"), (14,)),
    (re.compile(r"35(?:2[89]|[3-8])"), (16,)),
    (re.compile(r"5018|5020|5038|5893|6304|6759|676[1-3]"), (16, 18, 19)),
    (re.compile(r"62"), (16, 17, 18, 19)),
)
_IBAN: Final = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]){11,30}(?!\w)", re.I)
_ACCOUNT_WORD: Final = r"\b(?:account|acct?|a/c)\w*\.?(?: number| no\.?| nr\.?|#)?\W{0,4}"
_SORT_WORD: Final = r"\b(?:sort(?:ing)? code|s/c)\W{0,4}"
_ACCOUNT_FIRST: Final = re.compile(
    rf"{_ACCOUNT_WORD}(\d{{8}})\b.{{0,40}}?{_SORT_WORD}\d{{2}}[- ]?\d{{2}}[- ]?\d{{2}}\b", re.IGNORECASE
)
_SORT_CODE: Final = re.compile(
    rf"{_SORT_WORD}(\d{{2}}[- ]?\d{{2}}[- ]?\d{{2}})\b(?:.{{0,40}}?{_ACCOUNT_WORD}|\W{{1,5}})(\d{{8}})\b", re.IGNORECASE
)
_ROUTED: Final = re.compile(
    r"\brouting\b(?: transit)?(?: number| no\.?)?\W{0,4}(\d{9})\b.{0,40}?"
    r"\baccount(?: number| no\.?)?\W{0,4}(\d{6,17})\b",
    re.I,
)


_BETWEEN: Final = re.compile(r"[ ./-]")
"""What people put between the parts of an identifier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifier:
    """A national identifier.

    Attributes:
        country: ISO code.
        title: Its name.
        pattern: How it is written.
        module: Of python-stdnum, with its checksum; empty where there is none.
        cue: Words that name it.
        alone: How it is written where it needs no such word, because format and checksum are rare enough together.
    """

    country: str
    title: str
    pattern: re.Pattern[str]
    module: str
    cue: re.Pattern[str]
    alone: re.Pattern[str] | None = None


def _id(country: str, title: str, pattern: str, module: str, cue: str, alone: str | None = None) -> Identifier:
    return Identifier(
        country=country,
        title=title,
        pattern=re.compile(rf"(?<![\w/.,+-])(?<!\+\d )(?<!\+\d\d )(?:{pattern})(?![\w/]|[.,-]\w)", re.IGNORECASE),
        module=module,
        cue=re.compile(rf"(?<!\w)(?:{cue})", re.IGNORECASE),
        alone=None if alone is None else re.compile(alone),
    )


IDENTIFIERS: Final = (
    _id(
        "GB",
        "National Insurance number",
        r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ -]?\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?[A-D]",
        "",
        r"national insurance|NINO|NI (?:number|no)",
        r"[A-Z]{2}.+[A-Z]",
    ),
    _id("GB", "NHS number", r"\d{3}[ -]?\d{3}[ -]?\d{4}", "gb.nhs", r"NHS"),
    _id(
        "DE",
        "tax identification number",
        r"[1-9]\d[ ./-]?\d{3}[ ./-]?\d{3}[ ./-]?\d{3}",
        "de.idnr",
        r"steuer-?\s?id\w*|identifikationsnummer|idnr|tax id\w*|TIN\b",
        r"\d\d \d{3} \d{3} \d{3}",
    ),
    _id(
        "FR",
        "social security number",
        r"[12][ .-]?\d{2}[ .-]?\d{2}[ .-]?(?:\d{2}|2[AB])[ .-]?\d{3}[ .-]?\d{3}[ .-]?\d{2}",
        "fr.nir",
        r"NIR\b|s[ée]curit[ée] sociale|INSEE|social security",
        r".+",
    ),
    _id("ES", "DNI", r"\d{2}\.?\d{3}\.?\d{3}[ -]?[A-HJ-NP-TV-Z]", "es.dni", r"DNI|NIF|documento", r"[\d.]+-?[A-Z]"),
    _id("ES", "NIE", r"[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z]", "es.nie", r"NIE|NIF|extranjero", r"[A-Z]-?\d{7}-?[A-Z]"),
    _id(
        "IT",
        "codice fiscale",
        r"(?i:[A-Z]{3} ?[A-Z]{3} ?\d{2}[ABCDEHLMPRST]\d{2} ?[A-Z]\d{3}[A-Z])",
        "it.codicefiscale",
        r"codice fiscale",
        r".+",
    ),
    _id(
        "NL",
        "BSN",
        r"\d{9}|\d{4}[. ]\d{2}[. ]\d{3}|\d{3}[. ]\d{3}[. ]\d{3}",
        "nl.bsn",
        r"BSN|burgerservice\w*|sofi\w*|citizen service",
    ),
    _id(
        "US",
        "Social Security number",
        r"\d{3}[ .-]?\d{2}[ .-]?\d{4}",
        "us.ssn",
        r"SSN|S\.S\.N|SS ?(?:#|no\b|number)|social security",
        r"\d{3}-\d{2}-\d{4}",
    ),
    _id("US", "ITIN", r"9\d{2}[ .-]?\d{2}[ .-]?\d{4}", "us.itin", r"ITIN|taxpayer identification"),
    _id(
        "CH",
        "AHV number",
        r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}",
        "ch.ssn",
        r"AHV|AVS|OASI|sozialversicherung\w*",
        r".+",
    ),
)


@cache
def _valid(module: str) -> Callable[[str], bool]:
    from importlib import import_module

    check: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    return check


def find_numbers(text: str) -> Iterator[Finding]:
    """Cards, accounts and national identifiers of a text."""
    yield from _cards(text)
    yield from _accounts(text)
    for known in IDENTIFIERS:
        for match in known.pattern.finditer(text):
            if known.module and not _valid(known.module)(_BETWEEN.sub("", match[0]).upper()):
                continue
            named = cued(known.cue, text, match.start(), match.end(), after=24)
            alone = known.alone is not None and known.alone.fullmatch(match[0]) is not None
            if named or (alone and not numbered_otherwise(text, match.start())):
                checked = "format and check digits right" if known.module else "format right"
                yield _finding(Entity.NATIONAL_ID, match, f"{known.title} ({known.country}), {checked}")


def _cards(text: str) -> Iterator[Finding]:
    luhn = _valid("luhn")
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        issued = any(start.match(digits) and len(digits) in lengths for start, lengths in _ISSUERS)
        if not issued or len(set(digits)) < 2 or not luhn(digits):
            continue
        named = cued(_CARD_CUE, text, match.start(), match.end())
        if named or (
            (_GROUPED_CARD.fullmatch(match[0]) or (match[0].isdigit() and len(digits) in (15, 16)))
            and not numbered_otherwise(text, match.start())
        ):
            yield _finding(Entity.CARD, match, "issuer known, Luhn check digit right")


def _accounts(text: str) -> Iterator[Finding]:
    from stdnum.iban import is_valid as iban

    for match in _IBAN.finditer(text):
        # Words behind it in capitals belong to it only where the check digits say so.
        for end in sorted({match.end(), *(match.start() + at.start() for at in re.finditer(r"[ .-]", match[0]))})[::-1]:
            value = text[match.start() : end]
            # Without the further digits that some countries check inside: those of invented examples are often wrong.
            if iban(_BETWEEN.sub("", value), check_country=False):
                yield Finding(
                    entity=Entity.IBAN, start=match.start(), end=end, value=value, rule="IBAN, check digits right"
                )
                break
    for match in _SORT_CODE.finditer(text):
        yield _finding(Entity.ACCOUNT, match, "sort code with account number", 2)
    for match in _ACCOUNT_FIRST.finditer(text):
        yield _finding(Entity.ACCOUNT, match, "sort code with account number", 1)
    for match in _ROUTED.finditer(text):
        if _valid("us.rtn")(match[1]):
            yield _finding(Entity.ACCOUNT, match, "routing number, check digit right, with account number", 2)


def _finding(entity: Entity, match: re.Match[str], rule: str, group: int = 0) -> Finding:
    return Finding(entity=entity, start=match.start(group), end=match.end(group), value=match[group], rule=rule)
