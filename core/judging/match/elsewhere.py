"""Whether an answer says of something else that it is what is asked, or of a name something else than what is asked."""

from __future__ import annotations

import re

from core.judging.match.figures.asked import asked_property
from core.judging.match.readers.texts.codes import of_its_shape
from core.judging.match.readers.times.periods import find_periods
from core.judging.match.surroundings.objections import IN_PASSING, NEEDS_A_JUDGE, Objection
from core.judging.match.surroundings.sentences import sentence_around, telling_stems
from core.judging.match.values import Hit
from core.text.words import stem

_PLANNED_AFTER = re.compile(
    r"[\"')]* (?:is|was|are|were|has been|had been|have been)(?: only| still| being| currently)? "
    r"(?:planned|proposed|considered|under (?:discussion|consideration|review)|foreseen|envisaged|suggested)\b"
)
_LISTED_AS = re.compile(
    r"\b(?:lists?|gives?|names?|shows?|records?|identif(?:y|ies)|states?|cites?|specif(?:y|ies)|has) "
    r"(?P<what>[^.,;:\n]{2,60}?) as (?:the|its|their|his|her) (?P<of>[^.;:\n]{3,100})"
)
"""A sentence that says what something is: "the catalogue lists English as the language of instruction"."""
_KEYED = re.compile(
    r"\b(?P<of>[a-z]{3,20})\b[*\"' ]{0,3}[=:][*\"' ]{0,3}(?P<what>[a-z][\w' -]{1,40}?)(?=[*\"']*(?:[.,;\n(]|$))"
)
"""A property with its value: "status = in_progress"."""
_CHOICE = re.compile(
    r"\b(?:which|who|what|whether|is|are|was|were|does|do)\b.*\b(?:more|less|[a-z]{3,}er|[a-z]{3,}est|most)\b.*\bor\b"
)
"""A question which of two things is more of something."""
_MORE = re.compile(r"\b(?:more|less|most|least|[a-z]{3,}(?:er|est)|than)\b")
_KIND_ASKED = re.compile(r"\b(?:which|what) (?:of the )?([a-z]+)")
MOST_READ = 4_000
"""Characters of an answer in which it may say what is what."""
MOST_SHOWN = 40
"""Characters of a sentence that a reason shows."""
FEW_RIVALS = 2
"""Telling words of a sentence that tells something else."""
_CODED = re.compile(r"(?=[\w./-]*\d)(?=[\w./-]*[a-z])[\w./-]{3,}")
_ASIDE = re.compile(r"\([^()\n]{1,120}\)")
_SO = re.compile(r"(?:^|[,;.] ?)(?:so|thus|therefore|hence)\b[^.;\n]*")
_IN_A_YEAR = re.compile(r"\W*(?:in|during|for|as of) (?P<year>(?:19|20)\d\d)\b")
_WHOSE = re.compile(r"['’]?s (?P<what>[a-z]{3,})")
"""Behind a name that says whose something is: "ann lee's employer"."""


def _beside_the_choice(value: str, sentence: str, question: str) -> str:
    """The sentence of a name that tells something else of it, where a question asks which of two is more; or empty."""
    if not _CHOICE.search(question) or not telling_stems(value) <= telling_stems(question):
        return ""
    kind = telling_stems(" ".join(_KIND_ASKED.findall(question)))
    rest = telling_stems(sentence.replace(value, " ")) - telling_stems(value) - kind
    asked = telling_stems(question.replace(value, " "))
    if len(rest) < FEW_RIVALS or rest & asked or _MORE.search(sentence):
        return ""
    return " ".join(sentence.split())[:MOST_SHOWN]


def _listed_as(value: str, text: str, question: str) -> str:
    """What an answer says to be what a question asks for, where that is another thing than a value; or empty."""
    wanted = asked_property(question)
    for keyed in _KEYED.finditer(text[:MOST_READ]) if wanted else ():
        if wanted and stem(keyed["of"]) == wanted.head:
            told = keyed["what"].strip()
            return "" if value in told or told in value else told
    listed = _LISTED_AS.search(text[:MOST_READ])
    if listed is None or value in listed[0]:
        return ""
    return listed["what"] if len(telling_stems(listed["of"]) & telling_stems(question)) > 1 else ""


def _another_code(hit: Hit, text: str, question: str) -> str:
    """The code of a value's shape that an answer gives where it has the value in brackets, or before it concludes."""
    code = _CODED.search(text[hit.start : hit.end])
    other = of_its_shape(code[0], text, question) if code else ""
    if not code or not other:
        return ""
    aside = next((one for one in _ASIDE.finditer(text) if one.start() < hit.start < one.end()), None)
    if aside and other in text[: aside.start()] and code[0] not in text[: aside.start()]:
        return other
    concluded = [clause[0] for clause in _SO.finditer(text, hit.end)]
    return other if any(other in clause and code[0] not in clause for clause in concluded) else ""


def _another_year(hit: Hit, text: str, question: str) -> int:
    """The year that a sentence begins with in which a name stands, where a later one is of the year asked for; or 0."""
    asked = {period.year for period in find_periods(question) if period.year and not period.quarter}
    if len(asked) != 1:
        return 0
    own = _IN_A_YEAR.match(sentence_around(text, hit.start, hit.end))
    if own is None or int(own["year"]) in asked:
        return 0
    year = next(iter(asked))
    return int(own["year"]) if re.search(rf"(?:^|[.;\n] ?)\W*in {year}\b", text[hit.end :]) else 0


def said_elsewhere(hit: Hit, text: str, question: str) -> Objection | None:
    """Why a name does not answer a question though nothing around it denies it, or None.

    It is only planned, says whose something is, stands in a sentence that does not compare where two are compared,
    or another thing is said to be what is asked.

    Args:
        hit: Where the reference stands.
        text: Match text of the answer.
        question: Match text of the question.

    >>> answer = "it lists english as the language of the course. notes are in french."
    >>> said_elsewhere(Hit(rule="text", start=60, end=66, reason=""), answer, "what is the course language?").rule
    'in passing'
    """
    value, sentence = text[hit.start : hit.end], sentence_around(text, hit.start, hit.end)
    planned = _PLANNED_AFTER.match(text, hit.end)
    if planned and not _asked(planned[0], question):
        return _undecided(f'"{value}" is only planned: "{(value + planned[0]).strip()}".')
    if apart := _beside_the_choice(value, sentence, question):
        return _undecided(f'"{value}" stands in a sentence that does not compare: "{apart}".')
    if other := _another_code(hit, text, question):
        return Objection(rule=IN_PASSING, reason=f'The answer has "{value}" beside another one: "{other}".')
    if year := _another_year(hit, text, question):
        return _undecided(f'"{value}" is said of {year}, and something else of what is asked for.')
    if (whose := _WHOSE.match(text, hit.end)) and not _asked(whose["what"], question):
        return _undecided(f'"{value}" only says whose: "{value}{whose[0]}".')
    if other := _listed_as(value, text, question):
        return Objection(rule=IN_PASSING, reason=f'The answer says "{other}" is what is asked.')
    return None


def _asked(words: str, question: str) -> bool:
    return bool(telling_stems(words) & telling_stems(question))


def _undecided(reason: str) -> Objection:
    return Objection(rule=NEEDS_A_JUDGE, reason=reason)
