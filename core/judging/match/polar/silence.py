"""Whether an answer to a yes-or-no question declines, where "the report mentions none" may be its answer."""

from __future__ import annotations

import re

from core.judging.match.abstention import Outcome, Reading
from core.judging.match.polar.booleans import ANY_AT_ALL
from core.judging.match.surroundings.sentences import sentence_around

_ASKS_WHAT_IS_SAID = re.compile(
    r"\b(?:report|disclos|announc|mention|stat|record|describ|identif|provid|present|contain|includ|list|discuss|"
    r"specif|note|reveal|indicat|reflect|cover|require|allow|permit|prohibit|exclud)\w*"
)
_SEES_NONE = re.compile(
    r"\bi (?:do not|dont|cannot|cant|could not|couldnt|can not) (?:see|find) (?:an?|any|other)\b"
    r"(?! (?:[a-z]+ )?(?:information|details?|mention|answer|data|records?|documents?|passages?)\b)"
)
"""Where a search among what there is found none of what is asked: "I do not see an unfilled one"."""
_NO_SUCH = re.compile(
    r"\bthere (?:is|are|was|were) no (?P<what>[a-z]{5,}) (?:on record|on file|recorded|registered|noted)\b"
)
FAMILY = 5
"""First letters that words of one family share: exempt, exemption."""
_NOTHING_AGAINST = re.compile(
    r"\b(?:nothing|no (?:rule|clause|provision|reason|law|policy)\w*|none)\b[^.;\n]{0,80}?\b(?:exclud|prevent|prohibit"
    r"|forbid|stop|bar|rul\w+ out|restrict|preclud|hinder|against|oppos)\w*"
)
"""A yes in two denials: "nothing in the rules excludes students"."""
_SPEAKS_OF_ITSELF = re.compile(
    r"\b(?:i|we|im|cannot|cant|could not|couldnt|unable|whether|information|details?|context|excerpts?|snippets?"
    r"|passages?|provided|supplied|given|retrieved|insufficient|enough|unclear|determine[d]?|possible|unknown)\b"
)


def keeps_silent(reading: Reading, text: str, question: str) -> bool:
    """Whether an answer declines, rather than saying that what is asked about is not there.

    Args:
        reading: How the answer as a whole reads.
        text: Match text of the answer.
        question: Match text of the question.

    >>> from core.judging.match.abstention import read_answer
    >>> question, answer = "does the 10-q report any buybacks?", "the 10-q does not report any buybacks."
    >>> keeps_silent(read_answer(question, answer), answer, question)
    False
    >>> keeps_silent(read_answer("is it open?", "it is not stated."), "it is not stated.", "is it open?")
    True
    """
    if reading.outcome is not Outcome.DECLINED:
        return reading.outcome is Outcome.ASKS_BACK
    if nothing_against(text):
        return False
    return not says_there_is_none(text, question) and not (
        _ASKS_WHAT_IS_SAID.search(question) and not speaks_of_itself(reading, text)
    )


def nothing_against(text: str) -> bool:
    """Whether a text says in two denials that something may be.

    >>> nothing_against("nothing in the rules excludes students"), nothing_against("the rules exclude students")
    (True, False)
    """
    return _NOTHING_AGAINST.search(text) is not None


def says_there_is_none(text: str, question: str) -> bool:
    """Whether a denial of an answer tells what a source says, where the question asks for that.

    >>> says_there_is_none("the 10-q contains no announcement of one.", "did it announce a merger?")
    True
    >>> says_there_is_none("i could not find one in the context.", "did it announce a merger?")
    False
    """
    if (none := _NO_SUCH.search(text)) and re.search(rf"\b{none['what'][:FAMILY]}", question):
        return True
    if ANY_AT_ALL.search(question) and _SEES_NONE.search(text):
        return True
    return bool(_ASKS_WHAT_IS_SAID.search(question)) and not _SPEAKS_OF_ITSELF.search(text)


def speaks_of_itself(reading: Reading, text: str) -> bool:
    """Whether the sentence in which an answer declines is about what it has read rather than about the matter.

    Args:
        reading: How the answer as a whole reads.
        text: Match text of the answer.
    """
    if not reading.says_so:
        return False
    words = reading.words.split()
    tails = (" ".join(words[start:]) for start in range(len(words)))
    # A verb may stand in place of the words that the answer has before what is missing.
    place = next((found for tail in tails if (found := text.find(tail)) != -1), 0)
    return bool(_SPEAKS_OF_ITSELF.search(sentence_around(text, place, place)))
