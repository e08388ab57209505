"""What an answer does, by rules alone: it declines, answers, tells a part or asks back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.judging.match.abstention import courtesy
from core.judging.match.abstention.absence import NOT_IN_A_WRITING, OF_A_WRITING, absent
from core.judging.match.abstention.asked_again import asks_again
from core.judging.match.abstention.besides import describes_instead, named_kinds, tells_only_besides
from core.judging.match.abstention.clauses import Clause, Move
from core.judging.match.abstention.gaps import CLOSING
from core.judging.match.abstention.outcome import ANSWERED, Outcome, Reading
from core.judging.match.abstention.two_asked import tells_one_of_two
from core.judging.match.abstention.vocabulary import (
    ADVERBS,
    FACT,
    IS_NOT,
    POLAR,
    SOURCE,
    SPEAKS,
    SURE_SOURCE,
    TEXT,
    TOLD,
)
from core.text.words import STOP_WORDS, stem, stems

_OF_TELLING = re.compile(rf"\b(?:{SOURCE}|{SPEAKS}|{TOLD}|{FACT}|question|answer|know|find|locate|fiscal)\b")
MOST_DENIALS = 3
"""More clauses than these explain something, whatever they deny."""
MOST_DENYING = 200
"""Characters of a clause that does no more than deny."""
_OWN_FACT = re.compile(r"\b(?:has|have|had) no\b|\b(?:if|unless|when)\b|\bto (?:other|third|any)\b")
"""A source as a thing of its own ("the document has no expiry date"), and conditions."""
FAMILY = 5
"""First letters that words of one family share: weigh, weight."""
_OF_ANY_KIND = frozenset({"amount", "figur", "number", "valu", "answer", "detail"})
"""What any question may be for: a gap in it is about what is asked."""
_PASSES_NOTHING_ON = re.compile(
    r"\b(?:pass|give|hand|share|disclose|release|read|tell|show)\w* (?:it|them|that|those|these|this)"
    r"(?: on| out| to \w+)?(?: (?:here|in this (?:chat|conversation|channel)|through this \w+))?\W*$"
)
"""A gap about what was named before: "I am not permitted to pass them on"."""
QUOTES_A_REPLY = re.compile(
    r"\b(?:say|reply|answer|respond|write|read|show|display|appear|tick|choose|select)s?(?: that)?[,:]? [\"']"
)
"""A claim that tells what is to be said: "Staff should say: "I'm sorry, I can't ..."."."""
_AMBIGUOUS = re.compile(
    r"\b(?:(?:could|can|may|might) (?:be|mean|refer to) (?:one of )?(?:(?:at least |any of )?(?:two|three|four|five"
    r"|several|different|many|various)|more than one)|is ambiguous"
    r"|which (?:one|of them|of these) (?:do|did) you mean)\b"
)
"""With which an answer begins that asks back, and then lists what may be meant."""
MAX_WORDS = 120
"""Characters of a clause that are shown where no single words decide."""
_DEMONSTRATIVE = re.compile(r"\b(?:this|that) (?:information|question|detail|figure|data)\b|\b(?:this|that)\W*$")
NEGATIVE = re.compile(
    r"\b(?:no|not|none|nothing|neither|nor|never|cannot|cant|without|lacks?|omits?"
    r"|arent|werent|havent|missing|absent|blank|empty|silent|unnamed|in vain|fails?|nowhere"
    r"|\w{2,}nt(?<!ment)(?<!ent)(?<!ant))\b"
)
_LISTS = re.compile(
    r"\b(?:lists?|names?|shows?|gives?|states?|says?|mentions?|contains?|includes?)"
    r" (?!(?:no|not|none|nothing|neither)\b)"
)
KNOWER = re.compile(
    rf"\b(?:the|this|these|those|my|your|our|any|provided|given|supplied"
    rf"|retrieved) (?:[\w-]+ ){{0,2}}?(?:{SURE_SOURCE}|{TEXT})\b"
    r"|^(?:i|im|ive)\b|\byou (?:gave|sent|provided|shared|uploaded)\b"
)
NOT_THERE = re.compile(
    rf"{IS_NOT}{ADVERBS} (?P<told>covered|included|available|found|identified|present|noted|visible|answered)\W*$"
)
_CONCLUDES = re.compile(
    r"^\W*(?:so|therefore|thus|hence|consequently|accordingly|as a result|in (?:short|sum|summary|conclusion|brief)"
    r"|overall"
    r"|however|but|unfortunately|without|given (?:this|that|the)|for (?:this|these) reasons?|regrettably|all in all)\b"
)
_IN_THE_END = re.compile(r"\b(?:therefore|thus|hence|unanswered)\b")
_QUESTION = re.compile(r"\b(?:question|query|request|answer(?:ed)?|this|that|it)\b")
_WORD = re.compile(r"[^\W_]+")
_DIGIT_WORD = re.compile(r"(?<![\w.,])[^\W_]*\d[^\W_]*(?![\w%]|[.,]\d)")
_POINTER = re.compile(
    r"\b(?:clauses?|sections?|articles?|pages?|chapters?|rooms?|notes?|items?|tables?|figures?|paragraphs?|annex|appendix"
    r"|parts?|schedules?|versions?|releases?) \d[\d.]*"
)
_NEGATED = re.compile(r"\b(?:(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would)nt|cannot|im|ive|id)\b")
_LIMITING = re.compile(r"\b(?:alone|nothing (?:else|more)|only|solely|exclusively|merely|just)\b")
_OF_SOURCES = re.compile(rf"\b{SOURCE}\b")
_NOT_QUITE = re.compile(r"\b(?:directly|explicitly|exactly|specifically|as such|outright|in so many words)\b")
_TURNS = re.compile(r"^\W*(?:however|but|still|instead|nevertheless|that said|even so|rather)\b")
_OF_THE_CLAIM = re.compile(r"\b(?:those|these|they) (?:are|were)\b")
"""A gap that speaks of what was told: "does not state that those are its rivals"."""
MEANING = re.compile(r"\bwhat (?:does|do|did)\b.*\b(?:mean|stand for|refer to)\b|\bmeaning of\b")
_GIVES_UP = re.compile(
    r"\b(?:cannot|cant|(?:am|im) (?:not able|unable) to|unable to|not possible to)"
    r" (?:say|tell|confirm|compare|determine|answer|calculate|give|make)\b[^.]{0,40}"
    r"\b(?:differences?|comparisons?|compare[sd]?|(?:you|that was|what was) asked)\b"
    r"|\b(?:comparison|calculation|answer) (?:is not|isnt|cannot be|cant be) (?:possible|made|given|completed)\b"
    r"|\b(?:leave|leaving) (?:this|that|it)(?: one)? unanswered\b|\bdont have enough to (?:say|tell|answer)\b"
    r"|\bno (?:figure|number|amount|answer|value|percentage) can be (?:given|stated)\b"
    r"|\bi (?:therefore |thus )?(?:cannot|cant) (?:state|answer (?:for|this|that|it))\b"
    r"|\b(?:cannot|cant) be (?:computed|calculated|worked out|derived) (?:here|from|with|on)\b"
)
"""How an answer that told something ends in none: "so I can't tell you the difference"."""


def read_by_rules(question: str, clauses: Sequence[Clause]) -> Reading:
    """What an answer does, by rules alone.

    Args:
        question: Match text.
        clauses: What the answer says.
    """
    asked = telling_families(question)
    clauses = [_read_again(clause, question, asked) for clause in clauses]
    gaps = [clause for clause in clauses if clause.move is Move.DECLINES]
    claims = [clause for clause in clauses if clause.move is Move.CLAIMS]
    asks = [clause for clause in clauses if clause.move is Move.ASKS]
    if gaps:
        concluded = {gap.sentence for gap in gaps if gap.concludes}
        claims = [clause for clause in claims if not _only_elaborates(clause, gaps[0].sentence, concluded)]
    if not gaps and not POLAR.search(question) and _only_denies(claims):
        return Reading(outcome=Outcome.DECLINED, words=claims[0].text[:MAX_WORDS], says_so=True)
    if not claims:
        return _without_a_claim(question, clauses, gaps, asks)
    if (
        asks
        and not gaps
        and (all(courtesy.CLARIFIES.search(clause.text) for clause in claims) or _AMBIGUOUS.search(claims[0].text))
    ):
        return Reading(outcome=Outcome.ASKS_BACK, words=asks[0].words)
    for gap in gaps:
        if not gap.aside and tells_one_of_two(question, [claim.text for claim in claims], gap.text):
            return Reading(outcome=Outcome.PARTLY, words=gap.words, says_so=True)
    if again := asked_again(question, clauses):
        return Reading(outcome=Outcome.DECLINED, words=again.words, says_so=True)
    final = _concluding_gap(clauses, asked)
    if final and (_GIVES_UP.search(final.text) or not any(courtesy.PRECISE.search(claim.text) for claim in claims)):
        return Reading(outcome=Outcome.DECLINED, words=final.words, says_so=True)
    claimed = {claim.sentence for claim in claims}
    for gap in gaps:
        if not _is_beside_the_point(gap, claimed, asked | named_kinds(question)):
            told, missing = [claim.text for claim in claims], telling_families(gap.text)
            first = clauses.index(claims[0]) < clauses.index(gap) or _is_flat(gap, claims)
            families = [telling_families(text) for text in told]
            of_them = _OF_THE_CLAIM.search(gap.text)
            if (_is_flat(gap, claims) and describes_instead(question, asked, missing, told, families[0])) or (
                not of_them and tells_only_besides(question, asked, missing, told, families, told_first=first)
            ):
                return Reading(outcome=Outcome.DECLINED, words=gap.words, says_so=True)
            return Reading(outcome=Outcome.PARTLY, words=gap.words, says_so=True)
    return ANSWERED


def asked_again(question: str, clauses: Sequence[Clause]) -> Clause | None:
    """The clause that says what is missing by asking the question's own question again, if one does.

    Args:
        question: Match text.
        clauses: What the answer says.
    """
    asked = telling_families(question)
    claims = [clause.text for clause in clauses if clause.move is Move.CLAIMS]
    told = set[str]().union(*map(telling_families, claims))
    return next(
        (
            gap
            for gap in clauses
            if gap.move is Move.DECLINES
            and asks_again(question, asked, gap.text, telling_families(gap.text), claims, told)
        ),
        None,
    )


def _is_flat(gap: Clause, claims: Sequence[Clause]) -> bool:
    """Whether a gap is a sentence of its own before all that is told, which does not turn against it."""
    return (
        all(claim.sentence > gap.sentence for claim in claims)
        and not _NOT_QUITE.search(gap.text)
        and not _TURNS.match(claims[0].text)
    )


def _concluding_gap(clauses: Sequence[Clause], asked: set[str]) -> Clause | None:
    """The gap with which an answer ends after it has thought aloud: "So the question can't be answered."."""
    told = [clause for clause in clauses if clause.move in {Move.CLAIMS, Move.DECLINES}]
    if len(told) < 2 or told[-1].move is not Move.DECLINES:
        return None
    final = told[-1]
    begins = next(clause for clause in clauses if clause.sentence == final.sentence)
    concludes = final.concludes or _CONCLUDES.match(begins.text) or _IN_THE_END.search(final.text)
    about = telling_families(final.text)
    is_about = about & asked or not about or _QUESTION.search(final.text) or _GIVES_UP.search(final.text)
    return final if concludes and is_about else None


def _only_denies(claims: Sequence[Clause]) -> bool:
    """Whether all that is said is negative and somebody who should know is named: no answer to an open question."""
    if not claims or len(claims) > MOST_DENIALS or any(QUOTES_A_REPLY.search(claim.text) for claim in claims):
        return False
    texts = [claim.text for claim in claims]
    if any(len(text) > MOST_DENYING or courtesy.PRECISE.search(text) or _OWN_FACT.search(text) for text in texts):
        return False
    texts = [_told(text) for text in texts]
    return all(NEGATIVE.search(text) for text in texts) and any(KNOWER.search(text) for text in texts)


def _told(text: str) -> str:
    """A claim without what it denies behind a dash, where it tells something first: "it lists two - no others"."""
    first, dash, _ = text.partition(" - ")
    return first if dash and _LISTS.search(first) else text


def _read_again(clause: Clause, question: str, asked: set[str]) -> Clause:
    """What is asked and "is not covered" is a gap where the question is open; "Is it covered?" has its answer."""
    if clause.move is not Move.CLAIMS or MEANING.search(question):
        return clause
    precise = courtesy.PRECISE.search(clause.text)
    if precise and NEGATIVE.search(clause.text):
        precise = courtesy.PRECISE.search(_without_names(clause.text, question))
    if POLAR.search(question):
        gone = None if precise or OF_A_WRITING.search(question) else NOT_IN_A_WRITING.search(clause.text)
        return replace(clause, move=Move.DECLINES, words=gone[0]) if gone else clause
    if not precise and (words := absent(clause.text, asked)):
        return replace(clause, move=Move.DECLINES, words=words)
    match = NOT_THERE.search(clause.text)
    if (
        match is None
        or not telling_families(clause.text[: match.start()]) & asked
        or stem(match["told"]) in stems(question)
    ):
        return clause
    return replace(clause, move=Move.DECLINES, words=match[0].strip())


def _without_names(text: str, question: str) -> str:
    """A clause without digits that name something: those of the question's words, and of clauses and pages."""
    named = set(_DIGIT_WORD.findall(question.casefold()))
    plain = _POINTER.sub(" ", text)
    return _DIGIT_WORD.sub(lambda match: " " if match[0] in named else match[0], plain) if named else plain


def _without_a_claim(
    question: str, clauses: Sequence[Clause], gaps: Sequence[Clause], asks: Sequence[Clause]
) -> Reading:
    if gaps:
        return Reading(outcome=Outcome.DECLINED, words=gaps[0].words, says_so=True)
    if asks:
        return Reading(outcome=Outcome.ASKS_BACK, words=asks[0].words)
    limits = [clause for clause in clauses if clause.move is Move.LIMITS]
    referred = [clause for clause in clauses if clause.move is Move.REFERS]
    if limits and not (_LIMITING.search(limits[0].words) and not _OF_SOURCES.search(question)):
        return ANSWERED
    if referred and not limits and courtesy.ASKS_FOR_A_WAY.search(question):
        return ANSWERED
    if said := [*limits, *referred]:
        return Reading(outcome=Outcome.DECLINED, words=said[0].words)
    return ANSWERED


def _only_elaborates(clause: Clause, first_gap: int, concluded: set[int]) -> bool:
    """Whether a claim is why nothing is told ("We publish none, so I cannot say"), or where the answer may stand."""
    if clause.sentence in concluded:
        return True
    if clause.sentence < first_gap or courtesy.PRECISE.search(_POINTER.sub(" ", clause.text)):
        return False
    return bool(courtesy.ELSEWHERE.search(clause.text))


def _is_beside_the_point(gap: Clause, claimed: set[int], asked: set[str]) -> bool:
    """Whether a gap takes nothing from what else the answer says; `claimed` are the sentences that claim something."""
    if gap.aside or gap.concludes:
        return gap.aside
    about = telling_families(gap.text)
    touches = (
        bool(about & asked)
        or (about <= _OF_ANY_KIND and (bool(about) or bool(_DEMONSTRATIVE.search(gap.text))))
        or bool(_long(about) & _long(asked))
        or _PASSES_NOTHING_ON.search(gap.text) is not None
    )
    if gap.sentence in claimed and not touches:
        return True
    if min(claimed) < gap.sentence:
        return bool(CLOSING.search(gap.text)) or (bool(about) and not touches)
    return False


def _long(families: set[str]) -> set[str]:
    return {family[:FAMILY] for family in families if len(family) >= FAMILY}


def telling_families(text: str) -> set[str]:
    """The word families of a text without negations and the words with which a source or an assistant tells."""
    plain = _OF_TELLING.sub(" ", _NEGATED.sub(" ", text))
    return {stem(word) for word in _WORD.findall(plain) if word not in STOP_WORDS and len(word) > 1}
