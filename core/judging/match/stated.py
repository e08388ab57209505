"""Whether an answer states a value, with the words around it: the place that counts, or why none does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.judging.match.aliases import of_its_own, other_names
from core.judging.match.elsewhere import said_elsewhere
from core.judging.match.figures.binding import other_names_in, said_of_another
from core.judging.match.figures.chosen.rivals import figure_objections
from core.judging.match.figures.conditions import other_condition
from core.judging.match.figures.named_apart import named_apart
from core.judging.match.figures.two_clauses import says_both
from core.judging.match.figures.wanted.prose import WantedFigure
from core.judging.match.lead import marked_first, named_first
from core.judging.match.matching.emphasised import other_name_in_bold
from core.judging.match.matching.numbers import find_number
from core.judging.match.matching.texts import PERSON
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.marks import Marked
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.times.periods import Period, find_periods
from core.judging.match.reference import Reference, find_value
from core.judging.match.settings import MatchSettings
from core.judging.match.surroundings.choices import LEAVES_A_CHOICE, joined_by_another
from core.judging.match.surroundings.conclusion import concluded_otherwise
from core.judging.match.surroundings.context import objection
from core.judging.match.surroundings.objections import IN_PASSING, NEEDS_A_JUDGE, Objection
from core.judging.match.surroundings.standing import (
    has_superlative,
    is_outranked,
    outdone,
    standing,
    weighed_only,
)
from core.judging.match.surroundings.terms import of_another_year
from core.judging.match.unproven.equivalence import same_words
from core.judging.match.values import Hit, SearchResult

MAX_READ = 60_000
"""Characters of an answer that are read; a longer one is judged by its beginning, and the detail says so."""
MAX_HITS = 100
"""Places looked at per value, half from the beginning and half from the end."""

CLOSENESS = (
    "no match",
    "other value",
    "other period",
    "abstained",
    "question",
    "echo",
    "range",
    "unit",
    "currency",
    "bound",
    "less precise",
    "several values",
    "hedged",
    "retracted",
    IN_PASSING,
    "partial list",
    "longer list",
    "partial figures",
    "partly correct",
    "negated",
    NEEDS_A_JUDGE,
)
"""Where no acceptable answer matches, the closest miss is reported; later in this list is closer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerText:
    """An answer, as its words and as its figures are read, with its question.

    Attributes:
        answer: As given, without marks of citation.
        plain: Its match text.
        question: Match text of the question.
        question_as_written: The question.
        settings: Of the project.
        passages: What was retrieved for the question, where acronyms are spelled out.
        marked: What letters and numbers tell apart in it.
    """

    answer: str
    plain: str
    question: str
    question_as_written: str
    settings: MatchSettings
    passages: tuple[str, ...] = ()
    marked: Marked | None = None

    def read_for(self, reference: Reference) -> str:
        """The text in which a reference is looked for."""
        if reference.has_figures:
            return figure_text(self.answer[:MAX_READ], self.question_as_written)
        return self.plain


def stated(reference: Reference, answer_text: AnswerText, allies: Sequence[Hit], *, many: bool) -> Hit | Objection:
    """The hit that counts, or why none does; where a value is both stated and denied its last mention decides."""
    question, text = answer_text.question, answer_text.read_for(reference)
    search = find_value(reference, text, question, answer_text.settings)
    if reference.kind == "text":
        search = replace(search, hits=of_its_own(search.hits, reference.text, text, question))
    if reference.kind == "text" and not search.hits:
        names = other_names(reference.text, answer_text.answer[:MAX_READ], text, question, answer_text.passages)
        search = SearchResult(
            hits=names or same_words(reference.plain, text, is_person=_is_person(reference, question))
        )
    asked = find_periods(question) if reference.number is not None else ()
    return _best(search, text, question, allies, reference.text, asked=asked, many=many, answer=answer_text.answer)


def _is_person(reference: Reference, question: str) -> bool:
    """Whether a reference is written as a name where a question asks for somebody."""
    return PERSON.search(question) is not None and all(word[:1].isupper() for word in reference.text.split())


def _best(
    search: SearchResult,
    text: str,
    question: str,
    allies: Sequence[Hit],
    wanted: str,
    *,
    asked: Sequence[Period],
    many: bool,
    answer: str = "",
) -> Hit | Objection:
    hits = search.hits
    examined = hits if len(hits) <= MAX_HITS else (*hits[: MAX_HITS // 2], *hits[-MAX_HITS // 2 :])
    figures = figure_objections(search, text, question, asked, many=many)
    rivals = (
        other_names_in(answer, question, match_text(wanted))
        if hits and hits[0].rule in {"text", "name"}
        else frozenset()
    )
    good: Hit | None = None
    against: Objection | None = None
    for hit in examined:
        objected = objection(hit, text, question, [*examined, *allies], search.others[:MAX_HITS], many=many)
        objected = objected or figures.get(hit.start)
        if objected is None and hit.rule in {"text", "name"}:
            objected = _against_a_name(hit, text, question, many=many) or _named_besides(
                hit, text, question, answer, rivals, many=many
            )
        if (
            objected is None
            and hit.rule in {"text", "name", "date"}
            and (condition := other_condition(text, hit.start, hit.end, question))
        ):
            reason = f'The answer gives "{text[hit.start : hit.end]}" for another case: "{condition}".'
            objected = Objection(rule="other value", reason=reason)
        if objected is None and not many and hit.rule in {"text", "name", "date", "number"}:
            words = hit.rule in {"text", "name"}
            objected = said_of_another(
                hit, text, question, search.others[:MAX_HITS], value_is_words=words, rivals=rivals
            )
            objected = objected or _apart(hit, search, text, question, answer)
        if objected and wanted.islower():
            objected = _maybe_no_choice(objected)
        if objected is None:
            good = hit
        elif objected.rule == "negated" or (
            is_outranked(hit, text, question) and not (good and has_superlative(good, text))
        ):
            good, against = None, objected
        elif against is None or CLOSENESS.index(objected.rule) > CLOSENESS.index(against.rule):
            against = objected
    if good is not None:
        return good
    if against is not None:
        return against
    return Objection(
        rule=search.near_rule or "no match",
        reason=search.near_reason or f'The answer does not state "{shortened(wanted.strip())}".',
    )


def _against_a_name(hit: Hit, text: str, question: str, *, many: bool) -> Objection | None:
    """Why a name is mentioned in passing, or not what the answer concludes; one of many may only have been weighed."""
    if many:
        if is_outranked(hit, text, question):
            value = text[hit.start : hit.end]
            return Objection(rule=IN_PASSING, reason=f'"{value}" is ranked behind what is asked for.')
        return weighed_only(hit, text, question) if hit.rule == "text" else None
    if (
        objected := of_another_year(hit, text, question)
        or standing(hit, text, question)
        or said_elsewhere(hit, text, question)
    ):
        return objected
    if more := outdone(hit, text, question):
        return Objection(
            rule=NEEDS_A_JUDGE, reason=f'The answer gives {more} to another beside "{text[hit.start : hit.end]}".'
        )
    other = concluded_otherwise(hit, text, question)
    return Objection(rule=NEEDS_A_JUDGE, reason=f'The answer concludes: "{other}".') if other else None


def _named_besides(
    hit: Hit, text: str, question: str, answer: str, rivals: frozenset[str], *, many: bool
) -> Objection | None:
    """The other name that an answer begins to give as what was asked, puts in bold or joins with "and"."""
    bold = "" if many else other_name_in_bold(text[hit.start : hit.end], answer, question)
    if bold:
        reason = f'The answer has "{text[hit.start : hit.end]}" and puts "{bold}" in bold.'
        return Objection(rule=NEEDS_A_JUDGE, reason=reason)
    if not many and (besides := joined_by_another(text, hit.end, question, rivals)):
        reason = f'The answer names "{text[hit.start : hit.end]}" and "{besides}", where one is asked for.'
        return Objection(rule=NEEDS_A_JUDGE, reason=reason)
    if not many and (other := marked_first(text, text[hit.start : hit.end])):
        reason = f'The answer begins with "{other}", and has "{text[hit.start : hit.end]}" later.'
        return Objection(rule=NEEDS_A_JUDGE, reason=reason)
    first = "" if many else named_first(answer)
    value, named = text[hit.start : hit.end], match_text(first)
    if not first or value in named or named in value:
        return None
    return Objection(rule=NEEDS_A_JUDGE, reason=f'The answer begins with "{first}", and has "{value}" later.')


def _apart(hit: Hit, search: SearchResult, text: str, question: str, answer: str) -> Objection | None:
    """Why a figure is said of another name, or a date is not the only one that is given."""
    if hit.rule == "date" and (other := _other_date(hit, search, text, question)):
        return other
    if hit.rule not in {"number", "date"} or not answer:
        return None
    named = named_apart(hit, text, question, answer, search.others[:MAX_HITS])
    reason = f'"{text[hit.start : hit.end]}" is said of another name ("{named[:80]}").'
    return Objection(rule=NEEDS_A_JUDGE, reason=reason) if named else None


def _maybe_no_choice(objected: Objection) -> Objection:
    """A choice of two things that words name may be no guess: "from a bank or credit union"."""
    is_choice = objected.rule == "hedged" and objected.reason.startswith(LEAVES_A_CHOICE)
    return replace(objected, rule=NEEDS_A_JUDGE) if is_choice else objected


def _other_date(hit: Hit, search: SearchResult, text: str, question: str) -> Objection | None:
    """Another date that the answer gives of the same thing behind the one that is right."""
    last = max((other.start for other in search.hits), default=hit.start)
    for start, end in search.others[:MAX_HITS]:
        if start > last and says_both(hit.start, start, text, question):
            reason = f"The answer says {text[hit.start : hit.end]} and then {text[start:end]} of the same."
            return Objection(rule=NEEDS_A_JUDGE, reason=reason)
    return None


def figure_stated(
    figure: WantedFigure, reference: Reference, answer_text: AnswerText, *, many: bool
) -> Hit | Objection:
    """:func:`stated` for one figure of a reference in prose, for its own period where it has one."""
    question, text = answer_text.question, answer_text.read_for(reference)
    search = find_number(figure.number, text, question, answer_text.settings, figure.sign, several=many)
    asked = () if figure.any_period else (figure.period,) if figure.period else find_periods(question)
    return _best(search, text, question, (), figure.number.text, asked=asked, many=many)


def shortened(text: str) -> str:
    """A text as a reason quotes it."""
    return text if len(text) <= 80 else text[:79] + "…"
