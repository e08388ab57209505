"""Sentences as clauses: conditions and times in front are taken off, and what "and" joins is told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.testset.corpus.reading.vocabulary.periods import DATE
from core.testset.corpus.reading.vocabulary.verbs import auxiliary_of, participle

FINITE = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "will",
        "must",
        "shall",
        "can",
        "may",
        "should",
        "do",
        "does",
        "did",
    ]
)
"""Words that begin the verb of a clause."""
BE = frozenset(["is", "are", "was", "were"])
_NUMBERED = re.compile(r"^(?:§ ?)?(?:\d+(?:\.\d+)+\.?|\d+[.)]|\([a-z0-9]{1,3}\)|[-*•])\s+(?=[\"“A-Z])")
_IF = r"if|when|where|whenever|unless|once|provided that|as long as|in case"
_CONDITION_FIRST = re.compile(
    rf"^(?P<condition>(?:{_IF}) (?:[^,;:]|[,:](?=\d)){{6,120}}), (?P<main>.+)$", re.IGNORECASE
)
_CONDITION_LAST = re.compile(rf"^(?P<main>.+?),? (?P<condition>(?:{_IF}) (?:[^,;:]|[,:](?=\d)){{6,120}})$")
_TIME = re.compile(
    rf"^(?P<lead>(?:Since|By|In|On|At|From|Until|As of|Before|After) (?:the (?:end|beginning|start) of )?(?:{DATE}|(?:19|20)\d\d)),? (?P<main>.+)$"  # noqa: E501
)
_ASIDE = re.compile(
    r",? (?:who|whom|whose|most of|some of|including|such as|although|though|while|whereas|because|since it|so that|"
    r"otherwise|which|whether|as (?:it|they|this)|to the extent)\b.*$"
)
_LEFT = re.compile(r"\b(?:on|in|at|of|for|to|from|by|with|under|through|within|during|upon)$")
"""A preposition whose noun was cut off: "from the date on" which something happens."""
_JOINT = re.compile(r"(?:, and|, but| and| but) (?!\d)")
_HEDGED = re.compile(
    r"\b(?:respectively|believed|alleged(?:ly)?|reportedly|probably|perhaps|possibly|said to|claimed|claims|might|would|could|"  # noqa: E501
    r"supposed|thought to|expected|estimated|hypothetical|legend|e\.g|i\.e|for example|for instance|suppose|assume|"
    r"imagine|hopefully|seems?|appears?|usually|typically|generally|normally|often|sometimes|likely|never|no|not|nor|"
    r"neither|hardly|rarely|only|than expected)\b|n['’]t\b",
    re.IGNORECASE,
)
_ODD = re.compile(r"[?!\[\]{}|<>=\\`*_]|https?:|\.\.|--|\$\w|(?:^|\s)/|\bI\b|: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One clause of a sentence.

    Attributes:
        words: From its subject on.
        lead: The time in front of it ("Since 2 May 2021"), or empty.
        condition: "if the balance falls below 500 EUR", wherever it stood, or empty.
        shared: Whether it has the subject of the clause before it.
    """

    words: str
    lead: str = ""
    condition: str = ""
    shared: bool = False


def parts_of(sentence: str) -> Iterator[Part]:
    """The clauses of a tidy sentence; none of one that asks, hedges, denies or holds code.

    >>> [part.words for part in parts_of("It was bought in 2019 for 500 EUR and has driven 81,000 km since.")]
    ['It was bought in 2019 for 500 EUR', 'It has driven 81,000 km since']
    """
    main = _NUMBERED.sub("", sentence.strip())
    if not main.endswith(".") or _ODD.search(main):
        return
    main, condition, lead = main.rstrip(". "), "", ""
    if first := _CONDITION_FIRST.match(main):
        condition, main = _small(first["condition"]), first["main"]
    if timed := _TIME.match(main):
        lead, main = timed["lead"], timed["main"]
    if not condition and (last := _CONDITION_LAST.match(main)):
        condition, main = last["condition"], last["main"]
        if re.match(r"(?:once|when) (?:a|per|every)\b", condition):
            return
    before = ""
    pieces = [piece for stretch in main.split("; ") for piece in ("", *_pieces(stretch))]
    for number, piece in enumerate(pieces):
        if not piece:
            before = ""
            continue
        words = _ASIDE.sub("", piece).rstrip(" ,")
        if len(words) < len(piece.rstrip(" ,")) and _LEFT.search(words):
            before = ""
            continue
        shared = bool(before) and _begins_with_verb(words, before)
        if shared:
            words = _continued(before, words, main)
        if not words:
            continue
        subject = " ".join(words.split()[: verb_at(words)])
        if verb_at(words) and not _HEDGED.search(words):
            yield Part(words=words, lead=lead if number == 1 else "", condition=condition, shared=shared)
        before = subject if verb_at(words) else ""


def verb_at(words: str) -> int:
    """The place of the finite verb among the words of a clause; 0 where none is found.

    >>> verb_at("The annual fee is 5 EUR"), verb_at("Staff complete the training"), verb_at("the costs of it")
    (3, 1, 0)
    """
    tokens = words.split()
    open_clause = next(
        (
            place
            for place, token in enumerate(tokens)
            if place and token in ("that", "which", "who", "where", "when", "if", "to")
        ),
        len(tokens),
    )
    for place, token in enumerate(tokens[:open_clause]):
        if place and token in FINITE:
            return place
    for place, token in enumerate(tokens[:open_clause]):
        if not place or place + 1 >= len(tokens) or tokens[place - 1].casefold() in _BEFORE_NOUNS:
            continue
        asks = auxiliary_of(token)
        if asks is not None and agrees(" ".join(tokens[:place]), asks[0]) and _goes_on(tokens[place + 1]):
            return place
    return 0


_BEFORE_NOUNS = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "for",
        "to",
        "in",
        "on",
        "at",
        "by",
        "with",
        "from",
        "its",
        "their",
        "his",
        "her",
        "our",
        "your",
        "my",
        "this",
        "that",
        "these",
        "those",
        "any",
        "each",
        "every",
        "all",
        "no",
        "and",
        "or",
        "per",
        "as",
        "up",
        "under",
        "over",
        "into",
        "between",
        "within",
    ]
)


def agrees(subject: str, auxiliary: str) -> bool:
    """Whether a subject has the number of a verb: "the fee" of "does", "customers" of "do"."""
    from core.testset.corpus.reading.labels import is_plural

    plural = subject.casefold() in ("they", "we", "staff", "police") or is_plural(subject) or " and " in subject
    return auxiliary == "did" or (auxiliary == "do") == plural or subject.casefold() == "staff"


def _goes_on(word: str) -> bool:
    """Whether a word may stand behind a verb, where a noun would follow another noun."""
    low = word.casefold()
    return (
        word[:1].isdigit()
        or word[:1] in '$€£"'
        or word[:1].isupper()
        or low in _BEFORE_NOUNS
        or low
        in (
            "about",
            "across",
            "back",
            "during",
            "through",
            "without",
            "after",
            "before",
            "until",
            "against",
            "around",
            "nearly",
            "more",
            "almost",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "twelve",
        )
    )


def _pieces(main: str) -> list[str]:
    """A sentence parted where "and" joins clauses or verbs, and not where it joins nouns."""
    pieces, start = [], 0
    for joint in _JOINT.finditer(main):
        head, tail = main[start : joint.start()], main[joint.end() :]
        if verb_at(head) and (_begins_with_verb(tail, head) or _begins_clause(tail)):
            pieces.append(head)
            start = joint.end()
    return [*pieces, main[start:]]


def _begins_with_verb(tail: str, before: str) -> bool:
    first, *rest = tail.split() or [""]
    if first in FINITE:
        return True
    asks = auxiliary_of(first)
    if asks is None and not participle(first):
        return False
    return bool(rest) and (_goes_on(rest[0]) or participle(first))


def _begins_clause(tail: str) -> bool:
    place = verb_at(tail)
    return 0 < place <= 6


def _continued(subject: str, words: str, main: str) -> str:
    """A further verb with the subject before it, and its auxiliary: "is counted and debited" has "is" twice.

    Empty where it is open whether the auxiliary goes on: "was born in Graz and toured Italy".
    """
    place, first = verb_at(main), words.split()[0]
    auxiliary = main.split()[place] if place else ""
    if first in FINITE or not participle(first):
        return f"{subject} {words}"
    finite = auxiliary_of(first) is not None
    if auxiliary in ("is", "are"):
        return f"{subject} {auxiliary} {words}"
    if auxiliary in FINITE and re.search(rf"\b{auxiliary} (?:\w+ly )?be\b", main):
        return f"{subject} {auxiliary} be {words}"
    if auxiliary in FINITE:
        return "" if finite else f"{subject} {auxiliary} {words}"
    return f"{subject} {words}" if finite else ""


def _small(words: str) -> str:
    return words[:1].lower() + words[1:]
