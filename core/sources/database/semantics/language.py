"""Whether a database's names are English words at all: rules would ask about "kundes", or open "blt" as a ballot."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from core.sources.database.semantics.abbreviations import ABBREVIATIONS, KEPT_SHORT, WORDS
from core.sources.database.semantics.shortened import understood
from core.sources.database.words import split_words

LEAST_LETTERS = 5
"""Letters from which a word belongs to one language rather than another."""
LEAST_WORDS = 10
"""Different long words below which nothing is said of the language."""
LEAST_ENGLISH = 0.4
"""Share of long words that are listed. English databases had 0.63 to 1, a German one 0.07."""
MOST_SHORT = 0.5
"""Share of short forms from which a database is made of them."""
ENDS_OF_NAMES = frozenset({"id", "cd", "dt", "no", "nm"})
"""Short forms that everybody writes."""
_OTHERS = """
abnormal active actual adverse agreed amenity annual applied approved arrival august available awarded barrel battery
birthday breakfast bridge bright calendar casualty cause caused cells certified changed circle clause comfort common
complete concrete contacted content correct counted crossing daily december declared delayed deleted departure detail
digital dosing double downtime dozen early eastern eligible enabled enrolled enrolment entered equal excess external
failed february field filled fixed forename former friday garage gauge general height hidden hourly household hybrid
identifier inactive included indication input insured intake internal invited january journey large latest leading
level light linked lower manual marital march market matched metric midday monday mother moved negative neighbour
nested night normal north november number occurred october offering often onset opening optional order outcome output
outer overall overdue paid partial passed payable payee pending personal phase picked planned plate positive posted
pressure prior private production programme progress public quick quoted rainy random reached ready recent reduced
refused regional reliable reorder requested reserve resolved returned rotation running saturday saved scanned sensor
serious settled several single small society solid sorted south spare specialty standard sunday surname taken taxable
thermal through thursday timing today toward traffic tuesday until upper upload urban urgent usual valid variable
verified volume waiting wednesday weekday weekend weekly western whole width within without working written yearly
"""
_ENGLISH = WORDS | frozenset(_OTHERS.split())
_ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""))


def is_foreign(names: Iterable[Iterable[str]]) -> bool:
    """Whether most long words of a database's names are no listed English ones.

    Args:
        names: Each name in words, abbreviations opened.

    >>> german = "kunde auftrag lieferant bestellung rechnung mitarbeiter gehalt vorname nachname abteilung betrag"
    >>> is_foreign([german.split()]), is_foreign([["customer", "order"], ["first", "name"]])
    (True, False)
    """
    words = {word for name in names for word in name if len(word) >= LEAST_LETTERS and word.isalpha()}
    return len(words) >= LEAST_WORDS and sum(map(is_english, words)) < LEAST_ENGLISH * len(words)


def is_terse(names: Iterable[str]) -> bool:
    """Whether names are made of short forms throughout, so that nothing around one tells what it stands for.

    Databases whose names people can read had a share of short forms up to 0.2, a utility's old one 0.88.

    >>> is_terse(["RGN_CD", "HQ_TWN", "POP_SRV", "BLT_YR", "TRD_CD", "CTR_EXP_DT", "STG_CD", "CMSN_YR"])
    True
    >>> is_terse(["customer_name", "order_date", "qty", "unit_price", "city", "country", "region", "email"])
    False
    """
    pieces = {
        piece for name in names for piece in split_words(name) if len(piece) > 1 and piece.isalpha()
    } - ENDS_OF_NAMES
    short = sum(piece in ABBREVIATIONS or not understood(piece) for piece in pieces)
    return len(pieces) >= LEAST_WORDS and short > MOST_SHORT * len(pieces)


@lru_cache(maxsize=8192)
def is_english(word: str) -> bool:
    """Whether a word, or what it is formed from, is listed; short ones and numbers are not judged.

    >>> is_english("deliveries"), is_english("shipped"), is_english("auftrag")
    (True, True, False)
    """
    if len(word) < LEAST_LETTERS or not word.isalpha() or word in _ENGLISH or word in KEPT_SHORT:
        return True
    return any(word.endswith(end) and word.removesuffix(end) + instead in _ENGLISH for end, instead in _ENDINGS)
