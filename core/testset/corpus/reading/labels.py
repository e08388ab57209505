"""Names of rows, columns and fields as a sentence holds them: without marks, with the right letter case and number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from core.testset.corpus.reading.vocabulary.common_words import COMMON, PROPERTY
from core.testset.corpus.reading.vocabulary.verbs import participle
from core.text.blocks import ENTRY, plain

_SPELLED = (
    (re.compile(r"\bmax\.? (?=[a-z])", re.IGNORECASE), "maximum "),
    (re.compile(r"\bmin\.? (?=[a-z])", re.IGNORECASE), "minimum "),
    (re.compile(r"\b(?:no\.?|nos\.?|#) of (?=[a-z])", re.IGNORECASE), "number of "),
    (re.compile(r"\btemp\.", re.IGNORECASE), "temperature"),
    (re.compile(r"\bqty\b\.?", re.IGNORECASE), "quantity"),
    (re.compile(r"\btel\.", re.IGNORECASE), "telephone"),
    (re.compile(r"\bdept\b\.?", re.IGNORECASE), "department"),
    (re.compile(r"\bavg\.? (?=[a-z])", re.IGNORECASE), "average "),
)
"""Short forms of heads, as a question says them."""
LONGEST = 12
"""Words of a name; a longer one is a sentence."""
_NOTE = re.compile(r"\s*(?:\(\d{1,2}\)|\([A-Z](?:/[A-Z])?\)|\[\d{1,2}\]|[*†‡§]+|(?<=[a-z])\d)\s*$")
SMALL = frozenset({"and", "of", "the", "for", "in", "&", "de"})
MEASURE = re.compile(
    r"\b(?:sales|revenues?|incomes?|expenses?|costs?|margins?|assets|liabilit(?:y|ies)|shares|profits?|loss(?:es)?|cash|"
    r"earnings|taxe?s?|debt|equity|prices?|rates?|values?|numbers?|amounts?|balances?|fees?|deposits?|loans?|payments?|"
    r"proceeds|purchases|repurchases|receivables?|payables?|inventor(?:y|ies)|securities|goodwill|provision|"
    r"depreciation|obligations?|charges?|premiums?|claims?|employees|customers|units|hours|volume|spending)\b",
    re.IGNORECASE,
)
"""A word that says what a row measures."""
_NET = re.compile(r"^(?P<rest>.+), (?P<net>net|gross)$", re.IGNORECASE)
_HEAD_ENDS = re.compile(
    r" (?:of|for|from|in|to|on|by|per|a|an|each|at|with|used|under|due|paid|held|issued|designated|related|after|"
    r"before) ",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|"
    r"October|November|December"
)
_SINGULAR = frozenset(
    [
        "series",
        "species",
        "basis",
        "status",
        "analysis",
        "diagnosis",
        "loss",
        "gross",
        "less",
        "access",
        "address",
        "process",
        "business",
        "class",
        "press",
        "glass",
        "mass",
        "news",
        "is",
        "was",
        "this",
        "us",
        "gas",
        "bus",
        "bonus",
        "surplus",
        "process",
        "excess",
        "campus",
        "cross",
        "compass",
        "headquarters",
        "news",
    ]
)
_PLURAL = frozenset(["people", "data", "staff", "criteria", "media", "feet", "children", "men", "women", "police"])


_WITH_ARTICLE = frozenset(
    [
        "Americas",
        "Bahamas",
        "Baltics",
        "Balkans",
        "Caribbean",
        "Czech Republic",
        "European Union",
        "Far East",
        "Gulf States",
        "Maldives",
        "Middle East",
        "Netherlands",
        "Nordics",
        "Philippines",
        "United Arab Emirates",
        "United Kingdom",
        "United States",
    ]
)
"""Names of regions that English says with an article."""
_PREFIXED = re.compile(r"^(?:Non|Pre|Post|Anti|Mid)-(?=[A-Z])")


_COMMON_NAMES = re.compile(
    r"(?!the )\S.* (?:courtroom|room|hall|suite|theatre|library|kitchen|shed|barn|pool|gallery|studio|lounge|café|"
    r"centre|office|museum|chapel|tower|bridge|building|workshop|desk|team|department|committee)",
    re.IGNORECASE,
)


def with_article(name: str) -> str:
    """A name as a sentence has it: "the Garden Room", and "Mill Meadow"."""
    return f"the {name}" if _COMMON_NAMES.fullmatch(name) else name


class Labels:
    """Letter case as the collection uses it: "Total" is lowered inside a sentence, "Japan" and "FAA" are not.

    Args:
        texts: Of the collection.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._lower: Counter[str] = Counter()
        self._capital: Counter[str] = Counter()
        for text in map(_running, texts):
            for match in re.finditer(r"(?<![^\s(])[a-z]+,? (?=([^\W\d_][^\W\d_]+(?:[-'’][^\W\d_]+)*))", text):
                word = match[1]
                (self._lower if word.islower() else self._capital)[word.casefold()] += 1

    def lowered(self, label: str, *, head: bool = False) -> str:
        """A name as it stands inside a sentence.

        Args:
            label: The name.
            head: Whether it heads a column or a field, where names of people and places are rare.
        """
        words = tidy_label(label).split()
        if " ".join(words) in _WITH_ARTICLE:
            return f"the {' '.join(words)}"
        words = [_PREFIXED.sub(lambda match: match[0].lower(), word) for word in words]
        capitals = [word for word in words if word[:1].isupper()]
        named = len(capitals) > 1 and all(word[:1].isupper() or word in SMALL for word in words)
        if named and not head and not MEASURE.search(label):
            return " ".join(words)  # a segment or a product, such as "Greater China"
        sentence_case = len(words) > 1 and words[1].islower() and words[0][1:].islower()
        first = words[0] if words else ""
        if sentence_case and (self.is_common(first) or not self.is_name(first)):
            words[0] = first.lower()
        return " ".join(self._word(word, head=head) for word in words)

    def _word(self, word: str, *, head: bool) -> str:
        core = word.strip("()/,.:;“”\"'")
        if len(core) < 2 or not core[:1].isupper() or not core[1:].replace("-", "").replace("’", "").islower():
            pieces = word.split("/")
            return "/".join(self._word(piece, head=head) for piece in pieces) if len(pieces) > 1 else word
        folded = core.casefold()
        if _DAY.fullmatch(core):
            return word
        lower, capital = self._lower[folded], self._capital[folded]
        if lower > capital or (capital <= (2 if head else 0) and (head or folded in COMMON)):
            return word.lower()
        return word

    def is_common(self, word: str) -> bool:
        """Whether the collection has a word in small letters inside sentences."""
        return self._lower[word.casefold()] > 0

    def is_name(self, word: str) -> bool:
        """Whether the collection writes a word with a capital letter inside sentences, and hardly ever without."""
        folded = word.casefold()
        return self._capital[folded] > 1 + 2 * self._lower[folded]


def _running(text: str) -> str:
    """A text without its rows and fields, which have capitals of their own."""
    return "\n".join(line for line in text.splitlines() if "|" not in line and not ENTRY.match(line))


def tidy_label(label: str) -> str:
    """A name without notes, marks and the colon behind it; "Receivables, net" as "net Receivables".

    >>> tidy_label("Total proceeds from loans, net")
    'total net proceeds from loans'
    """
    text = plain(label).strip().rstrip(":").strip()
    text = _NOTE.sub("", text).strip().rstrip(":").strip().replace(" & ", " and ")
    for short, word in _SPELLED:
        text = short.sub(word, text)
    text = re.sub(r"\(s\)", "s" if text.count("(s)") == 1 else "", text)
    match = _NET.fullmatch(text)
    if match is None:
        return text
    rest = match["rest"]
    small = " " in rest and rest.split()[1].islower()
    rest, net = rest[:1].lower() + rest[1:] if small else rest, match["net"].lower()
    return f"total {net} {rest[6:]}" if rest.startswith("total ") else f"{net} {rest}"


def usable(label: str) -> bool:
    """Whether a name can stand in a question: a few words with letters, without slashes in brackets or a verb."""
    words = label.split()
    letters = sum(sign.isalpha() for sign in label)
    return (
        1 <= len(words) <= LONGEST
        and letters >= 2
        and letters * 2 >= len(label.replace(" ", ""))
        and not re.search(r"/\(|\)/|[:?!;<>{}|=_\[\]\"]|\.\.|\$|\bhttps?\b", label)
        and label.count("(") == label.count(")")
    )


def is_plural(label: str) -> bool:
    """Whether a verb behind a name is plural, by the last word before its first preposition.

    >>> is_plural("total net sales"), is_plural("provision for income taxes"), is_plural("cash and cash equivalents")
    (True, False, True)
    """
    head = re.sub(r"\([^)]*\)", "", _HEAD_ENDS.split(f"{label} ", maxsplit=1)[0]).split(",")[0].split()
    if len(head) > 1 and (
        head[-1] in ("outstanding", "present", "absent")
        or (head[-2].endswith("s") and (head[-1].endswith("ed") or participle(head[-1].casefold())))
    ):
        head.pop()
    doing = next((place for place, word in enumerate(head) if place and word.endswith("ing")), 0)
    if doing and head[doing - 1].endswith("s"):
        head = head[:doing]  # "persons taking part"
    if not head:
        return False
    last = head[-1].casefold().strip(".")
    if last in _PLURAL:
        return True
    if {"assets and", "liabilities and"} & {" ".join(pair).casefold() for pair in pairwise(head)}:
        return True
    if " and " in f" {' '.join(head)} " and last not in _SINGULAR and not last.endswith("s"):
        return False
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "'s", "’s")) and last not in _SINGULAR


def is_property(label: str) -> bool:
    """Whether a head names a property of what a row names, and not one more thing of the same sort.

    >>> is_property("Annual rent"), is_property("Limit per person"), is_property("Premier plan"), is_property("North")
    (True, True, False, False)
    """
    return bool(MEASURE.search(label)) or bool(PROPERTY.fullmatch(singular(head_noun(label))))


def head_noun(label: str) -> str:
    """The noun that a name is one of, as it stands before the first preposition, in small letters.

    >>> head_noun("Price per pack (net)"), head_noun("Annual rent, excluding service charge")
    ('price', 'rent')
    """
    head = re.sub(r"\([^)]*\)", "", _HEAD_ENDS.split(f"{label} ", maxsplit=1)[0]).split(",")[0].split()
    return head[-1].casefold() if head else ""


def singular(noun: str) -> str:
    """A plural noun as one of its things, by its ending.

    >>> singular("repairs"), singular("service histories"), singular("branches"), singular("entry")
    ('repair', 'service history', 'branch', 'entry')
    """
    for ending, other in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if noun.endswith(ending) and not noun.endswith(("ss", "us", "is")):
            return f"{noun.removesuffix(ending)}{other}"
    return noun
