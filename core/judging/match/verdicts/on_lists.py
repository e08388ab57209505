"""Verdicts on references that list several things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.results.responses import Judgement
from core.judging.match.figures.clauses import families
from core.judging.match.figures.direction import direction_words
from core.judging.match.matching.entries import in_place_of, one_more
from core.judging.match.matching.listed import (
    any_will_do,
    concluded_without,
    far_apart,
    mispaired,
    only_near,
    only_without,
    out_of_order,
    set_apart,
)
from core.judging.match.matching.texts import find_text
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.codes import is_code, of_its_shape
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.reference import Reference, is_country, read_reference
from core.judging.match.stated import MAX_READ, AnswerText, stated
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.judging.match.surroundings.objections import Objection
from core.judging.match.surroundings.terms import dated_otherwise
from core.judging.match.unproven import in_another_order
from core.judging.match.unproven.equivalence import open_question
from core.judging.match.unproven.otherwise import all_figures
from core.judging.match.unproven.traces import says_more_of_it
from core.judging.match.values import Hit
from core.judging.match.verdicts.wording import correct, incorrect, listed, longer, missed, undecided, unproved

_WORD = re.compile(r"[^\W_]+")
_SEVERAL = re.compile(r"(?P<what>[A-Za-z]{3,})s (?P<number>\d{1,4})")
_WHERE = re.compile(r"\W*(?:where|in which (?:city|town|place|country))\b")
_KIND_AND_MARK = re.compile(r"(?P<kind>[a-z]{3,}) (?:[a-z]|\d{1,4}[a-z]?)")
_MARK = re.compile(r"\b(?:[a-z]|\d{1,4}[a-z]?)\b")
_CLAUSE = re.compile(r"[;\n]|[.!?](?=\s|$)|,? (?:while|whereas|but) ")
PERSON_WORDS = 2
"""A first name and a surname."""
MOST_MISSING = 3
"""Parts of a list that may be there in other words."""


def judge_list(reference: Reference, answer_text: AnswerText, silence: str, whole: Objection) -> Judgement:
    """Every part of a list must be stated; what is missing may be there in other words.

    Args:
        reference: With its parts.
        answer_text: The answer.
        silence: The words with which the answer declines, or empty.
        whole: Why the list is not stated as it stands.
    """
    plain = _kinds_apart(_surnames_apart(answer_text.plain, reference.parts), reference.parts)
    answer_text = replace(answer_text, plain=plain)
    missing: list[str] = []
    reasons: list[str] = []
    denied: Objection | None = None
    for part in reference.parts:
        outcome = _part_stated(part, answer_text)
        if isinstance(outcome, Hit):
            reasons.append(part)
            continue
        missing.append(part)
        if outcome.rule not in {"no match", "other value"}:
            denied = outcome
    if not missing:
        return _all_stated(reference, answer_text)
    detail: dict[str, object] = {"found": reasons, "missing": missing}
    is_denied = denied is not None and denied.rule == "negated"
    if reasons and not is_denied and (why := _in_other_words(missing, answer_text)):
        return undecided(reference.text, why)
    if reasons:
        reason = f"{len(reasons)} of {len(reference.parts)} parts are stated; missing: {listed(missing)}."
        if not is_denied and (part := _in_part(missing, answer_text)):
            return unproved(reference.text, f'{reason} The answer has words of "{part}".')
        if why := _need_not_be_there(reference, missing, answer_text):
            return undecided(reference.text, f"{reason} {why}")
        return incorrect(reference.text, "partial list", reason, detail)
    in_words = denied is None and not silence and not all(is_code(match_text(part)) for part in reference.parts)
    if in_words and (why := open_question(reference.text, answer_text.answer, answer_text.question)):
        return undecided(reference.text, why)
    figures = all_figures(figure_text(reference.text), figure_text(answer_text.answer[:MAX_READ])) if in_words else ""
    if ", " in figures:
        return undecided(reference.text, f"The answer has the figures of the reference ({figures}).")
    if in_words and in_another_order(reference.plain, answer_text.plain):
        return unproved(reference.text, "All words of the reference are in the answer, in another order.")
    return missed(reference.text, denied or whole, silence)


def _part_stated(part: str, answer_text: AnswerText) -> Hit | Objection:
    """Where a part stands; one with the word for all of a list, "weeks 14" before "and 31", as one of them as well."""
    outcome = stated(read_reference(part, answer_text.question), answer_text, (), many=True)
    several = _SEVERAL.fullmatch(part.strip())
    if several is None or isinstance(outcome, Hit):
        return outcome
    one = read_reference(f"{several['what']} {several['number']}", answer_text.question)
    return stated(one, answer_text, (), many=True)


def _need_not_be_there(reference: Reference, missing: Sequence[str], answer_text: AnswerText) -> str:
    """Why parts of a list may be missing, in a sentence; empty where they may not."""
    text = figure_text(answer_text.answer[:MAX_READ])
    if any_will_do(reference.plain, answer_text.question):
        return "Some of them may do."
    if all(all_figures(figure_text(part), text) for part in missing):
        return "The answer has the figures of what is missing."
    if says_more_of_it(reference.parts, answer_text.question):
        return "They may say more than was asked."
    return ""


def _surnames_apart(text: str, parts: Sequence[str]) -> str:
    """A text in which two who share a surname both have it: "miguel and rosa castellano".

    >>> _surnames_apart("the heirs are miguel and rosa castellano.", ("Rosa Castellano", "Miguel Castellano"))
    'the heirs are miguel castellano and rosa castellano.'
    """
    names = [match_text(part).split() for part in parts]
    for first in names:
        for second in names:
            if first != second and len(first) == len(second) == PERSON_WORDS and first[1] == second[1]:
                both = re.compile(rf"\b{re.escape(first[0])} (and|&) {re.escape(second[0])} {re.escape(first[1])}\b")
                text = both.sub(f"{first[0]} {first[1]} \\1 {second[0]} {second[1]}", text)
    return text


def _kinds_apart(text: str, parts: Sequence[str]) -> str:
    """A text in which things of one kind that letters or numbers tell apart all have its word: "zones A and D".

    >>> _kinds_apart("zones a, b and d are open.", ("Zone A", "Zone D"))
    'zone a, zone b and zone d are open.'
    """
    kinds = {found["kind"] for part in parts if (found := _KIND_AND_MARK.fullmatch(match_text(part)))}
    for kind in kinds:
        put = rf"{kind} \g<0>"
        several = re.compile(
            rf"\b{kind}s (?P<marks>(?:[a-z]|\d{{1,4}}[a-z]?)(?:(?:, (?:and )?| and | & )(?:[a-z]|\d{{1,4}}[a-z]?))+)\b"
        )
        for found in [*several.finditer(text)]:
            text = text.replace(found[0], _MARK.sub(put, found["marks"]))
    return text


def _all_stated(reference: Reference, answer_text: AnswerText) -> Judgement:
    """Correct, unless the answer lists more, pairs names and figures otherwise, or concludes without a part."""
    if otherwise := _said_otherwise(reference, answer_text):
        return otherwise
    if more := one_more(reference.parts, answer_text.plain, answer_text.question, is_country):
        return longer(reference.text, more)
    if other := in_place_of(reference.parts, answer_text.plain):
        return undecided(reference.text, f'The answer lists "{other}" in place of a part, which it has elsewhere.')
    if other := _another_code(reference.parts, answer_text):
        return undecided(reference.text, f'The answer has "{other}" as well.')
    if len(reference.parts) > 1 and (apart := set_apart(reference.parts, answer_text.plain, answer_text.question)):
        return undecided(reference.text, f'The answer says something else of one part: "{apart}".')
    names = [part for part in reference.parts if not any(map(str.isdigit, part))]
    if concluded := concluded_without(names or reference.parts, answer_text.plain):
        return undecided(reference.text, f'The answer concludes without a part of it: "{concluded[:80]}".')
    if _WHERE.match(answer_text.question) and (apart := far_apart(reference.parts, answer_text.plain)):
        if only_near(reference.parts[0], answer_text.plain):
            return incorrect(reference.text, "other value", f"The answer has {reference.parts[0]} as what it is near.")
        return undecided(reference.text, f"The answer has {apart} in different places.")
    if restricted := only_without(reference.parts, answer_text.plain):
        return undecided(reference.text, f'The answer says "{restricted[:80]}", which lacks a part of it.')
    if direction_words(reference.plain) * direction_words(answer_text.plain) < 0:
        return undecided(reference.text, "The answer has all parts and tells the other direction.")
    if order := out_of_order(reference.parts, answer_text.plain, answer_text.question):
        return undecided(reference.text, f"The answer gives the parts in another order: {order}.")
    return correct(reference.text, "list", f"All {len(reference.parts)} parts are stated: {listed(reference.parts)}.")


def _said_otherwise(reference: Reference, answer_text: AnswerText) -> Judgement | None:
    """The verdict on an answer that gives another figure or another year for a part of a list; else None."""
    if figure := mispaired(reference.parts, answer_text.read_for(reference), answer_text.question):
        reason = f"The answer gives {figure} where the reference gives another figure."
        return incorrect(reference.text, "other value", reason)
    if other := _of_another_mark(reference.parts, answer_text):
        return undecided(reference.text, f'The answer gives a part of it in a clause about "{other}".')
    if dated := _dated_otherwise(reference.parts, answer_text):
        return incorrect(reference.text, "other period", f'The answer gives another year for "{dated}".')
    return None


def _of_another_mark(parts: Sequence[str], answer_text: AnswerText) -> str:
    """The mark of another thing than the question's in every clause that has some part of a list; or empty.

    Args:
        parts: Of the list.
        answer_text: The answer, with its marks.
    """
    marked = answer_text.marked
    if marked is None or not any(mark in answer_text.plain for mark in marked.asked):
        return ""
    clauses = _CLAUSE.split(answer_text.plain)
    for part in parts:
        own = [clause for clause in clauses if find_text(part, clause).hits]
        others = [marked.other_in(clause) for clause in own]
        if own and all(others):
            return others[0]
    return ""


def _dated_otherwise(parts: Sequence[str], answer_text: AnswerText) -> str:
    """The part of a list that an answer dates to another year than the one asked for, as `dated_otherwise` says."""
    text = answer_text.plain
    ends = [(part, hit.end) for part in parts for hit in find_text(part, text).hits[:1]]
    return dated_otherwise(ends, text, answer_text.question)


def _another_code(parts: Sequence[str], answer_text: AnswerText) -> str:
    """A code of the shape of the parts in a sentence that denies nothing and is no other list; or empty."""
    codes = [match_text(part) for part in parts]
    if not all(is_code(code) for code in codes):
        return ""
    for sentence in SENTENCE_BORDER.split(answer_text.plain):
        said = [code for code in codes if code in sentence]
        rest = sentence
        for code in codes:
            rest = rest.replace(code, " ")
        other = of_its_shape(codes[0], rest, answer_text.question)
        if said and other and not NEGATORS & set(_WORD.findall(sentence)):
            return other
    return ""


def _in_other_words(missing: Sequence[str], answer_text: AnswerText) -> str:
    """Why all that is missing of a list may be there in other words, or empty."""
    why = [open_question(part, answer_text.answer, answer_text.question) for part in missing]
    return why[0] if all(why) else ""


def _in_part(missing: Sequence[str], answer_text: AnswerText) -> str:
    """A missing part of a list where the answer has telling words of each of them."""
    said, asked = families(answer_text.plain), families(answer_text.question)
    digits = set(re.findall(r"\d+", " ".join(missing))) - set(re.findall(r"\d+", answer_text.plain))
    if digits or len(missing) > MOST_MISSING:
        return ""
    words = [families(match_text(part)) - asked for part in missing]
    near = all(
        (len(part) > len(part & said) or any(map(str.isdigit, "".join(part)))) and len(part & said) >= len(part) / 2
        for part in words
    )
    return missing[0] if near else ""
