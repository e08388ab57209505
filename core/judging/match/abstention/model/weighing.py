"""Whether an answer declines, weighed: what the rules saw, what its words say and how each clause sounds.

One clause that declines and one that tells something make an answer or a refusal, by which of them is about the
question, how surely each of them declines, what is asked for and whether it is told. A linear model over such traits,
fitted on replies of authors of whose replies the other halves of the model had seen none, weighs them
(``python -m bench.abstention_model --write``).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from core.judging.match.abstention import courtesy
from core.judging.match.abstention.clauses import Clause, Move, speaks_of_source
from core.judging.match.abstention.model.learned import Chances
from core.judging.match.abstention.outcome import Outcome, Reading
from core.text.words import STOP_WORDS, stem

WEIGHTS = Path(__file__).with_name("weighing.json")
CONSTANT = ""
"""The name of the constant among the weights."""
POLAR = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\b|\bwhether\b"
    r"|\byes or no\b"
    r"|[,.;:!?-] (?:so |and |but |then )*(?:is|are|was|were|does|do|did|can|could|will|would|should|may|must|am)"
    r" (?:i|we|you|they|he|she|it|there|this|that|these|those|the|my|our|your|an?)\b"
)
"""A question for yes or no."""
YES_OR_NO = re.compile(
    r"\W*(?:(?:unfortunately|sadly|sorry|im sorry|im afraid|well|actually|but)\b\W*)*(?:yes|no)\b(?! (?:idea|clue))"
)
_FIGURE_ASKED = re.compile(
    r"\bhow (?:many|much|long|old|far|high|large|big|often|tall|heavy|fast|late|early)\b|\bwhen\b"
    r"|\b(?:what|which) (?:time|date|day|year|percentage|share|price|cost|amount)\b"
    r"|\b(?:rate|price|cost|fee|number|amount|deadline|limit)\b"
)
_DEPENDS = re.compile(r"\b(?:var(?:y|ies)|depend(?:s|ing)?)\b")
_TURN = re.compile(r"\b(?:however|but|though|although|nevertheless|yet)\b")
_TELLS_INSTEAD = re.compile(
    rf"(?:[.!?;]\s+|\n)\W*{_TURN.pattern}|\bhowever,|\b(?:important to note|(?:should be|be) noted"
    r"|(?:it|they) (?:also )?(?:suggests?|impl(?:y|ies)|indicates?))\b"
)
"""Where an answer that declined goes on to what it tells all the same."""
PLAIN_SIGN = re.compile(
    r"\b(?:no|not|none|nothing|neither|nor|never|cannot|without|lacks?|omits?"
    r"|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)nt"
    r"|missing|absent|blank|empty|silent|unable|unclear|unknown|unsure|unspecified|unavailable|unfortunately|sorry|afraid"
    r"|regret\w*|outside|beyond|only|alone|instead|nowhere|tbd|tba|depends?|var(?:y|ies)|please|contact|consult|check|refer"
    r"|recommend|clarify|let me|i|im|ill|id|my|todo|pending|yet|provided|context|passages?|documents?|excerpts?"
    r"|sources?)\b|\?"
)
"""A word without which an answer seldom declines: it denies, speaks of itself or of a source, asks, or sends away."""
SIGN = re.compile(
    rf"{PLAIN_SIGN.pattern}|\b(?:\w+nt(?<!ment)(?<!ent)(?<!ant)|apologi\w+|n/a|depending|may|might|could|would|ask|speak"
    r"|call|visit|see|reach|suggest\w*|advis\w+|should|which|specify|need|me|we|our|information|details?|records?"
    r"|mention\w*|general\w*|typically|usually|many|several|various|different|until)\b"
)
"""The same, and words that soften."""
_WORD = re.compile(r"[^\W_]+")


SHORT, LONG = 150, 300
"""Characters of an answer that the rules take for one, up to which and beyond which the margins differ."""
LEAST_WHOLE = 0.46
"""Log odds of the whole above which a short one declines."""
MARGIN_SHORT, MARGIN_MIDDLE, MARGIN_LONG = 0.4, 0.8, 4.0
"""Log odds above which an answer declines in which the rules saw no refusal, by its length: long ones seldom do."""
MARGIN_OF_A_CLAUSE, MARGIN_OF_FACTS = 1.0, 2.5
"""The same where no plain sign of a refusal is there: of a short clause, and of more; a long one tells its facts."""
MARGIN_OF_SENTENCES = 1.4
"""The least of them where an answer of two sentences and more only tells facts, as answers from passages do."""
MARGIN_OF_PARTS, MARGIN_OF_LONG_PARTS, MARGIN_BEFORE_A_TURN = 0.0, 1.0, 3.6
"""The same where the rules say that it tells something and declines a part, and where it then turns to what it tells:
"I have no figure for March. However, ..."."""
SURELY_TELLS, MARGIN_OF_TELLING = -0.95, -0.5
"""Log odds below which a rule that saw a refusal was wrong: of the whole, where it speaks of no source, and weighed."""


def stands(reading: Reading, said: Sequence[str], answer: str) -> bool:
    """Whether what the rules say of an answer stands whatever the model says: a long one that tells facts alone.

    Args:
        reading: By the rules.
        said: What the answer says, clause by clause.
        answer: Match text.
    """
    return reading.outcome is Outcome.ANSWERED and sum(map(len, said)) > LONG and not PLAIN_SIGN.search(answer)


def is_refusal(question: str, clauses: Sequence[Clause], reading: Reading, chances: Chances, answer: str) -> bool:
    """Whether an answer declines, all in all: what the rules say is not lightly overruled.

    Args:
        question: Match text.
        clauses: What the answer says, in order.
        reading: By the rules, which do not say that it asks back.
        chances: What the model says of the answer and of each of its clauses.
        answer: Match text.
    """
    odds = declines(question, clauses, reading, chances)
    if reading.outcome is Outcome.DECLINED:
        of_source = any(speaks_of_source(text) for text, _ in chances.clauses)
        return odds > MARGIN_OF_TELLING and (of_source or chances.whole >= SURELY_TELLS)
    length = sum(len(text) for text, _ in chances.clauses)
    if reading.outcome is Outcome.PARTLY:
        if _TELLS_INSTEAD.search(answer):
            return odds > MARGIN_BEFORE_A_TURN
        return odds > (MARGIN_OF_LONG_PARTS if length > LONG or _TURN.search(answer) else MARGIN_OF_PARTS)
    margin = _margin(length, chances, answer)
    return odds > (max(margin, MARGIN_OF_SENTENCES) if _tells_in_sentences(clauses) else margin)


def _tells_in_sentences(clauses: Sequence[Clause]) -> bool:
    """Whether an answer is of two sentences and more, each of which tells something; that it depends tells nothing."""
    if len({clause.sentence for clause in clauses}) <= 1:
        return False
    return all(clause.move is Move.CLAIMS and not _DEPENDS.search(clause.text) for clause in clauses)


def _margin(length: int, chances: Chances, answer: str) -> float:
    """Log odds above which an answer declines in which the rules saw no refusal."""
    if length <= SHORT and chances.whole <= LEAST_WHOLE:
        return math.inf
    if not PLAIN_SIGN.search(answer):
        if length > LONG:
            return math.inf
        return MARGIN_OF_A_CLAUSE if length <= SHORT and len(chances.clauses) == 1 else MARGIN_OF_FACTS
    if length > LONG:
        return MARGIN_LONG
    return MARGIN_SHORT if length <= SHORT else MARGIN_MIDDLE


def declines(question: str, clauses: Sequence[Clause], reading: Reading, chances: Chances) -> float:
    """Log odds that an answer declines.

    Args:
        question: Match text.
        clauses: What the answer says, in order.
        reading: By the rules.
        chances: What the model says of the answer and of each of its clauses.
    """
    weights = _weights()
    found = traits(question, clauses, reading, chances)
    return weights[CONSTANT] + math.fsum(weights.get(name, 0.0) * value for name, value in found.items())


def traits(question: str, clauses: Sequence[Clause], reading: Reading, chances: Chances) -> dict[str, float]:
    """What is weighed, by name.

    Args:
        question: Match text.
        clauses: What the answer says, in order.
        reading: By the rules.
        chances: What the model says of the answer and of each of its clauses.
    """
    asked = _families(question)
    of_clauses = [odds for _, odds in chances.clauses]
    texts = [text for text, _ in chances.clauses]
    most, least = of_clauses.index(max(of_clauses)), of_clauses.index(min(of_clauses))
    last = max(1, len(texts) - 1)
    claims = [clause.text for clause in clauses if clause.move is Move.CLAIMS]
    counts = {move: sum(clause.move is move for clause in clauses) for move in Move}
    wants_figure = bool(_FIGURE_ASKED.search(question))
    has_figure = any(courtesy.PRECISE.search(text) for text in claims)
    about_most, about_least = _share(texts[most], asked), _share(texts[least], asked)
    return {
        "rules: declines": float(reading.outcome is Outcome.DECLINED),
        "rules: partly": float(reading.outcome is Outcome.PARTLY),
        "rules: asks back": float(reading.outcome is Outcome.ASKS_BACK),
        "rules: tells of a gap": float(reading.says_so),
        "whole": chances.whole,
        "whole by words": chances.by_words,
        "whole by sound": chances.by_sound,
        "whole, partly": chances.whole * (reading.outcome is Outcome.PARTLY),
        "clauses: most": of_clauses[most],
        "clauses: least": of_clauses[least],
        "clauses: mean": math.fsum(of_clauses) / len(of_clauses),
        "clauses: first": of_clauses[0],
        "clauses: last": of_clauses[-1],
        "clauses: count": math.log1p(len(texts)),
        "clauses: place of the most": most / last,
        "clauses: place of the least": least / last,
        "about the question: the most": about_most,
        "about the question: the least": about_least,
        "about the question: the most, surely": about_most * of_clauses[most],
        "about the question: the least, surely": about_least * of_clauses[least],
        "about the question: claims": max((_share(text, asked) for text in claims), default=0.0),
        "length": math.log1p(sum(map(len, texts))),
        "sign": float(any(SIGN.search(text) for text in texts)),
        "plain sign": float(any(PLAIN_SIGN.search(text) for text in texts)),
        "claims": math.log1p(counts[Move.CLAIMS]),
        "gaps": float(counts[Move.DECLINES]),
        "referrals": float(counts[Move.REFERS]),
        "questions": float(counts[Move.ASKS]),
        "limits": float(counts[Move.LIMITS]),
        "yes or no asked": float(POLAR.search(question) is not None),
        "begins with yes or no": float(YES_OR_NO.match(texts[0]) is not None),
        "figure asked": float(wants_figure),
        "figure told": float(has_figure),
        "figure asked and told": float(wants_figure and has_figure),
        "figure asked and not told": float(wants_figure and not has_figure),
        "turns": float(any(_TURN.search(text) for text in texts)),
        "speaks of a source": float(any(speaks_of_source(text) for text in texts)),
    }


def _families(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text) if word not in STOP_WORDS and len(word) > 1)


def _share(text: str, asked: frozenset[str]) -> float:
    """The share of a question's telling words that a text has."""
    return len(_families(text) & asked) / max(1, len(asked))


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights
