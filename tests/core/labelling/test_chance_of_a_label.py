"""Labels of two draws, weighted by the chance of a case to be in either, estimate the whole run without bias."""

import numpy as np
import pytest

from core.domain.identity import new_id
from core.domain.results.labels import Label, Part
from core.labelling.criteria import create_criterion
from core.labelling.one_label import one_labels
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.store.people import labels
from tests.support.runs.answered_run import answered_run

N, REPEATS = 60, 50


def draw(store, run, criterion, chances, rng, part, design, *, share=1.0):
    """Draws each case by its chance and labels a share of them: 1 for the first half of the cases, 0 for the others."""
    drawn = np.flatnonzero(rng.random(N) < chances).tolist()
    if not drawn:
        return
    items = [Drawn(case_id=f"c{number}", part=part, probability=float(chances[number])) for number in drawn]
    made = create_round(
        store,
        run.id,
        name=new_id("rnd"),
        criteria=[criterion],
        raters=["zoe"],
        items=items,
        overlap=1,
        design=design,
        actor="val",
    )
    said = [
        Label(
            round_id=made.id,
            case_id=f"c{number}",
            criterion_id=criterion,
            rater="zoe",
            value=float(number < N // 2),
            at="2026-11-21T06:00:00+00:00",
        )
        for number in rng.permutation(drawn)[: max(1, round(share * len(drawn)))].tolist()
    ]
    with store.write("lab", "label.save") as connection:
        labels.put(connection, said)


@pytest.mark.slow
def test_weights_over_two_rounds_are_without_bias_and_those_of_one_round_are_not(store):
    run = answered_run(store, N + 1)
    rng = np.random.default_rng(11)
    at_random = np.full(N, 0.2)
    # The second round looks for what is accepted: .7 against .1.
    targeted = np.where(np.arange(N) < N // 2, 0.7, 0.1)
    # The last case has no answer and is never drawn.
    listed = [*targeted.tolist(), 0.0]
    both, own = [], []
    for number in range(REPEATS):
        criterion = create_criterion(
            store, run.project_id, name=f"C{number}", question="?", kind="binary", actor="val"
        ).id
        draw(store, run, criterion, at_random, rng, Part.RANDOM, {"random_probability": 0.2})
        draw(store, run, criterion, targeted, rng, Part.TARGETED, {"probabilities": listed})
        found = one_labels(store, run.id, criterion)
        # Horvitz and Thompson's estimate of how many of the 60 cases are accepted; 30 are.
        both.append(sum(one.value / one.probability for one in found))
        own.append(sum(one.value / (0.2 if one.random else 0.7) for one in found))
    error = np.std(both, ddof=1) / np.sqrt(REPEATS)
    assert abs(np.mean(both) - 30.0) < 3.0 * error
    # With the chance of one draw only, cases count too much that two draws could give: 30 (.2/.2 + .8 * .7/.7) = 54.
    assert np.mean(own) - 30.0 > 20.0


@pytest.mark.slow
def test_a_round_that_is_partly_labelled_counts_as_far_as_it_is(store):
    run = answered_run(store, N + 1)
    rng = np.random.default_rng(12)
    at_random = np.full(N, 0.25)
    targeted = np.where(np.arange(N) < N // 2, 0.02, 0.7)
    listed = [*targeted.tolist(), 0.0]
    shares = []
    for number in range(REPEATS):
        criterion = create_criterion(
            store, run.project_id, name=f"P{number}", question="?", kind="binary", actor="val"
        ).id
        draw(store, run, criterion, at_random, rng, Part.RANDOM, {"random_probability": 0.25})
        draw(store, run, criterion, targeted, rng, Part.TARGETED, {"probabilities": listed}, share=0.2)
        found = one_labels(store, run.id, criterion)
        weights = np.array([1 / one.probability for one in found])
        shares.append(float(weights @ [one.value for one in found] / weights.sum()))
    error = np.std(shares, ddof=1) / np.sqrt(REPEATS)
    # Half of the cases are accepted. Weighted by the chance to be drawn alone the estimate is .7.
    assert abs(np.mean(shares) - 0.5) < 3.0 * error
