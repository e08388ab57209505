"""How much the system and its judge change by themselves, from repeats of the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.estimates import Proportion
from core.robustness.flips import broke_share, flip_share
from core.robustness.pairs import Answered, Pair, clusters_of
from core.stats import clustered_proportion

NO_REPEATS = "No question was repeated. Add the kind repeat to see how much changes by itself."


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """The noise of a system and of its judge.

    Attributes:
        repeats: Answers to repeated questions.
        flipped: Verdicts that changed, of repeats judged on both sides; the noise of system and judge together.
        broke: Right answers that became wrong by themselves.
        reworded: Repeats whose answer has other words; the noise of the system.
        judge: Verdicts that differ although the answer is the same, letter for letter; the noise of the judge.
        votes: Answers whose repeated verdicts disagree, of those the judge judged several times.
    """

    repeats: int
    flipped: Proportion
    broke: Proportion
    reworded: Proportion
    judge: Proportion
    votes: Proportion

    @property
    def said(self) -> str:
        """What was not measured, in a sentence; empty where all was."""
        if not self.repeats:
            return NO_REPEATS
        if not self.judge.den and not self.votes.den:
            return "The judge's own noise is not measured: no answer came twice, and each was judged once."
        return ""

    def as_json(self) -> dict[str, object]:
        """All of it as plain JSON."""
        return {
            "repeats": self.repeats,
            "flipped": self.flipped.as_json(),
            "broke": self.broke.as_json(),
            "reworded": self.reworded.as_json(),
            "judge": self.judge.as_json(),
            "judge_votes": self.votes.as_json(),
            "said": self.said,
        }


def noise_of(repeats: Sequence[Pair], answered: Sequence[Answered]) -> Noise:
    """The noise, from repeats and from answers that were judged several times.

    Args:
        repeats: The pairs of the kind that asks again.
        answered: All answers of both runs, for the votes of their judge.
    """
    there = [pair for pair in repeats if pair.parent is not None and pair.parent.answer and pair.variant.answer]
    same = [pair for pair in there if _plain(pair) and pair.comparable]
    voted = [item for item in answered if len(item.votes) > 1]
    groups = {group: number for number, group in enumerate(dict.fromkeys(item.case.group_id for item in voted))}
    return Noise(
        repeats=len(repeats),
        flipped=flip_share(repeats),
        broke=broke_share(repeats),
        reworded=clustered_proportion([not _plain(pair) for pair in there], clusters_of(there)),
        judge=clustered_proportion([pair.change != 0 for pair in same], clusters_of(same)),
        votes=clustered_proportion(
            [len(set(item.votes)) > 1 for item in voted], [groups[item.case.group_id] for item in voted]
        ),
    )


def _plain(pair: Pair) -> bool:
    """Whether both answers are the same but for blanks."""
    return pair.parent is not None and pair.parent.answer.split() == pair.variant.answer.split()
