"""Verdicts on references in prose by the figures that the question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from core.domain.results.responses import Judgement
from core.judging.match.abstention import read_answer
from core.judging.match.beyond import beyond
from core.judging.match.figures.candidates import candidates
from core.judging.match.figures.conditions import denied_by_prefix, speaks_of_another
from core.judging.match.figures.direction import direction_words
from core.judging.match.figures.wanted.owners import exchanged, is_former, out_of_order, turned_round
from core.judging.match.figures.wanted.prose import SHARE_ASKED, WantedFigure
from core.judging.match.matching.listed import any_will_do
from core.judging.match.matching.numbers import find_number
from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.reference import Reference, read_reference
from core.judging.match.stated import MAX_READ, AnswerText, figure_stated, stated
from core.judging.match.surroundings.objections import Objection
from core.judging.match.unproven import ROUNDED, nearly, unproven
from core.judging.match.unproven.denominators import given_for, measured_in
from core.judging.match.unproven.figures import ROUGH
from core.judging.match.unproven.otherwise import may_be_the_same
from core.judging.match.values import MAX_VALUES, Hit
from core.judging.match.verdicts.wording import correct, found, incorrect, listed, missed, undecided, unproved
from core.text.words import stem

NEAR = Decimal("0.02")
"""How far a figure that follows from others may be from it, since people round."""
_FROM = re.compile(r"\b(?:from|compared (?:with|to)|versus|vs\.?|against) (?:[a-z]{3} )?[€$£]?$")
"""In front of the figure before a change."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_POINTS = re.compile(r"points?\b|bps\b|pp\b")
"""Units of changes of a share."""
SHORT = 8
"""Words of a reference that is a figure and what it is of; a longer one explains."""
_AND_BY_HOW_MUCH = re.compile(r"\b(?:which|who)\b.*\band by how m(?:uch|any)\b")
_WHICH = re.compile(r"\b(?:which|who)\b")
_LEAD = re.compile(r"^[A-Z][\w'&/-]*(?: [\w'&/-]+){0,5}?(?=,? (?:which|with|at|who|whose|that)\b|[,:(])")
_DUE = re.compile(r"\bdue (?:[a-z]+ )?((?:19|20)\d\d)\b")
_PER = re.compile(r"\s?(?:per|a|each|for each|for every)\s(?P<what>[a-z]{3,}(?:\s[a-z]{3,}){0,2})")


def judge_figures(reference: Reference, answer_text: AnswerText, silence: str) -> Judgement:
    """Every figure that the question asks for must be stated, each with its own name.

    Args:
        reference: With its figures.
        answer_text: The answer.
        silence: The words with which the answer declines, or empty.
    """
    hits, missing = figures_stated(reference.figures, reference, answer_text)
    text = answer_text.read_for(reference)
    missing = [
        one
        for one in missing
        if not (
            hits
            and (
                _goes_without_saying(one[0], hits, reference, answer_text)
                or _told_by_its_ends(one[0].number, hits, answer_text.read_for(reference))
            )
        )
    ]
    if not hits:
        return _none_stated(reference, missing, answer_text, silence)
    if missing:
        return _some_stated(reference, hits, missing, answer_text)
    if swap := exchange(reference.figures, reference, answer_text):
        return swap
    if why := _beside_the_figures(reference, answer_text):
        return undecided(reference.text, f"The figure is stated ({hits[0][1].reason}). {why}")
    if (
        reference.open_part
        and read_answer(reference.open_part, reference.rest, by_rules=True).outcome.value == "answered"
    ):
        return undecided(
            reference.text, f"The figure is stated ({hits[0][1].reason}); the question asks for more than a figure."
        )
    if name := unnamed(reference.text, text, answer_text.question):
        return undecided(reference.text, f'The answer has the figure without "{name}".')
    if len(hits) == 1:
        if silence and speaks_of_another(answer_text.read_for(reference), hits[0][1], answer_text.question):
            return incorrect(reference.text, "abstained", f'The answer says "{silence}".')
        if other := _other_measure(reference, answer_text, hits[0][1]):
            return incorrect(reference.text, "other value", other)
        if measure := measured_in(reference.text, text, hits[0][1], answer_text.question):
            return undecided(reference.text, f"The answer gives it in {measure}.")
        is_short = len(reference.plain.split()) <= SHORT
        if is_short and (besides := beyond(reference.text, hits[0][1], text, answer_text.question)):
            return undecided(reference.text, besides)
        return found(reference.text, hits[0][1], answer_text.settings)
    return _all_stated(reference, answer_text, [figure.number.text.strip() for figure, _ in hits])


def _beside_the_figures(reference: Reference, answer_text: AnswerText) -> str:
    """What an answer says beside the right figures that the reference does not, in a sentence; or empty."""
    if lead := _lead_not_named(reference, answer_text):
        return f'"{lead}" is not.'
    if former := _other_former(reference, answer_text.read_for(reference)):
        return f"The answer starts from {former}, the reference from another figure."
    denied = denied_by_prefix(answer_text.plain, reference.plain)
    return f'The answer says "{denied}".' if denied else ""


def _lead_not_named(reference: Reference, answer_text: AnswerText) -> str:
    """The name with which a reference begins, where a question asks which one and an answer lacks it; or empty."""
    lead = _LEAD.match(reference.text.strip()) if _WHICH.search(answer_text.question) else None
    if lead is None or match_text(lead[0]) in answer_text.question:
        return ""
    named = stated(read_reference(lead[0], answer_text.question), answer_text, (), many=False)
    return lead[0] if isinstance(named, Objection) and named.rule == "no match" else ""


def _other_former(reference: Reference, text: str) -> str:
    """The figure before a change that an answer gives where the reference gives another one of its unit; or empty."""
    wanted = _formers(figure_text(reference.text))
    given = [
        one for one in _formers(text) if wanted and one.unit == wanted[0].unit and one.currency == wanted[0].currency
    ]
    same = any(abs(one.value - other.value) <= abs(one.value) * NEAR for one in wanted for other in given)
    return "" if same or not given else given[0].text.strip()


def _formers(text: str) -> list[Number]:
    return [
        one
        for one in find_numbers(text, MAX_VALUES)
        if _FROM.search(text[max(0, one.start - 40) : one.start]) and not _YEAR.fullmatch(one.text.strip())
    ]


def _some_stated(
    reference: Reference,
    hits: Sequence[tuple[WantedFigure, Hit]],
    missing: Sequence[tuple[WantedFigure, Objection]],
    answer_text: AnswerText,
) -> Judgement:
    """Incorrect, unless what is missing may be there in another form, or need not be there."""
    text = answer_text.read_for(reference)
    names = [figure.number.text.strip() for figure, _ in missing]
    reason = f"{len(hits)} of {len(reference.figures)} figures of the reference are stated; missing: {listed(names)}."
    if all(_is_bare(figure.number, text) or _in_words(figure.number, text) for figure, _ in missing):
        return undecided(reference.text, f"{reason} The answer has the same digits in another form.")
    if rough := [about for figure, _ in missing if (about := nearly(figure.number, text, ROUGH))]:
        return undecided(reference.text, f"{reason} The answer says {listed(rough)}.")
    if any_will_do(reference.plain, answer_text.question):
        return undecided(reference.text, f"{reason} Some of them may do.")
    told = [figure.number.text.strip() for figure, _ in hits]
    return incorrect(reference.text, "partial figures", reason, {"found": told, "missing": names})


def _goes_without_saying(
    figure: WantedFigure, hits: Sequence[tuple[WantedFigure, Hit]], reference: Reference, answer_text: AnswerText
) -> bool:
    """Whether a figure of a reference stands in brackets beside another one, or follows from those that are stated.

    An answer that has another figure of its kind instead says another one.
    """
    number = figure.number
    share = number.unit == "%" and SHARE_ASKED.search(answer_text.question)
    aside = rf"\([^()]*{re.escape(number.text.strip())}[^()]*\)"
    in_brackets = number.text.strip() not in re.sub(aside, " ", figure_text(reference.text))
    told = [one.number.plain for one, _ in hits]
    if share or not (in_brackets or _follows(number.plain, told)):
        return False
    known = [one.number.plain for one in reference.figures]
    said = candidates(answer_text.read_for(reference), answer_text.question)[:MAX_VALUES]
    if any(abs(abs(other.plain) - abs(number.plain)) <= abs(number.plain) * NEAR for other in said):
        # It is there, and something is against it.
        return False
    kin = [other.plain for other in said if (other.unit, other.currency) == (number.unit, number.currency)]
    return all(any(abs(plain - one) <= abs(one) * NEAR for one in known) for plain in kin)


def _told_by_its_ends(number: Number, hits: Sequence[tuple[WantedFigure, Hit]], text: str) -> bool:
    """Whether a change in percentage points or basis points is exactly that between two shares of an answer.

    "Widened to 3.41% from 3.13%" tells 28 basis points.
    """
    if number.unit != "%" or not _POINTS.search(number.text):
        return False
    shares = [one.value for one in find_numbers(text, MAX_VALUES) if one.unit == "%"]
    ends = [figure.number.value for figure, _ in hits if figure.number.unit == "%"]
    return any(abs(end - share) == abs(number.value) for end in ends for share in shares)


def _follows(wanted: Decimal, told: Sequence[Decimal]) -> bool:
    """Whether a figure is the sum, the difference, the ratio or the change of two others."""
    pairs = [(one, other) for one in told for other in told if one != other and other]
    made = [result for a, b in pairs for result in (a + b, a - b, a / b, (a / b - 1) * 100)]
    return any(abs(abs(result) - abs(wanted)) <= abs(wanted) * NEAR for result in made)


def _all_stated(reference: Reference, answer_text: AnswerText, stated: Sequence[str]) -> Judgement:
    """Correct, unless the answer lacks what one of several is due or tells the other direction."""
    if years := set(_DUE.findall(reference.plain)) - set(_DUE.findall(answer_text.plain)):
        reason = f"The answer has {listed(stated)} and not what is due in {min(years)}."
        return incorrect(reference.text, "partial figures", reason)
    if direction_words(reference.plain) * direction_words(answer_text.plain) < 0:
        return undecided(reference.text, f"The answer has {listed(stated)} and tells the other direction.")
    return correct(
        reference.text, "figures", f"All {len(stated)} figures of the reference are stated: {listed(stated)}."
    )


def unnamed(reference: str, text: str, question: str) -> str:
    """The name in front of the figure of a reference, where a question asks for both and an answer lacks it; or empty.

    >>> unnamed("Brook, by $12 million", "arden spent $12 million more.", "which spent more, and by how much?")
    'Brook'
    """
    named = re.match(r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)*", reference.strip())
    if named is None or not _AND_BY_HOW_MUCH.search(question):
        return ""
    name = re.escape(match_text(named[0]))
    says = re.search(rf"(?:^|[.;\n] ?|\b(?:is|was|so|it|by) ){name}\b(?!s? (?:were|was|is|had)\b[^.;\n]*\.)", text)
    return "" if says else named[0]


def _none_stated(
    reference: Reference, missing: Sequence[tuple[WantedFigure, Objection]], answer_text: AnswerText, silence: str
) -> Judgement:
    """Why none of the figures is there, unless they may be in another form."""
    text, question = answer_text.read_for(reference), answer_text.question
    figure, outcome = missing[0]
    numbers = [wanted.number for wanted in reference.figures if not find_number(wanted.number, text, question).hits]
    forms = [may_be_the_same(number, text, question) for number in numbers]
    if forms and all(forms) and not silence:
        return undecided(reference.text, forms[0])
    if outcome.rule == "less precise" and len(missing) == 1 and (about := nearly(figure.number, text, ROUNDED)):
        return correct(reference.text, "number", f"number: {figure.number.text.strip()} is {about}")
    if len(missing) == 1 and not silence:
        one = replace(reference, number=figure.number)
        if why := unproven(one, outcome, text, answer_text.answer, question):
            return unproved(reference.text, why)
    if _WHICH.search(question) and not silence and (told := _any_figure(reference, text)):
        return undecided(reference.text, f"The answer has {told} of the reference, which is asked for by name.")
    lead = _LEAD.match(reference.text.strip()) if _WHICH.search(question) and not silence else None
    if lead and isinstance(stated(read_reference(lead[0], question), answer_text, (), many=False), Hit):
        return undecided(reference.text, f'The answer has "{lead[0]}", and no figure of the reference.')
    return missed(reference.text, outcome, silence)


def _any_figure(reference: Reference, text: str) -> str:
    """A figure of a reference that an answer has, but for whole numbers, which stand in any text; or empty."""
    said = {number.plain for number in find_numbers(text, MAX_VALUES)}
    numbers = find_numbers(figure_text(reference.text), MAX_VALUES)
    telling = (one for one in numbers if one.decimals or one.unit == "%" or one.currency)
    return next((one.text.strip() for one in telling if one.plain in said), "")


def _is_bare(number: Number, text: str) -> bool:
    """Whether a share stands in an answer without its sign: "a 60/40 split"."""
    digits = number.text.strip(" %")
    return number.unit == "%" and re.search(rf"(?<![\d.,]){re.escape(digits)}(?![\d.,]|\s?%)", text) is not None


def _in_words(number: Number, text: str) -> bool:
    """Whether an answer has the digits of a figure in words, without its unit: "between four and six percent"."""
    return any(said.word and said.plain == number.plain for said in find_numbers(text, MAX_VALUES))


def figures_stated(
    figures: tuple[WantedFigure, ...], reference: Reference, answer_text: AnswerText
) -> tuple[list[tuple[WantedFigure, Hit]], list[tuple[WantedFigure, Objection]]]:
    """Which figures an answer states, and why it does not state the others."""
    hits: list[tuple[WantedFigure, Hit]] = []
    missing: list[tuple[WantedFigure, Objection]] = []
    for figure in figures:
        outcome = figure_stated(figure, reference, answer_text, many=len(figures) > 1)
        if isinstance(outcome, Hit):
            hits.append((figure, outcome))
        else:
            missing.append((figure, outcome))
    return hits, missing


def exchange(figures: tuple[WantedFigure, ...], reference: Reference, answer_text: AnswerText) -> Judgement | None:
    """The verdict on an answer that gives two figures the other way round, or may do so; None where it does not."""
    numbers = [figure.number for figure in figures]
    text = answer_text.read_for(reference)
    swap = exchanged(numbers, figure_text(reference.text), text, answer_text.question)
    if swap is not None:
        reason = f"{swap.first} and {swap.second} the other way round than the reference."
        if swap.sure:
            return incorrect(reference.text, "other value", f"The answer gives {reason}")
        return undecided(reference.text, f"The answer may give {reason}")
    if turned := turned_round(figure_text(reference.text), text):
        return undecided(reference.text, f"The answer may give the change the other way round: {turned}.")
    if reference.in_order and (place := out_of_order(numbers, text, answer_text.question)):
        return undecided(reference.text, f"The answer gives the figures in another order: {place}.")
    return None


def former_elsewhere(numbers: Sequence[Number], reference_text: str, answer_text: AnswerText) -> str:
    """A figure that an answer gives as the value before a change and the reference as the one after it, or empty."""
    reference = figure_text(reference_text)
    text = figure_text(answer_text.answer[:MAX_READ], answer_text.question_as_written)
    return next(
        (
            number.text.strip()
            for number in numbers
            if is_former(number, text, answer_text.question) and not is_former(number, reference, answer_text.question)
        ),
        "",
    )


def _other_measure(reference: Reference, answer_text: AnswerText, hit: Hit) -> str:
    """What a figure is for, where reference and answer say it and differ: "per family" for "per person"."""
    text = answer_text.read_for(reference)
    paid, wanted_paid = given_for(reference.text, text, hit, answer_text.question)
    if paid:
        return f"The answer gives it {paid}, what is wanted is {wanted_paid}."
    wanted = _PER.search(reference.plain)
    given = _PER.match(text, hit.end)
    if (
        not wanted
        or not given
        or {stem(word) for word in wanted["what"].split()} & {stem(word) for word in given["what"].split()}
    ):
        return ""
    return f"The answer gives it {given[0].strip()}, the reference {wanted[0].strip()}."
