"""Which sentences of an answer claim something: not those that decline, greet or only announce what follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from core.judging.match.abstention import Move, makes_no_claim, moves
from core.metrics.comparison.lexical import SentenceWords, answer_words, stems_of
from core.metrics.comparison.specifics import Kind, Specific, find_specifics
from core.metrics.prepared import Part, Prepared
from core.text.words import PADDING, stem, words

ANNOUNCES = (":", "：")
"""A sentence that ends so announces what follows and is not matched itself, if it says nothing of its own."""

OWN_WORDS = 1
"""So many words that occur nowhere are a manner of announcing; a sentence with more says something of its own."""

_OF_LISTS = """
additional additionally advice also approach area aspect available based basic benefit best brief category common
component consider consist contain context criterion description difference different document element essential
example explanation factor feature first follow following further general generally group guide guideline however idea
important include including instruction item key kind list main major many means measure method multiple notable number
often option order outline overview part passage perform point popular primary principle procedure process reason
recommend recommendation requirement result rule section several similar simple simply source special stage step
strategy suggest suggestion summary take text tip top topic try type typical typically usual usually variety various way
yes able couple due might new note related two three four five
"""
ANNOUNCING = frozenset(stem(word) for word in (*_OF_LISTS.split(), *PADDING))
"""What lists are announced with ("In general, follow these steps:"), and words of requests; they say nothing alone."""

_OF_VERDICTS = """
yes no yeah yep nope not necessarily quite exactly really always entirely unfortunately sorry afraid sure certainly
absolutely definitely correct incorrect right wrong true false that s is it this depends of course indeed generally
usually normally typically in most cases partly maybe possibly probably likely unlikely i m to some extent short but
only with a few some exceptions limits both neither at all never so
"""
BARE_VERDICT = frozenset(_OF_VERDICTS.split())
"""What a sentence is made of that only agrees or denies ("Unfortunately, no."): the next one says what."""

LONGEST_HEADING = 3
"""Content words of a sentence with a colon that is a heading of what follows, whatever its words ("Avoid adding:")."""

_COUNTS_WHAT_FOLLOWS = re.compile(
    r"\b(?:two|three|four|five|six|several|some|various|multiple|different|a few|a couple of|a number of) (?:\w+ ){0,2}"
    r"(?:reasons?|ways|options|steps|things|factors|conditions|kinds|types|sorts|exceptions|points|parts|possibilities"
    r"|methods|routes|cases|causes|benefits|advantages|differences|requirements)\W*$",
    re.IGNORECASE,
)
"""A sentence that only counts what is told behind it: "There are two ways."."""

_OF_ITSELF = re.compile(
    r"\b(?:as an? )?(?:AI|LLM)\b|\b(?:my|our) (?:[a-z]+ )?(?:knowledge|training|update|cut-?off)\b[^,;.?]*",
    re.IGNORECASE,
)
"""What an assistant says of itself when it declines: that it is an AI, and the day its training ended."""
_GERMAN = re.compile(
    r"\b(?:ich|sie|wir|nicht|nichts|keine?n?|und|das|der|bitte|ihnen|leider|welche[rsn]?)\b", re.IGNORECASE
)
"""In German every noun has a capital, so capitals tell no names."""


def claims_of(prepared: Prepared) -> tuple[int, ...]:
    """Which sentences of the answer claim something; none where the answer as a whole says that it has no answer.

    An answer that only the reader of refusals takes for one tells facts beside the question, and these are claims.
    What sounds like no claim is one all the same where it says something of its own: a polite way to announce ("Here
    are the steps:") by its words, and a sentence that declines or asks, or any of an answer that abstains, by a number,
    date, code or name that neither the passages nor the question have.
    """
    words_of_answer = answer_words(prepared)
    told = prepared.sample.abstained is None and prepared.reading.learned
    abstains = prepared.abstained and not told

    def claims(place: int, sentence: str) -> bool:
        if not (abstains or makes_no_claim(sentence)):
            return True
        leads = not abstains and sentence.endswith(ANNOUNCES)
        return (leads and _says_something(prepared, words_of_answer[place])) or _invents(prepared, place)

    sentences = prepared.sentences(Part.ANSWER)
    found = tuple(place for place, sentence in enumerate(sentences) if claims(place, sentence.text))
    return tuple(place for place in found if not is_bare_verdict(sentences[place].text)) or found


def specifics_of(prepared: Prepared, place: int) -> tuple[Specific, ...]:
    """The specifics of a sentence of the answer, looked up in the passages and the question; made once a sentence."""

    def make() -> tuple[Specific, ...]:
        sources = (*prepared.sample.texts, prepared.sample.question)
        return find_specifics(prepared.sentences(Part.ANSWER)[place].text, sources)

    return cast(tuple[Specific, ...], prepared.keep(f"specifics {place}", make))


def _invents(prepared: Prepared, place: int) -> bool:
    """Whether a sentence that sounds like no claim has a specific that occurs nowhere.

    Names count only where it declines or asks: who greets or sends somebody elsewhere names a person or a desk.
    """
    sentence = prepared.sentences(Part.ANSWER)[place].text
    absent = [specific for specific in specifics_of(prepared, place) if not specific.found]
    if not absent:
        return False
    if _OF_ITSELF.search(sentence):
        sources = (*prepared.sample.texts, prepared.sample.question)
        absent = [specific for specific in find_specifics(_OF_ITSELF.sub(" ", sentence), sources) if not specific.found]
    names = not {Move.DECLINES, Move.ASKS}.isdisjoint(moves(sentence)) and not _GERMAN.search(sentence)
    return any(names or specific.kind is not Kind.NAME for specific in absent)


def _says_something(prepared: Prepared, sentence_words: SentenceWords) -> bool:
    """Whether more words than `OWN_WORDS` occur neither in passages nor question; numbers count elsewhere."""
    question_stems = stems_of(prepared.sample.question)
    own = {stem(word) for word in sentence_words.unfound if not any(map(str.isdigit, word))}
    return len(own - question_stems - ANNOUNCING) > OWN_WORDS


def is_bare_verdict(sentence: str) -> bool:
    """Whether a sentence only agrees or denies, so that what it claims stands in the next.

    >>> [is_bare_verdict(text) for text in ("Yes!", "Unfortunately, no.", "No, the branch is closed.")]
    [True, True, False]
    """
    return BARE_VERDICT.issuperset(words(sentence))


def announces(prepared: Prepared, place: int, claims: Sequence[int]) -> bool:
    """Whether a sentence does no more than announce a claim that follows."""
    sentence = prepared.sentences(Part.ANSWER)[place].text
    if place == max(claims):
        return False
    sentence_words = answer_words(prepared)[place]
    if not sentence.endswith(ANNOUNCES):
        return _COUNTS_WHAT_FOLLOWS.search(sentence) is not None and not _says_something(prepared, sentence_words)
    return len(sentence_words.words) <= LONGEST_HEADING or not _says_something(prepared, sentence_words)
