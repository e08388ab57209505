"""Countries and nationalities, by the names that countryinfo and Unicode's CLDR (Babel) give them."""

from __future__ import annotations

import re
from functools import lru_cache

from babel import Locale
from babel.core import get_global
from babel.languages import get_official_languages
from countryinfo import all_countries

from core.judging.match.readers.texts.normalise import key

ASKED = re.compile(
    r"\b(?:countr(?:y|ies)|nations?|national(?:ity|ities)?|citizens?|citizenship|passports?|flags?|jurisdiction|domicil\w*"
    r"|incorporated|headquarter\w*|based|located|origin|originates?|born|comes? from|ship\w* to|shipped|where)\b"
)
"""Questions that a country or its people may answer."""
LANGUAGE_ASKED = re.compile(r"\blanguages?\b|\b(?:speaks?|spoken)\b")
SHARED = 4
"""First letters that a country and its language share where one is named after the other."""
_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
_CODE = re.compile(r"[a-z]{2,3}")
_LANGUAGE_CODE = re.compile(r"[a-z]{2,3}")
_SHORTER_CODES = get_global("language_aliases")
"""Codes of a language in three letters, with the shorter one that CLDR has its name by: eng, en."""
_WITHIN = {
    "northern ireland": frozenset({"GB"}),
    "new mexico": frozenset({"US"}),
    "inner mongolia": frozenset({"CN"}),
}
"""Regions that are called after another country."""
MOST_WORDS = 7


@lru_cache(maxsize=1)
def _by_name() -> dict[str, frozenset[str]]:
    """Key of a name -> ISO codes of the countries that it names; codes of two and three letters are names as well."""
    names: dict[str, set[str]] = {}

    def add(name: object, code: str) -> None:
        if isinstance(name, str) and (plain := _without_article(key(name))):
            names.setdefault(plain, set()).add(code)

    countries = {}
    for country in all_countries():
        iso = country.iso()
        code = iso.get("alpha2") if isinstance(iso, dict) else None
        if code:
            countries[code] = country
            for name in (
                country.name(),
                *(country.alt_spellings() or ()),
                *iso.values(),
                *_people(country.demonym(), code),
            ):
                add(name, code)
    for language in _LANGUAGES:
        territories = Locale(language).territories
        for code in countries:
            add(territories.get(code), code)
    return {name: frozenset(codes) for name, codes in names.items() if not name.isdigit()}


def _people(demonym: object, code: str) -> frozenset[str]:
    """What the people of a country are called, and its own language where that goes by its name: Slovene, Slovenian."""
    names = {name.strip() for name in demonym.split(",")} if isinstance(demonym, str) else set()
    english = Locale(_LANGUAGES[0])
    whole = english.territories.get(code, "")
    spoken = (english.languages.get(language, "") for language in get_official_languages(code, de_facto=True))
    if " " not in whole:
        names |= {name for name in spoken if " " not in name and name != whole and name[:SHARED] == whole[:SHARED]}
    return frozenset(names - {""})


@lru_cache(maxsize=1)
def _languages() -> dict[str, frozenset[str]]:
    """Key of a people's or a language's name -> the names of both."""
    names: dict[str, frozenset[str]] = {}
    for country in all_countries():
        iso = country.iso()
        people = _people(country.demonym(), str(iso.get("alpha2"))) if isinstance(iso, dict) else frozenset()
        own = frozenset(key(name) for name in people)
        names |= dict.fromkeys(own, own) if len(own) > 1 else {}
    return names


def languages_of(name: str) -> frozenset[str]:
    """The names of a language that goes by the people who speak it or is given by its code; empty for another.

    >>> sorted(languages_of("Slovene")), sorted(languages_of("Swahili")), sorted(languages_of("PT"))
    (['slovene', 'slovenian'], [], ['portuguese'])
    """
    code = name.strip().casefold()
    if _LANGUAGE_CODE.fullmatch(code):
        english = Locale(_LANGUAGES[0]).languages
        return frozenset(key(english[one]) for one in (code, _SHORTER_CODES.get(code, "")) if one in english)
    return _languages().get(key(name), frozenset())


def country(name: str) -> frozenset[str]:
    """ISO codes of the countries that a name may mean; empty where it names none.

    >>> [sorted(country(name)) for name in ("Holland", "Dutch", "the United Kingdom", "Georgian", "Utrecht")]
    [['NL'], ['NL'], ['GB'], ['GE'], []]
    """
    plain = _without_article(key(name))
    return _by_name().get(plain, frozenset()) if len(plain.split()) <= MOST_WORDS else frozenset()


@lru_cache(maxsize=1_024)
def names_of(codes: frozenset[str]) -> tuple[str, ...]:
    """Every name of some countries, the longest first; ISO codes and short forms in letters last."""
    found = [name for name, own in _by_name().items() if own & codes]
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def is_code(name: str) -> bool:
    """Whether a name is a code or an abbreviation, which counts only in capitals: "NL", "USA"."""
    return bool(_CODE.fullmatch(name))


def in_longer_name(text: str, start: int, end: int, codes: frozenset[str]) -> bool:
    """Whether a name is a part of another country's: "Guinea" in "Papua New Guinea".

    Args:
        text: Match text.
        start: Offset of the name.
        end: Offset behind it.
        codes: ISO codes of the name's own country.
    """
    before = re.findall(r"\S+", text[max(0, start - 60) : start])[-3:]
    after = re.findall(r"\S+", text[end : end + 60])[:3]
    for left in range(len(before) + 1):
        for right in range(len(after) + 1):
            words = " ".join([*before[len(before) - left :], text[start:end], *after[:right]])
            other = country(words) or _WITHIN.get(words, frozenset()) if left or right else frozenset()
            if other and not other & codes:
                return True
    return False


def _without_article(plain: str) -> str:
    return plain.removeprefix("the ")
