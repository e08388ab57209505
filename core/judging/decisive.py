"""Where the match judge's verdict can stand without a model's, and how far the two agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.estimates import Estimate, Proportion
from core.domain.responses import Judgement, Verdict
from core.judging.match.abstention import says_nothing
from core.judging.match.citations import without_citations
from core.judging.match.normalise import match_text
from core.stats.clustered_kappa import clustered_kappa
from core.stats.intervals import clustered_proportion

STATED = frozenset({"date", "number", "text", "name"})
"""Rules that met the reference's value in the answer."""
MOST_WORDS = 60
"""Of an answer in which a value that was met is taken for the answer: a longer one has room for another subject."""

_SEVERAL = re.compile(r"[;\n]|,(?!\d)|\b(?:and|or|but|however|although|though|except|unless|instead)\b")


def is_decisive(judgement: Judgement, question: str, answer: str | None) -> bool:
    """Whether a verdict by rules needs no second opinion.

    Decisive are:

    - Correct, where the answer is the reference (``exact``), or both say that there is no answer
      (``abstention expected``).
    - Correct, where the value is stated (``date``, ``number``, ``text``, ``name``) in an answer of at most
      `MOST_WORDS` words that names nothing besides it and the question's words: no list, no "but".
    - Incorrect, where the whole answer says nothing (``abstained``: empty, "n/a").
    - Not judged: without answer or reference there is nothing to ask a model about.

    Every other verdict is not. Lists may hold wrong parts besides the right ones, a yes or no is read from words, and
    an Incorrect only says that no usual format was met: of the 26 recorded Aurp answers that match calls incorrect, 19
    were accepted by the recorded judge, while of the 241 it calls correct one was not (docs/match-judge.md).

    Args:
        judgement: The match judge's.
        question: What was asked.
        answer: What was judged.

    >>> from core.judging.match import judge_match
    >>> asked = "Who manages it?"
    >>> [is_decisive(judge_match(asked, ["Ann Lee"], said), asked, said) for said in
    ...  ("Ann Lee manages it.", "Ann Lee, Bob Roy and Cy Orr.", "Bob Roy manages it.", "n/a")]
    [True, False, False, True]
    """
    if judgement.verdict is Verdict.NOT_JUDGED or answer is None:
        return True
    answer = without_citations(answer, _references(judgement))
    if judgement.verdict is Verdict.INCORRECT:
        text = match_text(answer)
        return judgement.rule == "abstained" and (not text or says_nothing(text))
    if judgement.rule in ("exact", "abstention expected"):
        return True
    if judgement.rule not in STATED or len(answer.split()) > MOST_WORDS:
        return False
    rest = match_text(answer)
    for known in (str(judgement.detail.get("reference", "")), question):
        for words in (match_text(known), *_quoted(known)):
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
        first: Verdicts of the one.
        second: Verdicts of the other, same cases in the same order.
        clusters: What each case was made from; by default each is by itself.

    Raises:
        InsufficientData: They judged no case together.
    """
    both = [place for place, pair in enumerate(zip(first, second, strict=True)) if Verdict.NOT_JUDGED not in pair]
    one = np.array([first[place] is Verdict.CORRECT for place in both], dtype=bool)
    two = np.array([second[place] is Verdict.CORRECT for place in both], dtype=bool)
    groups = np.array(both if clusters is None else [clusters[place] for place in both], dtype=np.int64)
    return Agreement(
        kappa=clustered_kappa(one, two, groups),
        agreed=clustered_proportion(one == two, groups),
        both_correct=int((one & two).sum()),
        both_incorrect=int((~one & ~two).sum()),
        first_only=int((one & ~two).sum()),
        second_only=int((~one & two).sum()),
    )


def _references(judgement: Judgement) -> list[str]:
    given = judgement.detail.get("references")
    return [str(reference) for reference in given] if isinstance(given, list | tuple) else []


def _quoted(text: str) -> list[str]:
    """The names that a question quotes: an answer repeats them whole, commas and all."""
    return [match_text(found) for found in re.findall(r"[\"'“‘]([^\"'“”‘’]{2,120})[\"'”’]", text)]
