"""Verdicts on references that are one value: where it stands, whether that is meant; where not, what that shows."""

from __future__ import annotations

import re

from core.domain.results.responses import Judgement
from core.judging.match.beyond import beyond
from core.judging.match.figures.chosen.roles import is_loss
from core.judging.match.figures.conditions import speaks_of_another
from core.judging.match.figures.two_clauses import of_other_things
from core.judging.match.matching.emphasised import alone_in_bold, other_in_bold
from core.judging.match.matching.nothing import ZERO_IN_WORDS
from core.judging.match.matching.numbers import add_up
from core.judging.match.readers.figures.numbers import parse_number
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.codes import is_code
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.times.clock import is_moment
from core.judging.match.reference import Reference, find_value
from core.judging.match.stated import MAX_READ, AnswerText
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.judging.match.surroundings.sentences import sentence_around
from core.judging.match.unproven import ROUNDED, nearly, unproven
from core.judging.match.unproven.denominators import counted_in, given_for
from core.judging.match.unproven.otherwise import all_figures, may_be_the_same
from core.judging.match.values import Hit
from core.judging.match.verdicts import (
    correct,
    found,
    incorrect,
    missed,
    undecided,
    unnamed,
    unproved,
)

_LEFT_OPEN = re.compile(
    r"\b(?:documents?|sources?|passages?|records?|excerpts?|files?)\b[^.,;\d\n]{0,40}"
    r"\b(?:disagree|contradict|conflict|differ|(?:are|is) inconsistent)(?:s|ing|ory)?\b(?! checks?\b)"
    r"|\bone of (?:these|those|them|the) two\b[^.;\n]{0,20}\b(?:probably|likely|must|may|might)\b"
    r"|\b(?:do|does)(?: not|nt) allow (?:a |any )?(?:definite|clear|final|certain)\b"
    r"|\bcould be either(?: one| of (?:them|these|the two))?\b(?! of (?:a|an) )"
    r"|\b(?:do|does|did) not (?:settle|say|state|specify|show|tell)\b[^.,;\n]{0,20}\bwhich (?:of|one)\b"
    r"|\b(?:cannot|cant|could not|couldnt|unable to|(?:not|isnt|wasnt) (?:able|possible) to|unclear"
    r"|(?:remains?|left|leaves?) open)\b"
    r"[^.,;\n]{0,40}\bwhich (?:of|one|figure|value|date|number|is|was)\b"
)
"""Where an answer leaves open which of several values holds."""
_SHARE_WANTED = re.compile(
    r"\b(?:what|which) (?:percentage|per ?cent|share(?! (?:price|capital|value|class|count|of profit)))\b"
    r"|\bhow many (?:percent|per cent)\b"
)
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?: in the [a-z]+)?")
NEAR = 60
"""Characters in front of a figure."""
_IN_ONE_READING = "(in one of its readings)"
_AS_A_SHARE = "(as a fraction)"
_SHARE_ASKED = re.compile(
    r"\b(?:percent\w*|per cent|rates?|ratios?|shares?|margins?|yields?|growth|growing|grew|discounts?|propor\w*"
    r"|fractions?|probabilit\w*|tax\w*|interest|return\w*|turnover|utili[sz]ation|chang\w*|increas\w*|decreas\w*"
    r"|part of|how much of|concentrations?|coverage|efficiency|accuracy|score|risk|weight\w*|occupancy|inflation|roa"
    r"|roe|apr|vat|quota)\b|%"
)
"""Questions to which a share is the answer."""
_POUNDS = re.compile(r" pounds?\b(?! sterling)")
_NAME = re.compile(r"(?<=[a-z,;'’\"] )[A-Z][\w'-]{2,}")
_MAGNITUDE = re.compile(r"\b(?:thousand|million|billion|trillion|mn|bn|mm)\b")


def _is_none(hit: Hit) -> bool:
    """Whether the words that decline are the answer: "none of our customers has one" where 0 is wanted."""
    return hit.reason.startswith(ZERO_IN_WORDS)


def judge_hit(reference: Reference, answer_text: AnswerText, hit: Hit, silence: str) -> Judgement:
    """Correct, unless the answer declines and has the value for something else."""
    text, question = answer_text.read_for(reference), answer_text.question
    silence = "" if _is_none(hit) else silence
    if silence and reference.number and speaks_of_another(text, hit, question):
        return incorrect(reference.text, "abstained", f'The answer says "{silence}".')
    if silence and of_other_things(hit, text, question):
        return undecided(reference.text, f'The answer says "{silence}" and gives the value for something else.')
    if silence and (name := _declined_for(silence, hit, text, answer_text)):
        return undecided(reference.text, f'The answer says "{silence}" of {name} and gives the value for another.')
    marked = answer_text.marked
    if marked and (other := marked.other_in(sentence_around(text, hit.start, hit.end))):
        reason = f'The answer gives it in a sentence about "{other}".'
        told = any(mark in text for mark in marked.asked)
        return incorrect(reference.text, "other value", reason) if told else undecided(reference.text, reason)
    if left_open := _LEFT_OPEN.search(text):
        return undecided(reference.text, f'The answer leaves open what holds ("{left_open[0]}").')
    if reference.number and (name := unnamed(reference.text, text, question)):
        return undecided(reference.text, f'The answer has the figure without "{name}".')
    if hit.reason.endswith(_IN_ONE_READING) and _MAGNITUDE.search(text[hit.start : hit.end]):
        return undecided(reference.text, f"{text[hit.start : hit.end]} can be read in two ways.")
    if _is_a_share_alone(reference, hit, text, question):
        return undecided(reference.text, f"{text[hit.start : hit.end].strip()} is it only if a share is asked for.")
    if measured := _for_another_measure(reference, text, hit, question):
        return measured
    if reference.number and (bold := other_in_bold(reference.number, answer_text.answer[:MAX_READ], question)):
        return undecided(reference.text, f"The answer has the figure and puts {bold} in bold.")
    if reference.number and hit.rule == "number" and (besides := beyond(reference.text, hit, text, question)):
        return undecided(reference.text, besides)
    return found(reference.text, hit, answer_text.settings)


def _for_another_measure(reference: Reference, text: str, hit: Hit, question: str) -> Judgement | None:
    """The verdict on a figure or a time that an answer gives for another span of time or measure; else None."""
    if (
        hit.rule == "date"
        and _CLOCK.fullmatch(text[hit.start : hit.end].strip())
        and is_moment(text, hit.start, question)
    ):
        return incorrect(reference.text, "other value", "The answer gives it as a time of day, not as how long it was.")
    if reference.number is None:
        return None
    if reference.number.value > 0 and is_loss(text[max(0, hit.start - NEAR) : hit.start], question):
        return incorrect(reference.text, "other value", "The answer says that much was lost.")
    if not reference.number.currency and _SHARE_WANTED.search(question) and _is_money(text, hit):
        return incorrect(reference.text, "unit", "The question asks for a share, and the answer gives money.")
    if reference.number.currency not in {"", "GBP", "£"} and _POUNDS.match(text, hit.end):
        return incorrect(reference.text, "currency", "The answer gives it in pounds.")
    paid, wanted = given_for(reference.text, text, hit, question)
    if paid:
        return incorrect(reference.text, "other value", f"The answer gives it {paid}, what is wanted is {wanted}.")
    if days := counted_in(reference.text, text, hit, question):
        return undecided(reference.text, f"The answer counts {days}.")
    return None


def _is_money(text: str, hit: Hit) -> bool:
    """Whether a figure is an amount of a currency."""
    number = parse_number(text[hit.start : hit.end].strip(" ."))
    return number is not None and bool(number.currency)


def _declined_for(silence: str, hit: Hit, text: str, answer_text: AnswerText) -> str:
    """The name of a question in the sentence that declines, which the sentence of the value lacks; or empty."""
    place = answer_text.plain.find(silence)
    if place < 0:
        return ""
    declining = sentence_around(answer_text.plain, place, place + len(silence))
    value = sentence_around(text, hit.start, hit.end)
    names = (match_text(name) for name in _NAME.findall(answer_text.question_as_written))
    return next((name for name in names if name in declining and name not in value), "")


def _is_a_share_alone(reference: Reference, hit: Hit, text: str, question: str) -> bool:
    """Whether a percentage stands for a bare number below 1 where a question does not say that it asks for a share."""
    if not hit.reason.endswith(_AS_A_SHARE) or reference.number is None or _SHARE_ASKED.search(question):
        return False
    return reference.number.unit != "%" and reference.plain[:2] in {"0.", "0,"} and "%" in text[hit.start : hit.end]


def judge_miss(reference: Reference, answer_text: AnswerText, outcome: Objection, silence: str) -> Judgement:
    """Why the value is not stated, unless it alone is in bold, or its parts are and only their sum is not."""
    if reference.number and outcome.rule == NEEDS_A_JUDGE and not silence:
        bold = alone_in_bold(reference.number, answer_text.answer[:MAX_READ], answer_text.question)
        if bold:
            return correct(reference.text, "number", f"number: {reference.text.strip()} = {bold}, in bold")
    if reference.number and outcome.rule in {"no match", "other value"} and not silence:
        parts = add_up(reference.number, answer_text.read_for(reference), answer_text.question)
        if parts:
            return undecided(reference.text, f"The answer gives figures that add up to it ({parts}) and no sum.")
    if reference.number and not silence:
        text = answer_text.read_for(reference)
        stands = find_value(reference, text, answer_text.question).hits
        if not stands and (other_form := may_be_the_same(reference.number, text, answer_text.question)):
            return undecided(reference.text, other_form)
    if reference.kind == "text" and outcome.rule == "no match" and not silence and not is_code(reference.plain):
        figures = all_figures(figure_text(reference.text), figure_text(answer_text.answer[:MAX_READ]))
        if figures:
            return undecided(reference.text, f"The answer has the figures of the reference ({figures}).")
    text = answer_text.read_for(reference)
    if reference.number and outcome.rule == "less precise" and (about := nearly(reference.number, text, ROUNDED)):
        return correct(reference.text, "number", f"number: {reference.number.text.strip()} is {about}")
    if not silence and (why := unproven(reference, outcome, text, answer_text.answer, answer_text.question)):
        return unproved(reference.text, why)
    return missed(reference.text, outcome, silence)
