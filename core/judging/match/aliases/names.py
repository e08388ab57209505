"""Where an answer gives a reference under another name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.aliases import calendar, compass, countries, currencies
from core.judging.match.aliases.acronyms import by_initials, spelled_out
from core.judging.match.matching.texts import find_text, of_another_kind
from core.judging.match.readers.figures.units import unit_names
from core.judging.match.readers.texts.normalise import key, match_text
from core.judging.match.values import Hit
from core.text.words import STOP_WORDS

_NO_WORD = re.compile(r"[^\w\s]")
_CODE_ASKED = re.compile(r"\b(?:codes?|symbols?|abbreviations?|abbreviated)\b")
"""Questions for a spelling, which another name does not answer."""
_UNIT_ASKED = re.compile(r"\b(?:what|which) (?:(?:is|was|are) )?(?:the )?(?:[a-z]+ )?units?\b")
_SEX_ASKED = re.compile(r"\b(?:sex|gender)\b")
_SEXES = {"f": ("female", "woman"), "m": ("male", "man"), "female": ("woman",), "male": ("man",)}
"""A sex by its letter, as databases hold it."""


def other_names(reference: str, answer: str, text: str, question: str, passages: Sequence[str]) -> tuple[Hit, ...]:
    """Where an answer has another name of the reference.

    A country by its other names, its people and its languages' names for it, where the question asks for one; a
    currency by name, code and symbol; a language that goes by its people ("Slovene"); a name by the acronym that
    question, passages or answer spell out, and back.

    Args:
        reference: As given.
        answer: As given; codes and acronyms count in capitals only.
        text: Match text of the answer.
        question: Match text of the question.
        passages: What was retrieved for the question.

    >>> [hit.reason for hit in other_names("Netherlands", "A Dutch firm.", "a dutch firm.", "which country?", ())]
    ['"dutch" is another name of "Netherlands".']
    """
    hits: dict[int, Hit] = {}
    if names := _same_thing(reference, text, question):
        for places in names:
            _add(hits, places, text, reference)
    elif (
        currencies.ASKED.search(question)
        and not _CODE_ASKED.search(question)
        and (code := currencies.currency(reference))
    ):
        for name in currencies.names_of(code):
            places = [
                place for place in _places(name, text, question) if not currencies.in_longer_name(text, *place, code)
            ]
            _add(hits, places, text, reference)
    elif countries.ASKED.search(question) and (codes := countries.country(reference)):
        for name in countries.names_of(codes):
            if countries.is_code(name):
                places = _places_in_capitals(name, answer, text)
            else:
                places = [
                    place
                    for place in _places(name, text, question)
                    if not countries.in_longer_name(text, *place, codes)
                ]
            _add(hits, places, text, reference)
    if not hits:
        for name in _in_letters(reference, answer, question, passages):
            _add(hits, _places(name, text, question), text, reference)
    return tuple(hits[place] for place in sorted(hits))


def _same_thing(reference: str, text: str, question: str) -> list[list[tuple[int, int]]]:
    """Where each other name of a month, a day, a unit, a language... stands, where one is asked for."""
    if calendar.ASKED.search(question) and (others := calendar.names_of(reference)):
        return [*(list(calendar.places(name, text)) for name in others), calendar.by_number(reference, text)]
    if compass.ASKED.search(question) and (others := compass.names_of(match_text(reference))):
        return [_points(name, text) for name in others]
    if _SEX_ASKED.search(question) and (others := _SEXES.get(match_text(reference).strip(" ."), ())):
        return [_places(name, text, question) for name in others]
    if _UNIT_ASKED.search(question) and (others := unit_names(match_text(reference).strip(" ."))):
        return [_places(name, text, question) for name in others]
    if countries.LANGUAGE_ASKED.search(question):
        return [_places(name, text, question) for name in sorted(countries.languages_of(reference))]
    return []


def _in_letters(reference: str, answer: str, question: str, passages: Sequence[str]) -> list[str]:
    """A reference with an acronym spelled out, or a name of several words in its letters."""
    spelled = _spelled(reference, [*passages, answer, reference]) if passages or "(" in answer + reference else []
    names = [name for name in spelled if " " in name or _in_capitals(name, answer)]
    return names or by_initials(reference, question, answer)


def _spelled(reference: str, texts: Sequence[str]) -> list[str]:
    """The acronym of a reference, or what it stands for, with the rest of the reference unchanged."""
    wanted = key(reference).removeprefix("the ")
    if not wanted:
        return []
    names = []
    for short, long in spelled_out(texts).items():
        if wanted in {f"{long} {short}", f"{short} {long}"}:
            # the reference gives both: either will do
            return [long, short]
        if short in STOP_WORDS and short == wanted:
            continue
        for one, other in ((short, long), (long, short)):
            replaced = re.sub(rf"(?<!\w){re.escape(one)}(?!\w)", other, wanted)
            if replaced != wanted:
                names.append(replaced)
    return names


def _places(name: str, text: str, question: str) -> list[tuple[int, int]]:
    if _NO_WORD.fullmatch(name):
        return [match.span() for match in re.finditer(re.escape(name), text)]
    hits = find_text(name, text).hits
    return [(hit.start, hit.end) for hit in hits if not of_another_kind(text, hit.end, question)]


def _points(name: str, text: str) -> list[tuple[int, int]]:
    """Where a point of the compass stands and no finer one: "north" is not in "north-east"."""
    finer = r"(?:north|east|south|west)"
    found = re.finditer(
        rf"(?<!\w)(?<!north[- ])(?<!south[- ])(?<!east[- ])(?<!west[- ]){re.escape(name)}(?!\w|[- ]{finer})", text
    )
    return [match.span() for match in found]


def _in_capitals(name: str, answer: str) -> bool:
    """Whether an answer writes a code or an acronym in capitals, with or without dots."""
    letters = r"\.?".join(map(re.escape, name.upper()))
    return re.search(rf"(?<!\w){letters}s?(?!\w)", answer) is not None


def _places_in_capitals(name: str, answer: str, text: str) -> list[tuple[int, int]]:
    """Where a code stands, if the answer writes it in capitals: "US", "U.S."."""
    if not _in_capitals(name, answer):
        return []
    letters = r"\.?".join(map(re.escape, name))
    return [match.span() for match in re.finditer(rf"(?<![\w.]){letters}(?!\w)", text)]


def of_its_own(hits: Sequence[Hit], reference: str, text: str, question: str) -> tuple[Hit, ...]:
    """The hits of a country that are no part of another country's name."""
    codes = countries.country(reference) if hits and countries.ASKED.search(question) else frozenset()
    return tuple(hit for hit in hits if not codes or not countries.in_longer_name(text, hit.start, hit.end, codes))


def _add(hits: dict[int, Hit], places: Sequence[tuple[int, int]], text: str, reference: str) -> None:
    for start, end in places:
        if not any(hit.start <= start < hit.end for hit in hits.values()):
            reason = f'"{text[start:end]}" is another name of "{reference.strip()}".'
            hits.setdefault(start, Hit(rule="text", start=start, end=end, reason=reason))
