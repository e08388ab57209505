"""Whether an answer says of something else that it is what is asked, or of a name something else than what is asked."""

from __future__ import annotations

import re

from core.judging.match.figures.asked import asked_property
from core.judging.match.readers.texts.codes import of_its_shape
from core.judging.match.readers.times.periods import find_periods
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.surroundings.objections import IN_PASSING, Objection, is_asked, undecided
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
_ROLE_ASKED = re.compile(r"\bwho (?:is|was) the (?P<role>[a-z]{4,}) (?:of|to|for)\b")
LEAST_ROLE = 5
"""First letters that a role and its act share: mentor, mentored."""
_OFFERED = re.compile(r"[\"']?(?P<one>[\w.-]+)[\"']?,? or (?:the )?[\"']?(?P<two>[\w.-]+)[\"']?")
_ALIKE = re.compile(r"\b(?:the same|equal\w*|identical)\b|\b(?:are|were) (?:tied|equal)\b|\bneither\b")
_LESS = re.compile(r"\b(?:less|fewer|lower|lowest|least|smaller|smallest|shorter|younger|later|behind|below)\b")
"""With which what an answer begins with is the one that has less, whatever is asked."""
_WHEN = re.compile(r"\b(?:most recently|recently|latest|last|currently|now|today|at present|first|originally)\b")
_PIECE = re.compile(r",\s|;\s|\b(?:and|but|while|whereas)\b")
_BY_ANOTHER = re.compile(r"\b(?:by|is|was|to|with|from) (?!the (?:same|end)\b)[a-z]")
_OF_IT = re.compile(r"\b(?:his|her|their|its|whose) (?P<what>[a-z]{3,}) (?:is|was|are|were)\b")
_WORD = re.compile(r"[^\W_]+")
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


def _is_object(hit: Hit, text: str, question: str) -> str:
    """The role that a question asks who has, where an answer says that another one has it towards a name; or empty.

    "Ann is the mentor of Bob" and "Ann mentored Bob" do not say that Bob is Ann's mentor.
    """
    asked = _ROLE_ASKED.search(question)
    if asked is None:
        return ""
    before = text[max(0, hit.start - MOST_SHOWN) : hit.start]
    role = asked["role"]
    if re.search(rf"\b(?:is|was|as|became) (?:the |an? )?{role} (?:of|to|for) (?:the )?[\"']?$", before):
        return role
    return role if re.search(rf"\b{re.escape(role[:LEAST_ROLE])}[a-z]*ed (?:the )?[\"']?$", before) else ""


def _another_chosen(value: str, text: str, question: str) -> str:
    """The other one of two that a question offers where an answer begins with it, or that both are alike; or empty."""
    pair = next((found for found in _OFFERED.finditer(question) if value in {found["one"], found["two"]}), None)
    if pair is None:
        return ""
    other = pair["two"] if value == pair["one"] else pair["one"]
    begins = re.match(
        rf"\W*(?:the |it (?:is|was) )?{re.escape(other)}(?P<rest>(?:[\"']?[,.;:(]|$| with\b)[^.;\n]*)", text
    )
    if begins and not NEGATORS & set(_WORD.findall(begins["rest"])) and not _LESS.search(begins["rest"]):
        return other
    both = re.search(
        rf"\b(?:{re.escape(value)} and {re.escape(other)}|{re.escape(other)} and {re.escape(value)})\b", text
    )
    alike = _ALIKE.search(text)
    if both and (alike or not _MORE.search(text)):
        return alike[0] if alike else both[0]
    return alike[0] if alike and other in sentence_around(text, alike.start(), alike.end()) else ""


def _another_clause(hit: Hit, text: str, question: str) -> str:
    """The clause that has the word with which a question asks for the last, the first or the present one; or empty.

    "Inspected by Ann in 2019 and most recently by Bob"; or that names the property that is asked for: "the manager is
    Ann, and her supervisor is Bob".
    """
    value = text[hit.start : hit.end]
    sentence = sentence_around(text, hit.start, hit.end)
    pieces = [piece for piece in _PIECE.split(sentence) if piece.strip()]
    own = next((piece for piece in pieces if value in piece), "")
    rest = [piece for piece in pieces if value not in piece]
    when = _WHEN.search(question)
    for piece in rest:
        if not own or not telling_stems(piece) - telling_stems(question):
            continue
        if when and when[0] in piece and when[0] not in own and _BY_ANOTHER.search(piece):
            return piece.strip()[:MOST_SHOWN]
        named = _OF_IT.search(piece)
        if named and stem(named["what"]) in telling_stems(question) - telling_stems(own):
            return piece.strip()[:MOST_SHOWN]
    return ""


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
    if planned and not is_asked(planned[0], question):
        return undecided(f'"{value}" is only planned: "{(value + planned[0]).strip()}".')
    if apart := _beside_the_choice(value, sentence, question):
        return undecided(f'"{value}" stands in a sentence that does not compare: "{apart}".')
    if role := _is_object(hit, text, question):
        return Objection(
            rule=IN_PASSING, reason=f'The answer says who is the {role} of "{value}", not that "{value}" is.'
        )
    if other := _another_chosen(value, text, question):
        return Objection(rule=IN_PASSING, reason=f'The answer does not take "{value}" of the two: "{other}".')
    if clause := _another_clause(hit, text, question):
        return undecided(f'"{value}" stands in another clause than what is asked ("{clause}").')
    if other := _another_code(hit, text, question):
        return Objection(rule=IN_PASSING, reason=f'The answer has "{value}" beside another one: "{other}".')
    if year := _another_year(hit, text, question):
        return undecided(f'"{value}" is said of {year}, and another of the year that is asked for.')
    if (whose := _WHOSE.match(text, hit.end)) and not is_asked(whose["what"], question):
        return undecided(f'"{value}" only says whose: "{value}{whose[0]}".')
    if other := _listed_as(value, text, question):
        return Objection(rule=IN_PASSING, reason=f'The answer says "{other}" is what is asked.')
    return None
