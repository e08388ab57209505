"""One and several of a noun, by rule, with the words where the rules would be wrong."""

from __future__ import annotations

IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "indices": "index",
    "matrices": "matrix",
    "analyses": "analysis",
    "criteria": "criterion",
    "movies": "movie",
    "cookies": "cookie",
    "series": "series",
    "species": "species",
    "news": "news",
    "headquarters": "headquarters",
    "premises": "premises",
    "data": "data",
}
IRREGULAR |= {
    **{
        f"{stem}es": f"{stem}is" for stem in ("diagnos", "prognos", "hypothes", "synthes", "thes", "cris", "bas", "oas")
    },
    **{f"{stem}ves": f"{stem}f" for stem in ("lea", "shel", "hal", "loa", "cal", "wol")},
    **{f"{stem}ves": f"{stem}fe" for stem in ("wi", "kni", "li")},
    **{f"{stem}oes": f"{stem}o" for stem in ("her", "potat", "tomat", "carg", "ech", "vet")},
    **{f"{word}es": word for word in ("status", "bus", "virus", "bonus", "campus", "gas", "lens", "alias", "canvas")},
    "vertices": "vertex",
    "media": "medium",
    "feet": "foot",
    "teeth": "tooth",
    "ties": "tie",
    "pies": "pie",
    "lens": "lens",
}
"""Where the rules would be wrong. The libraries tried, inflect and simplemma, are wrong on more of the words that
tables are named by: "bu" for bus, "diagnose" for diagnoses."""
SINGULAR_IN_S = ("ss", "us", "is", "as", "os")


def singular(word: str) -> str:
    """The singular of an English noun, by rule; a word that looks singular stays.

    >>> [singular(w) for w in ("branches", "companies", "addresses", "status", "employees", "boxes", "analysis")]
    ['branch', 'company', 'address', 'status', 'employee', 'box', 'analysis']
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(SINGULAR_IN_S):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


GONE = frozenset({"spent", "sold", "lost", "built", "held", "sent", "paid", "made", "taken", "given", "won", "bought"})
"""Irregular participles that stand behind a noun."""
BESIDE = frozenset({"out", "in", "off", "up", "on", "over", "back", "away", "down"})
"""Small words behind a noun, which has the plural: loans out."""
PLURAL = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "staff": "staff",
    "sales": "sales",
    "aircraft": "aircraft",
    "hovercraft": "hovercraft",
    "spacecraft": "spacecraft",
    "sheep": "sheep",
    "fish": "fish",
    "merchandise": "merchandise",
    "luggage": "luggage",
    "baggage": "baggage",
    "collateral": "collateral",
    "stock": "stock",
} | {one: many for many, one in IRREGULAR.items() if many not in ("movies", "cookies", "media", "data", "ties", "pies")}


def plural(phrase: str) -> str:
    """Several of what a noun phrase names.

    >>> [plural(noun) for noun in ("diagnosis", "branch", "order of payment", "media type", "city", "day", "staff")]
    ['diagnoses', 'branches', 'orders of payment', 'media types', 'cities', 'days', 'staff']
    """
    head, joined, rest = phrase.partition(" of ")
    *before, word = head.split() or [""]
    if before and word in BESIDE:
        return f"{plural(' '.join(before))} {word}{joined}{rest}"
    return " ".join([*before, _plural_word(word)]) + joined + rest


def _plural_word(word: str) -> str:
    if word in PLURAL:
        return PLURAL[word]
    if singular(word) != word:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    return f"{word}s"


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase takes "are".

    >>> is_plural("languages"), is_plural("address"), is_plural("sales in billion"), is_plural("fines owed")
    (True, False, True, True)
    """
    head = phrase.split(" in ")[0].split(" of ")[0].split(" on ")[0].split()
    head = head[:-1] if len(head) > 1 and (head[-1].endswith("ed") or head[-1] in GONE) else head
    return bool(head) and singular(head[-1]) != head[-1]


def article(noun: str) -> str:
    """``a`` or ``an``.

    >>> article("ATM"), article("branch"), article("adviser")
    ('an', 'a', 'an')
    """
    return "an" if noun[:1].lower() in "aeio" or noun[:3] == "ATM" else "a"
