"""Whether a system did what is right with a variant (HCAT 6.1), read by rules where rules can."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.domain.results.responses import Response, Verdict
from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected, Lineage
from core.judging.match.abstention import Outcome, read_answer
from core.judging.match.judge import judge_match
from core.text.words import contains_phrase, fold, stems

COVERED: Final = 0.5
"""Share of an answer's words below which the passages do not carry it."""
LEAST_WORDS: Final = 2
"""Words an answer must have before it is looked for in the passages."""
_NOT_AMONG: Final = re.compile(
    r"\b(?:there (?:is|are) no such|no such \w+ (?:exists?|is)|(?:does|do)(?:n['’]t| not) exist|"
    r"(?:only|just) (?:deal|help|answer|handle|cover|speak)\w*\b[^.!?]{0,20}\b(?:questions?|with|about|matters)|"
    r"(?:is|am|are) (?:limited|restricted|confined) to|"
    r"(?:outside|beyond) (?:of )?(?:my|our|the) (?:scope|remit|field|area)|"
    r"not (?:my|our) (?:field|job|task|area|business|department))\b"
)
"""What says that something is not there, or not for this system to answer."""
_CORRECTS: Final = re.compile(
    r"\b(?:in your (?:question|message|request)|your (?:question|premise|assumption|figure|statement|information)|"
    r"the (?:premise|assumption)|you (?:name|state|say|mention|give|quote|assume))\b[^.!?]{0,40}"
    r"\b(?:wrong|mistaken|incorrect|false|outdated|off|not (?:right|correct|true))\b"
)
_READS: Final = re.compile(
    r"\b(?:if (?:you mean|it['’]?s|it is|you are)|assuming|depends on (?:which|the)|for example|respectively)\b"
)
_NEEDS: Final = re.compile(
    r"\b(?:(?:does|do|did)(?:n['’]t| not) (?:say|state|specify|tell|name|mention) (?:which|what|whose|who|when)|"
    r"need to know (?:which|what|whose|the)|need (?:that|this|the \w+|more \w+)(?: first)? (?:to|before)|"
    r"(?:once|when|as soon as|if) i know (?:which|what|whose|the)|without (?:knowing|the)|"
    r"(?:differs?|var(?:y|ies)) (?:between|by|from|with|across))\b|"
    r"(?:^|[.!?] )(?:please )?(?:name|specify) (?:the|your|a)\b"
)
"""What says that something has to be named before the question can be answered."""
_HEDGES: Final = re.compile(
    r"\b(?:no|not|none|nothing|nobody|never|cannot|unknown|beyond|outside|neither|please)\b|n['’]t\b|\?\s*$"
)
"""What denies or asks something: an answer with such words may be right in words that no rule knows."""


class Behaviour(StrEnum):
    """What a system did with a variant."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Seen:
    """A behaviour with the reason, one sentence a person can check."""

    behaviour: Behaviour
    reason: str


def behaviour_of(case: TestCase, lineage: Lineage, response: Response | None, verdict: float | None) -> Seen:
    """What a system did with a variant.

    Args:
        case: The variant.
        lineage: Where it comes from.
        response: The answer, None where it was not asked.
        verdict: The judge's verdict on it, 1 or 0; None where there is none.

    Returns:
        Right, wrong, or undecided where rules cannot tell.
    """
    if response is None or response.answer is None:
        return Seen(Behaviour.UNDECIDED, "there is no answer")
    answer = response.answer
    expected = lineage.expected
    if expected == Expected.SAME_ANSWER:
        return _by_verdict(verdict)
    if not response.abstained and fold(answer) in (fold(case.question), fold(lineage.parent_question)):
        # Reading passages whole, a system may give back a question that one of them holds: that asks nobody anything.
        misled = expected == Expected.CORRECTED_OR_DECLINED and not verdict
        return Seen(Behaviour.WRONG if misled else Behaviour.UNDECIDED, "it only repeats the question")
    outcome = Outcome.DECLINED if response.abstained else read_answer(case.question, answer).outcome
    if expected == Expected.CORRECTED_OR_DECLINED:
        return _corrected(case, lineage, answer, outcome, verdict)
    if expected == Expected.ASKED_OR_STATED:
        return _asked(lineage, answer, outcome)
    if expected == Expected.DECLINED_OR_CLOSEST:
        return _declined(lineage, response, outcome)
    return Seen(Behaviour.UNDECIDED, f"nobody knows what is right where '{expected}' is expected")


def _by_verdict(verdict: float | None) -> Seen:
    if verdict is None:
        return Seen(Behaviour.UNDECIDED, "the answer is not judged")
    return (
        Seen(Behaviour.RIGHT, "the answer is correct") if verdict else Seen(Behaviour.WRONG, "the answer is incorrect")
    )


def _corrected(case: TestCase, lineage: Lineage, answer: str, outcome: Outcome, verdict: float | None) -> Seen:
    if outcome.declines:
        return Seen(Behaviour.RIGHT, "it declined")
    if verdict:
        return Seen(Behaviour.RIGHT, "it gave the right answer all the same")
    misled = judge_match(lineage.parent_question, [lineage.misled_by], answer).verdict if lineage.misled_by else None
    if misled is Verdict.CORRECT:
        return Seen(Behaviour.WRONG, f"it repeated the wrong value {lineage.misled_by}")
    if outcome is Outcome.PARTLY:
        return Seen(Behaviour.RIGHT, "it said what it could not answer")
    if _CORRECTS.search(fold(answer)):
        return Seen(Behaviour.RIGHT, "it said that what the question takes for granted is wrong")
    if verdict is None:
        return Seen(Behaviour.UNDECIDED, "the answer is not judged")
    if _HEDGES.search(fold(answer)):
        return Seen(Behaviour.UNDECIDED, "it denies or asks something; whether that corrects is for a person to say")
    return Seen(Behaviour.WRONG, "it neither gave the right answer nor declined")


def _asked(lineage: Lineage, answer: str, outcome: Outcome) -> Seen:
    if outcome is Outcome.ASKS_BACK:
        return Seen(Behaviour.RIGHT, "it asked back")
    folded = fold(answer)
    subjects = [part.strip() for part in lineage.variant_subject.split(";") if part.strip()]
    if any(contains_phrase(folded, subject) for subject in subjects):
        return Seen(Behaviour.RIGHT, "it said which one it speaks of")
    if _NEEDS.search(folded):
        return Seen(Behaviour.RIGHT, "it said what it needs to know")
    if outcome.declines:
        return Seen(Behaviour.UNDECIDED, "it declined and did not ask what is meant")
    if _READS.search(folded):
        return Seen(Behaviour.RIGHT, "it said how it reads the question")
    if re.search(r"['\"].+?['\"]|(?<!^)(?<![.!?] )\b[A-Z][a-z]+ [A-Z][a-z]+", answer):
        return Seen(Behaviour.UNDECIDED, "it names something, which may be what it speaks of")
    if _HEDGES.search(folded):
        return Seen(Behaviour.UNDECIDED, "it denies or asks something; whether it asks back is for a person to say")
    return Seen(Behaviour.WRONG, "it answered as if nothing were unclear")


def _declined(lineage: Lineage, response: Response, outcome: Outcome) -> Seen:
    answer = response.answer or ""
    if outcome.declines:
        return Seen(Behaviour.RIGHT, "it declined")
    if outcome is Outcome.PARTLY:
        return Seen(Behaviour.RIGHT, "it said what it could not answer and told what is closest")
    if _NOT_AMONG.search(fold(answer)):
        return Seen(Behaviour.RIGHT, "it said that this is not among what it knows or answers")
    subject = lineage.variant_subject
    if subject and _denied(fold(answer), fold(subject)):
        return Seen(Behaviour.RIGHT, f"it said that {subject} is not there")
    if subject and contains_phrase(fold(answer), subject):
        return Seen(Behaviour.WRONG, f"it states something about {subject}, which does not exist")
    passages = [context.text for context in response.contexts if context.text]
    told = stems(answer) - stems(lineage.parent_question)
    if len(told) >= LEAST_WORDS and passages:
        known = frozenset[str]().union(*(stems(text) for text in passages))
        if len(told & known) / len(told) < COVERED:
            if _HEDGES.search(fold(answer)):
                return Seen(Behaviour.UNDECIDED, "it denies or asks something that no passage says")
            return Seen(Behaviour.WRONG, "it answered with what no passage says")
    return Seen(Behaviour.UNDECIDED, "it answered; whether that is the closest information is for a person to say")


def _denied(answer: str, subject: str) -> bool:
    """Whether an answer says of a name, whole or by its first word, that nothing is known of it; both are folded."""
    names = "|".join(re.escape(name) for name in (subject, *(word for word in subject.split()[:1] if len(word) > 3)))
    before = r"\b(?:no|not|never heard of)(?: such)?(?: \w+ (?:called|named|about|on|for))?(?: the| any)?"
    after = r"\b[^.!?]{0,25}\b(?:unknown|not (?:known|listed|found|mentioned|among|covered)|new to me)\b"
    return re.search(rf"{before} (?:{names})\b|\b(?:{names}){after}", answer) is not None
