"""What a calibration says of each case, and the round its queue opens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.report import Decision
from core.calibration.service.cases import results
from core.calibration.service.cases.order import doubtful_first
from core.calibration.service.label_levels import weights_of
from core.domain.errors import InvalidInput
from core.domain.results.labels import Part, RoundOrigin
from core.labelling.labelled_scores import labelled_scores
from core.labelling.rounds import get_round
from core.store.people import labels
from core.store.results import scores
from tests.support.labels import labelled_run
from tests.support.labels.labelled_store import LABELLED, N, calibrated, more
from tests.support.small_bank import ACTOR


def test_the_least_sure_come_first_and_the_decisions_add_up(labelled, made):
    calibration = calibrated(labelled, made)
    found = results.calibrated_cases(labelled, calibration.id, limit=None)
    assert sum(found.counts.values()) == found.total == N - 2
    assert found.unscored == 2
    away = [abs(case.chance - 0.5) for case in found.cases]
    assert away == sorted(away)
    some = results.calibrated_cases(labelled, calibration.id, "human", limit=5, offset=2)
    assert some.total == found.counts[Decision.HUMAN]
    left = [case for case in found.cases if case.decision is Decision.HUMAN]
    assert list(some.cases) == left[2:7]
    assert some.cases[0].question.startswith("What is fee number")
    for case in found.cases[::20]:
        assert results.calibrated_case(labelled, calibration, case.case_id) == replace(case, question="", answer=None)
    assert results.calibrated_case(labelled, calibration, f"case-{N - 1}") is None


@pytest.mark.slow
def test_the_queue_opens_a_round_of_the_cases_nobody_labelled(labelled, made):
    calibration = calibrated(labelled, made)
    everything, left = results.queue(labelled, calibration.id)
    human = results.calibrated_cases(labelled, calibration.id, "human", limit=None, texts=False)
    assert set(everything) == {case.case_id for case in human.cases}
    assert set(left) == {case.case_id for case in human.cases if case.accepted is None}
    opened = results.round_from_queue(labelled, calibration.id, ["ada", "bob"], actor=ACTOR, overlap=2)
    assert get_round(labelled, opened.id).origin is RoundOrigin.PEOPLE
    assert opened.criteria == (made.binary.id,)
    with labelled.read() as connection:
        items = [item for item in labels.items_of_run(connection, made.run.id) if item.round_id == opened.id]
    assert {item.case_id for item in items} == set(left)
    assert {(item.part, item.stratum, item.probability) for item in items} == {(Part.TARGETED, results.QUEUE, 1.0)}


@pytest.mark.slow
def test_half_of_the_queue_states_its_chance_and_none_is_left_in_the_end(labelled, made):
    calibration = calibrated(labelled, made)
    everything, left = results.queue(labelled, calibration.id)
    half = len(left) // 2
    opened = results.round_from_queue(labelled, calibration.id, ["ada"], actor=ACTOR, most=half, seed=3)
    assert opened.design["drawn"] == half
    assert opened.design["probability"] == pytest.approx(half / len(left))
    # The chance of a case that was labelled before is that of the others, and outside the queue there is none.
    assert sum(opened.design["probabilities"]) == pytest.approx(len(everything) * half / len(left))
    with pytest.raises(InvalidInput, match="requested number of cases is 0"):
        results.round_from_queue(labelled, calibration.id, ["ada"], actor=ACTOR, most=0)
    more(labelled, made, left)
    with pytest.raises(InvalidInput, match="to people are labelled"):
        results.round_from_queue(labelled, calibration.id, ["ada"], actor=ACTOR)


def test_labels_from_the_queue_weigh_as_their_share_of_the_queue(labelled, made):
    """Without that a case of the queue that the first round had drawn would count for 160/110 cases."""
    calibration = calibrated(labelled, made)
    everything, left = results.queue(labelled, calibration.id)
    opened = results.round_from_queue(labelled, calibration.id, ["ada"], actor=ACTOR)
    labelled_run.fill(labelled, opened, (made.binary,), quality=made.quality)
    found = labelled_scores(labelled, made.run.id, made.binary, ("groundedness",))
    weights = dict(zip(found.case_ids, weights_of(found), strict=True))
    assert {weights[case_id] for case_id in everything} == {1.0}
    outside = [case_id for case_id in found.labels if case_id not in set(everything)]
    assert {round(weights[case_id], 9) for case_id in outside} == {round(N / LABELLED, 9)}
    # The weights add up to about the number of answers there are.
    total = sum(weights[case_id] for case_id in found.labels)
    assert total == pytest.approx(N - 1, rel=0.1)
    assert {found.random[found.case_ids.index(case_id)] for case_id in left} == {np.False_}


@pytest.mark.parametrize("step", [1, -1], ids=["in the order of the test set", "in another order"])
def test_doubtful_answers_are_read_first_among_the_wrong_and_among_the_right(labelled, made, step):
    calibration = calibrated(labelled, made)
    every = [f"case-{number}" for number in range(N)]
    # A run that Plumbline made keeps its verdicts as a column in the order of the test set.
    with labelled.write(ACTOR, "test.column", project_id=made.run.project_id) as connection:
        scores.keep_column(connection, made.run.id, "verdict", every)
    ordered = doubtful_first(labelled, calibration, every[::step])
    assert sorted(ordered) == sorted(every)
    with labelled.read() as connection:
        verdicts = dict(zip(every, scores.columns(connection, made.run.id, ["verdict"], every)[:, 0], strict=True))
    by_case = {case.case_id: case for case in results.calibrated_cases(labelled, calibration.id, limit=None).cases}
    stands = [1 if np.isnan(verdicts[case]) else 0 if verdicts[case] == 0.0 else 2 for case in ordered]
    assert stands == sorted(stands)
    for verdict in (0.0, 1.0):
        own = [by_case[case] for case in ordered if verdicts[case] == verdict and case in by_case]
        ranks = [(case.decision is not Decision.HUMAN, abs(case.chance - 0.5)) for case in own]
        assert ranks == sorted(ranks)
        assert {first for first, _ in ranks} == {False, True}
