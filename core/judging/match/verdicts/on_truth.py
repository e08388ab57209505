"""Verdicts on questions for yes or no."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from core.domain.results.responses import Judgement
from core.judging.match.abstention import Reading
from core.judging.match.figures.candidates import candidates
from core.judging.match.figures.kinds import comparable
from core.judging.match.polar.booleans import ANY_AT_ALL, BOTH, NO, YES, said_truth, unsaid
from core.judging.match.polar.explained import Explained
from core.judging.match.polar.silence import keeps_silent, nothing_against, says_there_is_none, speaks_of_itself
from core.judging.match.polar.support import denies_the_reason, opposite_act, speaks_of_something_else, unrestricted
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.reference import Reference
from core.judging.match.stated import AnswerText, shortened
from core.judging.match.verdicts.on_figures import exchange, figures_stated, former_elsewhere
from core.judging.match.verdicts.wording import correct, incorrect, listed, undecided

NEAR = Decimal("0.05")
"""How far a figure may be from another one that it rounds."""
_NAME = re.compile(r"(?<=[a-z0-9,;] )[A-Z][\w'&-]+(?: [A-Z][\w'&-]+)+")
_FOUND_NONE = re.compile(
    r"\b(?:i|we) (?:found|find|see|can see) no (?!(?:[a-z]+ )?(?:information|mention|data|evidence|records?|reference"
    r"|indication|details?|documents?|passages?|answer|statement)\b)"
)
_LEAVES_OPEN = re.compile(
    r"\b(?:cannot|cant|could not|couldnt|unable to|not (?:able|possible) to) (?:[a-z]+ )?"
    r"(?:determine|tell|say|confirm|verify|establish)\b[^.;\n]{0,20}\b(?:whether|if)\b"
)


def judge_truth(reference: Reference, answer_text: AnswerText, reading: Reading) -> Judgement:
    """Whether an answer says yes or no as a reference does, which is one of the two or explains it."""
    text, question = answer_text.plain, answer_text.question
    silence = reading.words if reading.says_so else ""
    if not reference.truth and _found_none(text, question):
        return undecided(reference.text, "The answer found none, and does not say that there are none.")
    if keeps_silent(reading, text, question):
        return incorrect(reference.text, "abstained", f'The answer says "{reading.words or text[:80]}".')
    truth, words = said_truth(text, question)
    if words not in YES | NO and nothing_against(text):
        truth, words, silence = None, "", ""
    if truth is None and not words and silence and says_there_is_none(text, question):
        truth, words = False, silence
    if truth is None:
        return _neither(reference.text, words, silence if speaks_of_itself(reading, text) else "", text)
    meaning = "yes" if truth else "no"
    if words not in YES | NO and (doubt := _doubt(truth, reference, text, question)):
        return undecided(reference.text, doubt)
    if truth != reference.truth:
        if silence and words not in {"yes", "no", "true", "false"}:
            return incorrect(reference.text, "abstained", f'The answer says "{silence}".')
        return incorrect(
            reference.text, "other value", f'"{shortened(words)}" says {meaning}, the reference the opposite.'
        )
    agreed = f'"{shortened(words)}" says {meaning}, as the reference does'
    if reference.explained is None:
        return correct(reference.text, "boolean", f"boolean: {agreed}.")
    return _judge_reason(reference, reference.explained, answer_text, agreed)


def _neither(reference: str, guess: str, silence: str, text: str) -> Judgement:
    """The verdict on an answer that says neither yes nor no: a guess, a refusal, both, or nothing that rules read."""
    if guess:
        return incorrect(reference, "hedged", f'The answer is only a guess: "{guess}".')
    if silence:
        return incorrect(reference, "abstained", f'The answer says "{silence}".')
    if BOTH.match(text):
        return incorrect(reference, "no match", "The answer says neither yes nor no.")
    return undecided(reference, "The answer says neither yes nor no in words that rules can read.")


def _found_none(text: str, question: str) -> bool:
    """Whether an answer found none of what a question asks whether there is any, and says neither yes nor no first."""
    return bool(not text.startswith("no") and ANY_AT_ALL.search(question) and _FOUND_NONE.search(text))


def _doubt(truth: bool, reference: Reference, text: str, question: str) -> str:
    """Why a statement that reads as yes or no may say neither; or empty."""
    if left := _LEAVES_OPEN.search(text):
        return f'The answer leaves it open ("{left[0]}").'
    lacking = unsaid(text, question) if truth and not reference.truth else ""
    return f'The answer says nothing of "{lacking}" in words that rules can read.' if lacking else ""


def _judge_reason(reference: Reference, explained: Explained, answer_text: AnswerText, agreed: str) -> Judgement:
    """What an answer that says yes or no as it should says besides: its figures are the reference's, or it has none."""
    hits, missing = figures_stated(explained.figures, reference, answer_text)
    stated = [figure.number.text.strip() for figure, _ in hits]
    if hits and (swap := exchange(explained.figures, reference, answer_text)):
        return swap
    if hits and (former := former_elsewhere([figure.number for figure, _ in hits], reference.text, answer_text)):
        return incorrect(reference.text, "other value", f"The answer gives {former} as the former value.")
    name = _not_named(reference, answer_text) if explained.asks_more else ""
    if words := opposite_act(explained.reason, answer_text.plain):
        return undecided(reference.text, f'{agreed[0].upper()}{agreed[1:]}, but "{words}".')
    if explained.figures and not missing and not name:
        figures = "figure" if len(stated) == 1 else "figures"
        return correct(reference.text, "boolean", f"boolean: {agreed}, with the {figures} {listed(stated)}.")
    left_out = [figure.number.text.strip() for figure, _ in missing if not figure.number.word]
    if hits and left_out and ANY_AT_ALL.search(answer_text.question):
        agreed = f"{agreed[0].upper()}{agreed[1:]}"
        return undecided(reference.text, f"{agreed}. The reference names {listed(left_out)} as well.")
    if not hits and missing and (others := _other_figures(explained, reference, answer_text)):
        return _other_than(reference, [figure.number for figure, _ in missing], others, explained, agreed)
    if explained.asks_more:
        return undecided(reference.text, f"{agreed[0].upper()}{agreed[1:]}; the question asks for more.")
    if explained.truth and (restriction := unrestricted(explained.reason, answer_text.plain)):
        return undecided(reference.text, f'{agreed[0].upper()}{agreed[1:]}; the reference says "{restriction}".')
    if words := denies_the_reason(explained.reason, answer_text.plain):
        return undecided(reference.text, f'{agreed[0].upper()}{agreed[1:]}, but "{words}".')
    if speaks_of_something_else(explained.reason, answer_text.plain, answer_text.question):
        return undecided(reference.text, f"{agreed[0].upper()}{agreed[1:]}, for another reason.")
    return correct(reference.text, "boolean", f"boolean: {agreed}.")


def _not_named(reference: Reference, answer_text: AnswerText) -> str:
    """A name of several words of a reference that neither the question nor the answer has; or empty."""
    said = answer_text.plain + answer_text.question
    return next((name for name in _NAME.findall(reference.text) if match_text(name) not in said), "")


def _other_than(
    reference: Reference, wanted: Sequence[Number], others: Sequence[Number], explained: Explained, agreed: str
) -> Judgement:
    """The verdict on an answer that has other figures than the reference: incorrect where they are asked for as well.

    Those that are the reference's with another sign, or rounded ("a deficit of close to 1.6 billion"), decide nothing.
    """
    given, due = (listed([number.text.strip() for number in numbers]) for numbers in (others, wanted))
    reason = f"The answer gives {given}, the reference {due}."
    near = all(
        any(abs(abs(other.value) - abs(number.value)) <= abs(number.value) * NEAR for other in others)
        for number in wanted
    )
    if explained.asks_more and not near:
        return incorrect(reference.text, "other value", reason)
    return undecided(reference.text, f"{agreed[0].upper()}{agreed[1:]}. {reason}")


def _other_figures(explained: Explained, reference: Reference, answer_text: AnswerText) -> list[Number]:
    """Figures of an answer that could stand where the reference has others."""
    numbers = candidates(answer_text.read_for(reference), "amount " + answer_text.question)
    return [
        number
        for number in numbers
        if not number.word and any(comparable(figure.number, number) for figure in explained.figures)
    ]
