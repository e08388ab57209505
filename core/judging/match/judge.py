"""The match judge: one verdict for one answer, with the rule that decided."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.results.responses import Judgement, Verdict
from core.judging.match.abstention import Outcome, Reading, read_answer, says_nothing
from core.judging.match.beyond import beyond
from core.judging.match.citations import without_citations
from core.judging.match.figures.conditions import speaks_of_another
from core.judging.match.figures.two_clauses import of_other_things
from core.judging.match.matching.emphasised import alone_in_bold, other_in_bold
from core.judging.match.matching.listed import one_more
from core.judging.match.matching.numbers import add_up
from core.judging.match.polar.booleans import as_polar
from core.judging.match.polar.silence import speaks_of_itself
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.interjections import without_interjection
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.texts.provenance import without_notes, without_provenance
from core.judging.match.readers.texts.versions import one_version
from core.judging.match.readers.times.clock import clock_in_figures, is_clock, lasting
from core.judging.match.readers.times.turns import in_turns
from core.judging.match.reference import MAX_TYPED, Reference, find_value, read_reference
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.match.stated import CLOSENESS, MAX_HITS, MAX_READ, AnswerText, stated
from core.judging.match.surroundings.context import Objection
from core.judging.match.surroundings.standing import NEEDS_A_JUDGE
from core.judging.match.unproven import ROUNDED, nearly, unproven
from core.judging.match.unproven.equivalence import is_prose, is_statement, open_question, says_none
from core.judging.match.unproven.otherwise import all_figures, may_be_the_same, paid_per
from core.judging.match.values import Hit
from core.judging.match.verdicts import (
    correct,
    found,
    incorrect,
    judge_figures,
    judge_list,
    judge_silence,
    judge_truth,
    missed,
    undecided,
    unnamed,
    unproved,
)

_LEFT_OPEN = re.compile(
    r"\b(?:documents?|sources?|passages?|records?|excerpts?|files?)\b[^.,;\d\n]{0,40}"
    r"\b(?:disagree|contradict|conflict|differ|(?:are|is) inconsistent)(?:s|ing|ory)?\b(?! checks?\b)"
    r"|\b(?:cannot|cant|could not|couldnt|unable to|not (?:able|possible) to|unclear|(?:remains?|left|leaves?) open)\b"
    r"[^.,;\n]{0,40}\bwhich (?:of|one|figure|value|date|number)\b"
)
"""Where an answer leaves open which of several values holds."""
_IN_ONE_READING = "(in one of its readings)"
_AS_A_SHARE = "(as a fraction)"
_SHARE_ASKED = re.compile(
    r"\b(?:percent\w*|per cent|rates?|ratios?|shares?|margins?|yields?|growth|growing|grew|discounts?|propor\w*"
    r"|fractions?|probabilit\w*|tax\w*|interest|return\w*|turnover|utili[sz]ation|chang\w*|increas\w*|decreas\w*"
    r"|part of|how much of|concentrations?|coverage|efficiency|accuracy|score|risk|weight\w*|occupancy|inflation|roa"
    r"|roe|apr|vat|quota)\b|%"
)
"""Questions to which a share is the answer."""
_MAGNITUDE = re.compile(r"\b(?:thousand|million|billion|trillion|mn|bn|mm)\b")
MAX_CLOCK = 40
"""Characters of a time of day."""
VERSION = 15
"""Of the rules, raised when they decide otherwise; 15 compares figures in the unit that is asked for, knows units of
speed, power, pressure and temperature, reads Y and N as flags, and takes the day of a timestamp where a date is asked
for; 14 takes what is put in bold for what an answer concludes, reads
entries behind stars, four digits that are no year, what a figure is broken down into or a part of, and companies
without their legal form, and leaves names in part to a judge; 13 reads names without the word that says what they
are, quarters of the question's year, sums and what figures come to, and states by another word; 12 leaves to a judge
what is there in another form, order or direction; 11 reads times of day in words, versions, and entries with which a
list goes on; 10 calls an answer wrong only where it gives another value; 9 reads parts of a million and days in
words; 8 leaves to a judge what may be the reference in other words or in another measure, and reads conclusions, the
last day of a month and rounded repeats; 7 asks which act, kind or term a value stands with, and knows spellings,
telephone numbers and entries beyond the reference; 5 reads what a value is said of, fractions, quantities in two
units and changes; 4 reads references that explain a yes or no or compare figures, tells a refusal from a no, and
knows countries, nationalities, currencies and acronyms by their other names."""


def judge_match(
    question: str,
    reference_answers: Sequence[str],
    answer: str | None,
    settings: MatchSettings = DEFAULT,
    *,
    passages: Sequence[str] = (),
) -> Judgement:
    """Judges an answer by rules, without a model.

    Correct means: at least one acceptable answer is stated, in any usual format, and the words around it do not deny
    it, hedge it, take it back, ask it or offer it as one of several. Marks of citation such as ``[1]`` say nothing. The
    order of the rules is in ``docs/match-judge.md``.

    Args:
        question: The case's question; its own words do not count as the answer.
        reference_answers: Every acceptable answer; any of them will do. A list in one of them wants all its parts.
        answer: The target's answer; None where it failed.
        settings: The tolerance for figures and what coarser dates count for.
        passages: What was retrieved for the question: acronyms that it spells out count as what they stand for.

    Returns:
        The verdict with the rule that decided, a sentence, and what was compared. ``not_judged`` where there is no
        answer ("no answer") or no reference ("no reference").

    >>> judge_match("Who manages it?", ["Ann Lee"], "It is managed by Ann Lee.").verdict.value
    'correct'
    >>> judge_match("What was the revenue?", ["1,250,000"], "Revenue was 1.25 million.").reason
    'number: 1,250,000 = 1.25 million'
    >>> judge_match("Who manages it?", ["Ann Lee"], "I could not find this in the documents.").rule
    'abstained'
    """
    references = [reference for reference in reference_answers if reference and reference.strip()]
    if not references:
        return Judgement(
            verdict=Verdict.NOT_JUDGED, rule="no reference", reason="The case has no reference answer to compare with."
        )
    if answer is None:
        return Judgement(
            verdict=Verdict.NOT_JUDGED, rule="no answer", reason="The target failed, so there is no answer to judge."
        )
    detail: dict[str, object] = {"references": list(references)}
    question = as_polar(question, references)
    if len(answer) > MAX_READ:
        detail["characters_read"] = MAX_READ
        detail["characters"] = len(answer)
    if (uncited := without_citations(answer, references)) != answer:
        detail["citations_left_out"] = True
        answer = uncited
    answer = in_turns(one_version(answer, references, question), tuple(references))
    answer = lasting(without_interjection(answer), question)
    if not any("(" in reference for reference in references):
        answer = without_notes(answer)
    if any(len(reference) <= MAX_CLOCK and is_clock(reference) for reference in references):
        answer = clock_in_figures(answer)
    answer_text = AnswerText(
        answer=answer,
        plain=match_text(answer[:MAX_READ]),
        question=match_text(question[:MAX_READ]),
        question_as_written=question[:MAX_READ],
        settings=settings,
        passages=tuple(passages),
    )
    allies = _every_hit(references, answer_text)
    reading = read_answer(question[:MAX_READ], answer, by_rules=True)
    judgements = [
        replace(judgement, detail={**judgement.detail, "reference": reference})
        for reference in references
        for judgement in [_judge_one(reference, answer_text, allies, reading)]
    ]
    best = next((judgement for judgement in judgements if judgement.verdict is Verdict.CORRECT), None)
    if best is None:
        best = max(judgements, key=lambda judgement: CLOSENESS.index(judgement.rule))
    reason = best.reason
    if best.rule == "exact" and "citations_left_out" in detail:
        reason = "Apart from citation marks, the answer is the reference, word for word."
    return Judgement(verdict=best.verdict, rule=best.rule, reason=reason, detail={**detail, **best.detail})


def _judge_one(reference_text: str, answer_text: AnswerText, allies: Sequence[Hit], reading: Reading) -> Judgement:
    text, question = answer_text.plain, answer_text.question
    if same := _word_for_word(reference_text, answer_text):
        return same
    reference_text = without_provenance(reference_text)
    if len(reference_text) > MAX_READ:
        return incorrect(reference_text, "no match", "The answer does not hold the reference.")
    silence = reading.words if reading.says_so else ""
    reference = read_reference(reference_text, question)
    typed = reference.number or reference.date or reference.truth is not None
    if not typed and _has_no_answer(reference_text, question):
        # where the reference has an answer, only rules decide whether the answer declines
        return judge_silence(reference_text, answer_text)
    if not text or says_nothing(text):
        return incorrect(
            reference_text, "abstained", "The answer is empty." if not text else f'The answer says nothing: "{text}".'
        )
    if reference.truth is not None:
        return judge_truth(reference, answer_text, reading)
    if reference.figures:
        return judge_figures(reference, answer_text, silence)
    outcome = stated(reference, answer_text, allies, many=bool(reference.parts))
    if isinstance(outcome, Hit):
        if reference.parts and (more := one_more(reference.parts, text, question)):
            return undecided(reference.text, f'The answer lists "{more}" besides what the reference lists.')
        return _judge_hit(reference, answer_text, outcome, silence)
    if reference.parts and not is_prose(reference.plain, len(reference.parts)):
        return judge_list(reference, answer_text, silence, outcome)
    may_say_it = (
        reading.outcome is Outcome.ANSWERED
        or (reading.outcome is Outcome.PARTLY and is_statement(reference.plain))
        or (says_none(reference.plain) and reading.says_so and not speaks_of_itself(reading, text))
    )
    if (
        outcome.rule == "no match"
        and may_say_it
        and (why := open_question(reference_text, answer_text.answer, question))
    ):
        return undecided(reference_text, why)
    return _judge_miss(reference, answer_text, outcome, silence)


def _judge_hit(reference: Reference, answer_text: AnswerText, hit: Hit, silence: str) -> Judgement:
    """Correct, unless the answer declines and has the value for something else."""
    text, question = answer_text.read_for(reference), answer_text.question
    if silence and reference.number and speaks_of_another(text, hit, question):
        return incorrect(reference.text, "abstained", f'The answer says "{silence}".')
    if silence and of_other_things(hit, text, question):
        return undecided(reference.text, f'The answer says "{silence}" and gives the value for something else.')
    if left_open := _LEFT_OPEN.search(text):
        return undecided(reference.text, f'The answer leaves open what holds ("{left_open[0]}").')
    if reference.number and (name := unnamed(reference.text, text, question)):
        return undecided(reference.text, f'The answer has the figure without "{name}".')
    if hit.reason.endswith(_IN_ONE_READING) and _MAGNITUDE.search(text[hit.start : hit.end]):
        return undecided(reference.text, f"{text[hit.start : hit.end]} can be read in two ways.")
    if _is_a_share_alone(reference, hit, text, question):
        return undecided(reference.text, f"{text[hit.start : hit.end].strip()} is it only if a share is asked for.")
    paid, wanted = paid_per(reference.text, text, hit, question) if reference.number else ("", "")
    if paid:
        return incorrect(reference.text, "other value", f"The answer gives it {paid}, what is wanted is {wanted}.")
    if reference.number and (bold := other_in_bold(reference.number, answer_text.answer[:MAX_READ], question)):
        return undecided(reference.text, f"The answer has the figure and puts {bold} in bold.")
    if reference.number and hit.rule == "number" and (besides := beyond(reference.text, hit, text, question)):
        return undecided(reference.text, besides)
    return found(reference.text, hit, answer_text.settings)


def _is_a_share_alone(reference: Reference, hit: Hit, text: str, question: str) -> bool:
    """Whether a percentage stands for a bare number below 1 where a question does not say that it asks for a share."""
    if not hit.reason.endswith(_AS_A_SHARE) or reference.number is None or _SHARE_ASKED.search(question):
        return False
    return reference.number.unit != "%" and reference.plain[:2] in {"0.", "0,"} and "%" in text[hit.start : hit.end]


def _judge_miss(reference: Reference, answer_text: AnswerText, outcome: Objection, silence: str) -> Judgement:
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
    if reference.kind == "text" and outcome.rule == "no match" and not silence:
        figures = all_figures(figure_text(reference.text), figure_text(answer_text.answer[:MAX_READ]))
        if figures:
            return undecided(reference.text, f"The answer has the figures of the reference ({figures}).")
    text = answer_text.read_for(reference)
    if reference.number and outcome.rule == "less precise" and (about := nearly(reference.number, text, ROUNDED)):
        return correct(reference.text, "number", f"number: {reference.number.text.strip()} is {about}")
    if not silence and (why := unproven(reference, outcome, text, answer_text.answer, answer_text.question)):
        return unproved(reference.text, why)
    return missed(reference.text, outcome, silence)


def _word_for_word(reference_text: str, answer_text: AnswerText) -> Judgement | None:
    answer = answer_text.answer
    if len(reference_text) <= MAX_READ and len(answer) <= MAX_READ:
        same = _stripped(answer_text.plain) == _stripped(match_text(reference_text))
    else:
        same = " ".join(reference_text.casefold().split()) == " ".join(answer.casefold().split())
    return correct(reference_text, "exact", "The answer is the reference, word for word.") if same else None


def _has_no_answer(reference_text: str, question: str) -> bool:
    """Whether the reference itself is a blank, or a sentence that declines."""
    if says_nothing(match_text(reference_text)):
        return True
    return (
        len(reference_text) <= MAX_TYPED
        and read_answer(question, reference_text, by_rules=True).outcome is Outcome.DECLINED
    )


def _every_hit(references: Sequence[str], answer_text: AnswerText) -> list[Hit]:
    """Where the acceptable answers stand, when there is more than one: "USA or United States" is no choice."""
    if len(references) < 2:
        return []
    question = answer_text.question
    readable = [
        read_reference(without_provenance(reference), question)
        for reference in references
        if len(reference) <= MAX_READ
    ]
    return [
        hit
        for reference in readable
        for hit in find_value(reference, answer_text.read_for(reference), question).hits[:MAX_HITS]
    ]


def _stripped(text: str) -> str:
    return text.strip(" .\"'\n")
