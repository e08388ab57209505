"""When the match judge's verdict needs no model to confirm it, and how far the two agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.estimates import Estimate, Proportion
from core.domain.results.responses import Judgement, Verdict
from core.judging.match.abstention import says_nothing
from core.judging.match.citations import without_citations
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE
from core.stats.agreement.clustered_kappa import clustered_kappa
from core.stats.intervals import clustered_proportion

STATED = frozenset({"date", "number", "text", "name"})
"""Rules that find the reference's value in the answer."""
MOST_WORDS = 60
"""The most words of an answer whose matching value decides; a longer answer may be about another subject."""

_SEVERAL = re.compile(r"[;\n]|,(?!\d)|\b(?:and|or|but|however|although|though|except|unless|instead)\b")


def is_decisive(judgement: Judgement, question: str, answer: str | None) -> bool:
    """Whether a verdict by rules needs no second opinion.

    These verdicts are decisive:

    - Correct, where the answer is the reference (``exact``), or both say that there is no answer
      (``abstention expected``).
    - Correct, where the value is stated (``date``, ``number``, ``text``, ``name``) in an answer of at most
      `MOST_WORDS` words that names nothing besides it and the question's words: no list, no "but".
    - Incorrect, where the whole answer says nothing (``abstained``: empty, "n/a").
    - Not judged for want of an answer or a reference: there is nothing to ask a model about. What words cannot decide
      (``needs a judge``) is asked.

    Every other verdict is not. Lists may hold wrong parts besides the right ones, a yes or no is read from words, and
    an Incorrect only says that no usual format matched: of the 26 recorded Aurp answers that match calls incorrect, the
    recorded judge accepted 19; of the 241 it calls correct, the recorded judge rejected one (docs/match-judge.md).

    Args:
        judgement: The match judge's.
        question: The case's question.
        answer: The answer judged.

    >>> from core.judging.match import judge_match
    >>> question = "Who manages it?"
    >>> [is_decisive(judge_match(question, ["Ann Lee"], answer), question, answer) for answer in
    ...  ("Ann Lee manages it.", "Ann Lee, Bob Roy and Cy Orr.", "Bob Roy manages it.", "n/a")]
    [True, False, False, True]
    """
    if judgement.verdict is Verdict.NOT_JUDGED or answer is None:
        return judgement.rule != NEEDS_A_JUDGE
    answer = without_citations(answer, _references(judgement))
    if judgement.verdict is Verdict.INCORRECT:
        text = match_text(answer)
        return judgement.rule == "abstained" and (not text or says_nothing(text))
    if judgement.rule in ("exact", "abstention expected"):
        return True
    if judgement.rule not in STATED or len(answer.split()) > MOST_WORDS:
        return False
    rest = match_text(answer)
    for repeated in (str(judgement.detail.get("reference", "")), question):
        for words in (match_text(repeated), *_quoted(repeated)):
            rest = rest.replace(words.strip(" .?!"), " ") if words.strip(" .?!") else rest
    return judgement.rule == "date" or _SEVERAL.search(rest) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Two judges on the cases that both judged.

    Attributes:
        agreed: Cases with the same verdict of those both judged, interval clustered.
        kappa: Cohen's kappa with an interval over clusters; no value where both give one and the same verdict.
        both_correct: Both say correct.
        both_incorrect: Both say incorrect.
        first_only: Only the first says correct.
        second_only: Only the second says correct.
    """

    agreed: Proportion
    kappa: Estimate
    both_correct: int
    both_incorrect: int
    first_only: int
    second_only: int


def agreement(first: Sequence[Verdict], second: Sequence[Verdict], clusters: Sequence[int] | None = None) -> Agreement:
    """How far two judges agree, on the cases that both judged.

    Args:
        first: Verdicts of the first judge.
        second: Verdicts of the second judge, same cases in the same order.
        clusters: The cluster of each case; by default each case is its own cluster.

    Raises:
        InsufficientData: They judged no case together.
    """
    judged_places = [
        place for place, pair in enumerate(zip(first, second, strict=True)) if Verdict.NOT_JUDGED not in pair
    ]
    first_correct = np.array([first[place] is Verdict.CORRECT for place in judged_places], dtype=bool)
    second_correct = np.array([second[place] is Verdict.CORRECT for place in judged_places], dtype=bool)
    groups = np.array(
        judged_places if clusters is None else [clusters[place] for place in judged_places], dtype=np.int64
    )
    return Agreement(
        kappa=clustered_kappa(first_correct, second_correct, groups),
        agreed=clustered_proportion(first_correct == second_correct, groups),
        both_correct=int((first_correct & second_correct).sum()),
        both_incorrect=int((~first_correct & ~second_correct).sum()),
        first_only=int((first_correct & ~second_correct).sum()),
        second_only=int((~first_correct & second_correct).sum()),
    )


def _references(judgement: Judgement) -> list[str]:
    references = judgement.detail.get("references")
    return [str(reference) for reference in references] if isinstance(references, list | tuple) else []


def _quoted(text: str) -> list[str]:
    """The names that a question quotes: an answer repeats them whole, commas and all."""
    return [match_text(name) for name in re.findall(r"[\"'“‘]([^\"'“”‘’]{2,120})[\"'”’]", text)]
