"""The match judge: one verdict for one answer, with the rule that decided."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.results.responses import Judgement, Verdict
from core.judging.match.abstention import Outcome, Reading, counts_none, read_answer, says_nothing
from core.judging.match.abstention.outcome import ANSWERED
from core.judging.match.citations import without_citations
from core.judging.match.lead import led_by, says_no_more
from core.judging.match.matching.entries import one_more
from core.judging.match.offered import read_offer, taken, takes_both
from core.judging.match.polar.booleans import as_polar
from core.judging.match.polar.silence import speaks_of_itself
from core.judging.match.readers.layout.rows import as_values
from core.judging.match.readers.texts.codes import is_code, of_its_shape
from core.judging.match.readers.texts.interjections import without_interjection
from core.judging.match.readers.texts.marks import with_marks
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.texts.provenance import without_notes, without_provenance
from core.judging.match.readers.texts.versions import one_version
from core.judging.match.readers.times.clock import as_asked, clock_in_figures, is_clock, lasting
from core.judging.match.readers.times.turns import counted, in_turns
from core.judging.match.reference import MAX_TYPED, Reference, find_value, is_country, read_reference
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.match.stated import CLOSENESS, MAX_HITS, MAX_READ, AnswerText, stated
from core.judging.match.unproven.equivalence import is_prose, is_statement, open_question, says_none
from core.judging.match.values import Hit
from core.judging.match.verdicts import (
    correct,
    incorrect,
    is_none,
    judge_figures,
    judge_list,
    judge_silence,
    judge_truth,
    longer,
    undecided,
)
from core.judging.match.verdicts.on_values import judge_hit, judge_miss

_ADDRESS_ASKED = re.compile(r"\b(?:(?:at )?(?:which|what) address|address (?:of|for|is)|where (?:is|was))\b")
"""Questions to which a text with commas is one place."""
_SEVERAL_ASKED = re.compile(
    r"^(?:which|what) [a-z-]+(?<![sui]s)s (?:are|were|have|do|did|can|could|has|had|[a-z]{3,}ed)\b"
    r"|^(?:list|name) (?:all|the)\b"
)
"""Questions that may have more than one answer."""
_COUNTED_FIRST = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]) (?:[a-z-]+ ){0,3}?[a-z]+s\b[^.:\n]*:"
)
"""How many an answer is about to list: "Two obligors borrow in yen:"."""
_SINGLE = frozenset({"number", "date", "range", "text"})
"""Kinds of references that are one value."""
MAX_CLOCK = 40
"""Characters of a time of day."""
VERSION = 24
"""Of the rules, raised when they decide otherwise, or the reader of refusals does (21, 22); 24 reads what was
before, what some have besides, nobody as none, numbers that something has, months of a year, Dutch months and
compounds, and leaves counts in other languages and terms of the same families to a judge; 23 leaves spellings of
codes and of parts of documents, shortened names and bounds of what is a bound to a judge, and reads months by their
number, counts as "twice" and "a single" and which of two "between A and B"; 22 tells for what measure a figure is
given;
20 reads kinds by a letter, a language and a sex by their codes, the ground floor, figures with what is said of them,
"not by 6 but by 4" and "no longer this, so that", and leaves to a
judge places called by the first word of their name and reasons in few words; 19 reads totals behind their parts, parts
of a whole, labels of another kind (the minimum stock beside the stock), conclusions behind a list, entries with a word
in common, compounds with "no-" and what is conceded in front of a statement; 18 reads years beside names, entries and
figures by the way and none in words; 17 which of two is said to have more, figures of several things together and of
another name, lists with one entry set apart, and "none" as an answer, and leaves a figure that is rounded by less than
half a percent to a judge; 16 takes the value with which an answer begins, tells apart what only a letter or a number
does, knows codes as codes, and calls a list with an entry too many wrong; 15 compares figures in the unit that is
asked for, knows units of speed, power, pressure and temperature, reads Y and N as flags, and takes the day of a
timestamp where a date is asked for; 14 takes what is put in bold for what an answer concludes, reads entries behind
stars, four digits that are no year, what a figure is broken down into or a part of, and companies without their legal
form, and leaves names in part to a judge; 13 reads names without the word that says what they are, quarters of the
question's year, sums and what figures come to, and states by another word; 12 leaves to a judge what is there in
another form, order or direction; 11 reads times of day in words, versions, and entries with which a list goes on; 10
calls an answer wrong only where it gives another value; 9 reads parts of a million and days in words; 8 leaves to a
judge what may be the reference in other words or in another measure, and reads conclusions, the last day of a month
and rounded repeats; 7 asks which act, kind or term a value stands with, and knows spellings, telephone numbers and
entries beyond the reference; 5 reads what a value is said of, fractions, quantities in two units and changes; 4 reads
references that explain a yes or no or compare figures, tells a refusal from a no, and knows countries, nationalities,
currencies and acronyms by their other names."""


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
    references = [as_values(reference) for reference in reference_answers if reference and reference.strip()]
    if not references:
        return Judgement(
            verdict=Verdict.NOT_JUDGED, rule="no reference", reason="The case has no reference answer to compare with."
        )
    if answer is None:
        return Judgement(
            verdict=Verdict.NOT_JUDGED, rule="no answer", reason="The target failed, so there is no answer to judge."
        )
    detail: dict[str, object] = {"references": list(references)}
    references = list(dict.fromkeys([*references, *(as_asked(reference, question) for reference in references)]))
    question = as_polar(question, references)
    if len(answer) > MAX_READ:
        detail["characters_read"] = MAX_READ
        detail["characters"] = len(answer)
    if (uncited := without_citations(answer, references)) != answer:
        detail["citations_left_out"] = True
        answer = uncited
    answer = in_turns(one_version(answer, references, question), tuple(references))
    answer = counted(lasting(without_interjection(answer), question), question)
    if not any("(" in reference for reference in references):
        answer = without_notes(answer)
    if any(len(reference) <= MAX_CLOCK and is_clock(reference) for reference in references):
        answer = clock_in_figures(answer)
    marked = with_marks(question, answer, references)
    question, answer = marked.question, marked.answer
    answer_text = AnswerText(
        answer=answer,
        plain=match_text(answer[:MAX_READ]),
        question=match_text(question[:MAX_READ]),
        question_as_written=question[:MAX_READ],
        settings=settings,
        passages=tuple(passages),
        marked=marked,
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
        best = _by_its_beginning(answer_text, references) or best
    reason = best.reason
    if best.rule == "exact" and "citations_left_out" in detail:
        reason = "Apart from citation marks, the answer is the reference, word for word."
    return Judgement(
        verdict=best.verdict, rule=best.rule, reason=marked.plain(reason), detail={**detail, **best.detail}
    )


def _by_its_beginning(answer_text: AnswerText, references: Sequence[str]) -> Judgement | None:
    """The verdict "correct" on an answer that begins with the value and then says more about it; else None."""
    lead = led_by(answer_text.answer, answer_text.question)
    if not lead:
        return None
    beginning = replace(answer_text, answer=lead, plain=match_text(lead))
    for reference in references:
        if read_reference(reference, answer_text.question).kind not in _SINGLE:
            continue  # what follows may deny the reason of a yes, or be a figure that is asked for as well
        if says_no_more(beginning.plain, match_text(reference), answer_text.question):
            judgement = _judge_one(reference, beginning, (), ANSWERED)
            if judgement.verdict is Verdict.CORRECT:
                return replace(judgement, detail={**judgement.detail, "reference": reference, "beginning": lead})
    return None


def _judge_one(reference_text: str, answer_text: AnswerText, allies: Sequence[Hit], reading: Reading) -> Judgement:
    text, question = answer_text.plain, answer_text.question
    if same := _word_for_word(reference_text, answer_text):
        return same
    reference_text = without_provenance(reference_text)
    if len(reference_text) > MAX_READ:
        return incorrect(reference_text, "no match", "The answer does not hold the reference.")
    silence = reading.words if reading.says_so else ""
    reference = read_reference(reference_text, question)
    if reference.kind == "text" and (chosen := _of_two(reference, answer_text)):
        return chosen
    typed = reference.number or reference.date or reference.truth is not None
    if not typed and _has_no_answer(reference_text, question):
        # where the reference has an answer, only rules decide whether the answer declines
        return judge_silence(reference_text, answer_text)
    if says_nothing(text) and not (reference.number and counts_none(text, question)):
        return incorrect(
            reference_text, "abstained", f'The answer says nothing: "{text}".' if text else "The answer is empty."
        )
    if reference.truth is not None:
        return judge_truth(reference, answer_text, reading)
    if reference.figures:
        return judge_figures(reference, answer_text, silence)
    outcome = stated(reference, answer_text, allies, many=bool(reference.parts))
    if isinstance(outcome, Hit):
        return _of_several(reference, answer_text, allies) or judge_hit(reference, answer_text, outcome, silence)
    if reference.parts and not is_prose(reference.plain, len(reference.parts)):
        return judge_list(reference, answer_text, silence, outcome)
    if outcome.rule == "no match" and (elsewise := _said_otherwise(reference, answer_text, reading)):
        return elsewise
    return judge_miss(reference, answer_text, outcome, silence)


def _of_two(reference: Reference, answer_text: AnswerText) -> Judgement | None:
    """The verdict on an answer that takes one of two things which a question offers; None where it takes neither."""
    offer = read_offer(answer_text.question_as_written)
    plain = reference.plain.strip(" .")
    if offer is None or plain not in {offer.one, offer.two}:
        return None
    choice = taken(offer, answer_text.plain)
    if not choice and takes_both(offer, answer_text.plain):
        return incorrect(reference.text, "several values", f'The answer takes both "{offer.one}" and "{offer.two}".')
    if not choice:
        return None
    if choice == plain:
        return correct(reference.text, "text", f'The answer takes "{choice}" of the two.')
    return incorrect(reference.text, "other value", f'The answer takes "{choice}" of the two.')


def _of_several(reference: Reference, answer_text: AnswerText, allies: Sequence[Hit]) -> Judgement | None:
    """The verdict on a list that stands in an answer as it is, and with more or said of something else; or None."""
    question = answer_text.question
    if not reference.parts:
        return _beyond_one(reference, answer_text) if reference.kind == "text" else None
    if _ADDRESS_ASKED.search(question) or reference.plain in question:
        # commas part one place, or one name that the question has as well, and no list
        alone = stated(reference, answer_text, allies, many=False)
        if not isinstance(alone, Hit):
            return undecided(reference.text, alone.reason)
    more = one_more(reference.parts, answer_text.plain, question, is_country)
    return longer(reference.text, more) if more else None


def _beyond_one(reference: Reference, answer_text: AnswerText) -> Judgement | None:
    """The verdict on an answer that names another thing besides the only one, where a question asks for any number."""
    if not _SEVERAL_ASKED.search(answer_text.question):
        return None
    more = one_more((reference.plain.strip(" ."),), answer_text.plain, answer_text.question, is_country)
    if not more:
        return None
    counted = _COUNTED_FIRST.search(answer_text.plain)
    return longer(reference.text, more) if counted else undecided(reference.text, f'The answer names "{more}" as well.')


def _said_otherwise(reference: Reference, answer_text: AnswerText, reading: Reading) -> Judgement | None:
    """The verdict on an answer that has another code in its place, or may say a reference in other words; or None."""
    text, question = answer_text.plain, answer_text.question
    if (
        reference.kind == "text"
        and is_code(reference.plain)
        and (other := of_its_shape(reference.plain, text, question))
    ):
        return incorrect(reference.text, "other value", f'The answer says "{other}", the reference is another code.')
    may_say_it = (
        reading.outcome is Outcome.ANSWERED
        or (reading.outcome is Outcome.PARTLY and is_statement(reference.plain))
        or (says_none(reference.plain) and reading.says_so and not speaks_of_itself(reading, text))
    )
    why = open_question(reference.text, answer_text.answer, question) if may_say_it else ""
    return undecided(reference.text, why) if why else None


def _word_for_word(reference_text: str, answer_text: AnswerText) -> Judgement | None:
    answer = answer_text.answer
    if len(reference_text) <= MAX_READ and len(answer) <= MAX_READ:
        same = _stripped(answer_text.plain) == _stripped(match_text(reference_text))
    else:
        same = " ".join(reference_text.casefold().split()) == " ".join(answer.casefold().split())
    return correct(reference_text, "exact", "The answer is the reference, word for word.") if same else None


def _has_no_answer(reference_text: str, question: str) -> bool:
    """Whether the reference itself is a blank, or a sentence that declines."""
    plain = match_text(reference_text)
    if says_nothing(plain) or is_none(plain):
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
