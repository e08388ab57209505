"""Whether the question of a clause is one that people ask: its opening goes with its verb, and nothing dangles."""

from __future__ import annotations

import re

from core.testset.corpus.reading.clauses.grammar import PREPOSITIONS, Clause
from core.testset.corpus.reading.clauses.splitting import BE
from core.testset.corpus.reading.clauses.values import Value
from core.testset.corpus.reading.vocabulary.verbs import participle

TAKES_A_NUMBER = frozenset(
    [
        "accommodate",
        "admit",
        "allow",
        "award",
        "book",
        "build",
        "buy",
        "carry",
        "charge",
        "close",
        "comprise",
        "contain",
        "cover",
        "deliver",
        "employ",
        "engage",
        "feed",
        "fit",
        "get",
        "give",
        "grow",
        "handle",
        "have",
        "hire",
        "hold",
        "house",
        "include",
        "issue",
        "keep",
        "last",
        "lend",
        "list",
        "lose",
        "make",
        "manage",
        "measure",
        "need",
        "offer",
        "operate",
        "order",
        "own",
        "pass",
        "plant",
        "print",
        "process",
        "produce",
        "provide",
        "publish",
        "receive",
        "record",
        "reach",
        "register",
        "require",
        "run",
        "score",
        "seat",
        "see",
        "sell",
        "serve",
        "spend",
        "store",
        "take",
        "total",
        "train",
        "treat",
        "use",
        "weigh",
        "win",
        "work",
    ]
)
"""Verbs with an object that is counted: "How many cars does the ferry take?"."""
LASTS = frozenset(
    {"last", "take", "have", "get", "need", "keep", "spend", "run", "allow", "receive", "require", "work"}
)
"""Of these, the verbs that go with a length of time."""
COSTS = frozenset(
    [
        "cost",
        "come",
        "amount",
        "lose",
        "pay",
        "charge",
        "earn",
        "raise",
        "owe",
        "receive",
        "contribute",
        "spend",
        "travel",
        "save",
        "award",
        "grant",
        "bring",
        "get",
        "add",
        "lend",
        "invest",
        "need",
    ]
)
"""Verbs that go with an amount of money."""
BEGINS = frozenset(
    ["start", "begin", "range", "rise", "fall", "increase", "decrease", "grow", "drop", "cut", "lower", "raise"]
)
"""Verbs that go with "from" an amount."""
DONE_TO = frozenset(
    """
    answer approve assess check complete confirm decide determine inform inspect issue notify react record repeat reply
    report respond return review send sign submit
    """.split()  # noqa: SIM905
)
"""Verbs that say nothing without what is done so."""
_TIME = re.compile(r"(?:seconds?|minutes?|mins?|hours?|h|days?|nights?|weeks?|months?|years?)\b")
_ODD = re.compile(
    r"(?:at|over|by|with|on|through|under|above|below|around|between|per) how many\b|at what percentage\b", re.I
)
_MEASURED = re.compile(r"\d[\d.,]* ?[a-zA-Z°%]{1,3}[²³]?$")
"""A subject that ends with an amount, which does not say of what."""
_TORN = re.compile(
    r"\b(?:at last|at first|at all|of course|in turn|as usual|again|already|too|either|even|anyway|once|instead)\b"
)
_LOUD = re.compile(r"\b[A-Z]{4,} [A-Z]{4,}\b")
"""A heading in capitals that a sentence runs on from."""
_SECOND = re.compile(r"\b([a-z]+) (?:and|or|but|then) (?:\w+ly )?([a-z]+)")
"""Two words side by side, the first of which may be the verb."""
_MONEY = re.compile(r"[$€£] ?\d|\b(?:EUR|USD|GBP|CHF) ?\d")
_UNITS = {
    "h": "hours",
    "hrs": "hours",
    "min": "minutes",
    "mins": "minutes",
    "s": "seconds",
    "sec": "seconds",
    "g": "grams",
    "mg": "milligrams",
    "t": "tonnes",
    "m": "metres",
    "cm": "centimetres",
    "mm": "millimetres",
    "l": "litres",
    "ml": "millilitres",
    "d": "days",
    "wks": "weeks",
    "yrs": "years",
}
_COUNTED = re.compile(r"\b(?P<how>[Hh]ow many) (?P<unit>[a-z]{1,4})(?= )")


def is_asked(clause: Clause, value: Value, question: str, others: list[str]) -> bool:
    """Whether people ask so.

    Args:
        clause: The clause.
        value: What is asked for.
        question: The question, with ``{}`` where its subject stands.
        others: What the clause has behind its verb besides the value.
    """
    verb = clause.verb.split()[-1] if clause.verb else ""
    second = _SECOND.search(question, question.find(verb)) if verb else None
    if second is not None and second[1] == verb and not participle(second[2]):
        return False  # "are encrypted and lock after five minutes": which of the two?
    if _ODD.match(question) or _TORN.search(question) or _LOUD.search(question) or _MEASURED.search(clause.subject):
        return False
    if verb in ("say", "said", "mention", "mentioned", "state", "stated", "show", "shown") and not clause.passive:
        return False  # "What percentage did version 1.0 say?": of what?
    if (
        value.kind == "share"
        and not value.at
        and verb in ("make", "made", "have", "had", "give", "gave", "take", "took")
    ):
        return False  # "What percentage did excavators make?": of what?
    if value.kind == "money" and value.strand and value.tail.startswith(("a ", "an ", "per ")):
        return False  # "How much does storage come for each unit to a week?"
    if verb in DONE_TO and not clause.passive and not _has_object(others):
        return False  # "Within how many days does the officer decide?": on what?
    if any(piece in PREPOSITIONS for piece in others):
        return False  # "closes 30 minutes before": before what?
    if value.kind == "number" and not value.at and question.casefold().startswith("how many "):
        timed = _TIME.match(question[len("how many ") :])
        done = clause.auxiliary in ("has", "have", "had") and participle(verb)
        if clause.auxiliary in BE or (verb not in (LASTS if timed else TAKES_A_NUMBER) and not done):
            return False
    if value.kind == "money" and question.casefold().startswith("how much "):
        if value.strand == "from":
            return verb in BEGINS  # and not "Directory 118 numbers from £1.95"
        return verb in COSTS or value.strand != ""
    return value.kind == "money" or not any(_MONEY.search(piece) for piece in others)


def _has_object(others: list[str]) -> bool:
    """Whether something stands behind a verb besides times and places."""
    return any(piece.split()[0] not in PREPOSITIONS or piece.split()[0] in ("on", "to") for piece in others if piece)


def spelled(question: str) -> str:
    """A question with the words of its unit: "within how many hours" for "h".

    >>> spelled("within how many h is every death reported?")
    'within how many hours is every death reported?'
    """
    return _COUNTED.sub(lambda match: f"{match['how']} {_UNITS.get(match['unit'], match['unit'])}", question)
