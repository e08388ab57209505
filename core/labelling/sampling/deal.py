"""Who labels which cases in which order: loads alike, every two raters meet, repetitions come late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from core.domain.labels import LabelRound, LabelTask, Part

APART = 5
"""Tasks between the first time a rater sees a case and its repetition, where there are that many."""

Case = tuple[str, Part]
"""A case and why it is in the round."""


def deal(made: LabelRound, cases: Sequence[Case]) -> list[LabelTask]:
    """The tasks of every rater of a round.

    Cases come in an order drawn with the seed; the first of them make up the overlap. Each goes to the raters with the
    fewest cases so far, among those to the ones who met least often, then by chance: nobody has more than one case
    more than anybody else or a case twice, and with enough cases of the overlap every two raters share some, which
    agreement between them needs.

    Args:
        made: The round, whose seed, raters, overlap and shares count.
        cases: Each once; practice goes to every rater in the order given.
    """
    practice = [case_id for case_id, part in cases if part is Part.PRACTICE]
    real = [(case_id, part) for case_id, part in cases if part is not Part.PRACTICE]
    rng = np.random.default_rng(made.seed)
    shared = round(made.overlap_share * len(real))
    n = len(made.raters)
    hands: list[list[Case]] = [[] for _ in range(n)]
    loads = np.zeros(n, dtype=np.int64)
    met = np.zeros((n, n), dtype=np.int64)
    for number, place in enumerate(rng.permutation(len(real)).tolist()):
        for rater in _least(loads, met, rng, made.overlap if number < shared else 1):
            hands[rater].append(real[place])
    return [
        task
        for number, rater in enumerate(made.raters)
        for task in _ordered(made, rater, practice, hands[number], _own(made, number))
    ]


def newcomer(made: LabelRound, known: Mapping[str, Sequence[LabelTask]]) -> list[LabelTask]:
    """The tasks of a rater who comes later: as many cases as the rater with the most has, those fewest raters have.

    Args:
        made: The round with the newcomer as its last rater.
        known: The tasks of the others, each rater's in their order.
    """
    practice = [task.case_id for task in known[made.raters[0]] if task.part is Part.PRACTICE]
    first = {
        rater: [(task.case_id, task.part) for task in tasks if task.part is not Part.PRACTICE and not task.occurrence]
        for rater, tasks in known.items()
    }
    seen = Counter(case for hand in first.values() for case in hand)
    rng = _own(made, len(made.raters) - 1)
    # Sorted by id first: the order in which a database gives them out must not count.
    cases = sorted(seen)
    mixed = [cases[place] for place in rng.permutation(len(cases))]
    hand = sorted(mixed, key=lambda case: seen[case])[: max(map(len, first.values()))]
    return _ordered(made, made.raters[-1], practice, hand, rng)


def _own(made: LabelRound, number: int) -> np.random.Generator:
    """The chance of one rater, who has the same order whoever else is there."""
    return np.random.default_rng([made.seed, number])


def _least(
    loads: npt.NDArray[np.int64], met: npt.NDArray[np.int64], rng: np.random.Generator, wanted: int
) -> list[int]:
    """Different raters for one case; counts them in `loads` and `met`."""
    chance = rng.random(len(loads))
    taken = np.zeros(len(loads), dtype=bool)
    chosen: list[int] = []
    for _ in range(wanted):
        # The last key of lexsort counts first.
        first = int(np.lexsort((chance, met[chosen].sum(axis=0), loads, taken))[0])
        chosen.append(first)
        taken[first] = True
    loads[chosen] += 1
    met[np.ix_(chosen, chosen)] += 1
    return chosen


def _ordered(
    made: LabelRound, rater: str, practice: Sequence[str], hand: Sequence[Case], rng: np.random.Generator
) -> list[LabelTask]:
    """Practice, then the rater's cases in an order of their own, some of them a second time further on."""
    mixed = [hand[place] for place in rng.permutation(len(hand))]
    again = _behind(len(mixed), round(made.repeat_share * len(mixed)), rng)
    keyed = [(float(place), case, 0) for place, case in enumerate(mixed)]
    # The earlier a case came, the more room there is for its repetition.
    keyed += [(key, case, 1) for key, case in zip(again, mixed, strict=False)]
    keyed.sort(key=lambda entry: entry[0])
    listed: list[tuple[Case, int]] = [((case_id, Part.PRACTICE), 0) for case_id in practice]
    listed += [(case, occurrence) for _, case, occurrence in keyed]
    return [
        LabelTask(round_id=made.id, rater=rater, case_id=case_id, occurrence=occurrence, position=place, part=part)
        for place, ((case_id, part), occurrence) in enumerate(listed)
    ]


def _behind(cases: int, again: int, rng: np.random.Generator) -> list[float]:
    """Where the repetitions of the first `again` cases go among cases that stand at 0, 1, 2, ...

    Case i has i + 1, ..., cases - 1 behind it. Anywhere behind i + APART there are enough tasks between its two times.
    Where the last ones to be repeated lack that room, all repetitions follow the last case, in the order of the first
    times but for a shuffle over w = cases - APART places: at least cases - w tasks stay between.
    """
    apart = min(APART, cases - 1)
    if again <= cases - apart:
        return [float(rng.uniform(place + apart, cases)) for place in range(again)]
    return [cases + place + float(rng.uniform(0.0, cases - apart)) for place in range(again)]
