"""Assignment of cases to raters: equal loads, cases shared by every two raters, repetitions late in the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from core.domain.results.labels import LabelRound, LabelTask, Part

APART = 5
"""Tasks between the first time a rater sees a case and its repetition, where there are that many."""

Case = tuple[str, Part]
"""A case and why it is in the round."""


def deal(label_round: LabelRound, cases: Sequence[Case]) -> list[LabelTask]:
    """The tasks of every rater of a round.

    Cases are dealt in a random order; the first of them make up the overlap. Each goes to the raters with the fewest
    cases so far, among those to the raters who have shared the fewest cases, then by chance. Loads differ by one case
    at most, nobody gets a case twice, and with enough cases in the overlap every two raters share some, which their
    agreement needs.

    Args:
        label_round: The round, whose seed, raters, overlap and shares count.
        cases: Each once; practice goes to every rater in the order given.
    """
    practice = [case_id for case_id, part in cases if part is Part.PRACTICE]
    real = [(case_id, part) for case_id, part in cases if part is not Part.PRACTICE]
    rng = np.random.default_rng(label_round.seed)
    shared = round(label_round.overlap_share * len(real))
    n = len(label_round.raters)
    hands: list[list[Case]] = [[] for _ in range(n)]
    loads = np.zeros(n, dtype=np.int64)
    met = np.zeros((n, n), dtype=np.int64)
    for number, place in enumerate(rng.permutation(len(real)).tolist()):
        for rater in _choose_raters(loads, met, rng, label_round.overlap if number < shared else 1):
            hands[rater].append(real[place])
    return [
        task
        for number, rater in enumerate(label_round.raters)
        for task in _ordered(label_round, rater, practice, hands[number], _rater_generator(label_round, number))
    ]


def newcomer(label_round: LabelRound, tasks_by_rater: Mapping[str, Sequence[LabelTask]]) -> list[LabelTask]:
    """The tasks of a rater who joins later: as many cases as the largest load, those with the fewest raters first.

    Args:
        label_round: The round with the newcomer as its last rater.
        tasks_by_rater: The tasks of the others, each rater's in their order.
    """
    practice = [task.case_id for task in tasks_by_rater[label_round.raters[0]] if task.part is Part.PRACTICE]
    hands = {
        rater: [(task.case_id, task.part) for task in tasks if task.part is not Part.PRACTICE and not task.occurrence]
        for rater, tasks in tasks_by_rater.items()
    }
    raters_per_case = Counter(case for hand in hands.values() for case in hand)
    rng = _rater_generator(label_round, len(label_round.raters) - 1)
    # Sorted by id first: the order in which a database returns rows must not matter.
    cases = sorted(raters_per_case)
    mixed = [cases[place] for place in rng.permutation(len(cases))]
    hand = sorted(mixed, key=lambda case: raters_per_case[case])[: max(map(len, hands.values()))]
    return _ordered(label_round, label_round.raters[-1], practice, hand, rng)


def _rater_generator(label_round: LabelRound, number: int) -> np.random.Generator:
    """The random generator of one rater, whose order does not depend on the other raters."""
    return np.random.default_rng([label_round.seed, number])


def _choose_raters(
    loads: npt.NDArray[np.int64], met: npt.NDArray[np.int64], rng: np.random.Generator, number: int
) -> list[int]:
    """Different raters for one case; counts them in `loads` and `met`."""
    chance = rng.random(len(loads))
    already_chosen = np.zeros(len(loads), dtype=bool)
    raters: list[int] = []
    for _ in range(number):
        # The last key of lexsort counts first.
        rater = int(np.lexsort((chance, met[raters].sum(axis=0), loads, already_chosen))[0])
        raters.append(rater)
        already_chosen[rater] = True
    loads[raters] += 1
    met[np.ix_(raters, raters)] += 1
    return raters


def _ordered(
    label_round: LabelRound, rater: str, practice: Sequence[str], hand: Sequence[Case], rng: np.random.Generator
) -> list[LabelTask]:
    """Practice, then the rater's cases in the rater's own order, some of them repeated later."""
    mixed = [hand[place] for place in rng.permutation(len(hand))]
    repeat_places = _behind(len(mixed), round(label_round.repeat_share * len(mixed)), rng)
    keyed = [(float(place), case, 0) for place, case in enumerate(mixed)]
    # The earlier a case came, the more room there is for its repetition.
    keyed += [(key, case, 1) for key, case in zip(repeat_places, mixed, strict=False)]
    keyed.sort(key=lambda entry: entry[0])
    listed: list[tuple[Case, int]] = [((case_id, Part.PRACTICE), 0) for case_id in practice]
    listed += [(case, occurrence) for _, case, occurrence in keyed]
    return [
        LabelTask(
            round_id=label_round.id, rater=rater, case_id=case_id, occurrence=occurrence, position=place, part=part
        )
        for place, ((case_id, part), occurrence) in enumerate(listed)
    ]


def _behind(cases: int, repeats: int, rng: np.random.Generator) -> list[float]:
    """Where the repetitions of the first `repeats` cases go among cases that stand at 0, 1, 2, ...

    Case i has i + 1, ..., cases - 1 behind it. Anywhere behind i + APART there are enough tasks between its two times.
    Where the last ones to be repeated lack that room, all repetitions follow the last case, in the order of the first
    times but for a shuffle over w = cases - APART places: at least cases - w tasks stay between.
    """
    apart = min(APART, cases - 1)
    if repeats <= cases - apart:
        return [float(rng.uniform(place + apart, cases)) for place in range(repeats)]
    return [cases + place + float(rng.uniform(0.0, cases - apart)) for place in range(repeats)]
