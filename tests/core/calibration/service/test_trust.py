"""Which metric to trust: every metric of a run against the labels, and where each is most wrong."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import delete

from core.calibration.service.trust import run_trust, scored_metrics, trust_state
from core.domain.errors import InvalidInput, NotFound
from core.domain.results.labels import Part
from core.labelling.adjudication import adjudicate
from core.labelling.criteria import change_criterion
from core.labelling.labelled_scores import labelled_scores
from core.stats import spearman
from core.store import tables
from core.store.database import Store
from tests.support.labels import labelled_run
from tests.support.labels.labelled_store import LABELLED, calibrated, more, unlabelled
from tests.support.small_bank import ACTOR


def test_every_metric_and_the_verdict_are_held_against_the_labels(labelled, made):
    assert scored_metrics(labelled, made.run.id) == (*sorted(labelled_run.METRICS), "verdict")
    found = run_trust(labelled, made.run.id, made.binary.id)
    names = [one.name for one in found.trust.metrics]
    assert sorted(names) == sorted([*labelled_run.METRICS, "verdict"])
    # Noise is the worst, and a coin could do as well.
    assert names[-1] == "lexical_precision"
    noise = found.trust.metrics[-1].auc
    assert noise.low < 0.5 < noise.high
    assert found.trust.metrics[0].auc.low > 0.5
    assert (found.labels, found.left_out, found.simulated) == (LABELLED, 0, LABELLED)


def test_a_metric_where_lower_is_better_is_turned_and_its_misses_show_it_as_stored(labelled, made):
    found = run_trust(labelled, made.run.id, made.binary.id, ["wasserstein"])
    (one,) = found.trust.metrics
    assert one.auc.value > 0.5
    scores = labelled_scores(labelled, made.run.id, made.binary, ("wasserstein",))
    both = scores.labelled & scores.scored
    plain = spearman(scores.raw[both, 0].tolist(), scores.level[both].tolist())
    assert one.spearman.value == pytest.approx(-plain)
    raw = dict(zip(scores.case_ids, scores.raw[:, 0], strict=True))
    misses = found.misses["wasserstein"]
    assert misses
    for miss in misses:
        assert miss.score == raw[miss.case_id]
        assert miss.label == scores.labels[miss.case_id].value
        assert miss.question == f"What is fee number {miss.case_id.split('-')[1]}?"
    gaps = [abs(miss.gap) for miss in misses]
    assert gaps == sorted(gaps, reverse=True)
    # The metric is too lenient where the distance is small and people reject.
    kind = max(misses, key=lambda miss: miss.gap)
    assert kind.label == 0.0
    assert kind.score < np.nanmedian(scores.raw)


@pytest.mark.slow
def test_targeted_labels_are_left_out_where_enough_were_drawn_at_random(labelled, made):
    left = unlabelled(labelled, made)[:12]
    more(labelled, made, left, part=Part.TARGETED, probability=1.0)
    found = run_trust(labelled, made.run.id, made.binary.id, ["groundedness"])
    assert (found.labels, found.left_out) == (LABELLED, 12)


@pytest.mark.slow
def test_the_state_changes_with_what_is_compared_and_with_nothing_else(labelled, made):
    def state():
        return trust_state(labelled, made.run.id, made.binary.id)

    seen = [state()]
    calibrated(labelled, made)
    assert state() == seen[0]
    left = unlabelled(labelled, made)
    more(labelled, made, left[:1])
    seen.append(state())
    adjudicate(labelled, made.run.id, left[0], made.binary.id, value=None, reason="Unclear.", actor=ACTOR)
    # A case that nobody can judge is compared no more.
    assert state() == seen[0]
    change_criterion(labelled, made.likert.id, accept_from=2, actor=ACTOR)
    assert state() == seen[0]
    change_criterion(labelled, made.binary.id, rule="adjudicated", actor=ACTOR)
    seen.append(state())
    with labelled.write(ACTOR, "test.scores") as connection:
        connection.execute(delete(tables.score_columns).where(tables.score_columns.c.metric == "completeness"))
        connection.execute(delete(tables.scores).where(tables.scores.c.metric == "completeness"))
    seen.append(state())
    assert len(set(seen)) == len(seen)
    with pytest.raises(NotFound):
        trust_state(labelled, "run_none", made.binary.id)


@pytest.mark.slow
def test_few_labels_judge_no_metric_and_say_why(tmp_path):
    path, made = labelled_run.write_store(tmp_path / "few", n=30, labelled=5)
    with Store.open(f"sqlite:///{path}") as store:
        found = run_trust(store, made.run.id, made.binary.id)
    assert found.trust.winner is None
    assert all(one.auc.value is None for one in found.trust.metrics)
    assert "only 5 labelled cases" in found.trust.sentence or "only 4 labelled cases" in found.trust.sentence


def test_a_run_or_criterion_that_does_not_exist_is_not_found(labelled, made):
    with pytest.raises(NotFound):
        run_trust(labelled, "run_none", made.binary.id)
    with pytest.raises(NotFound):
        run_trust(labelled, made.run.id, "crt_none")


def test_a_run_without_a_score_has_nothing_to_trust(labelled, made):
    with labelled.write(ACTOR, "test.empty") as connection:
        connection.execute(delete(tables.scores))
        connection.execute(delete(tables.score_columns))
    with pytest.raises(InvalidInput, match="No score was chosen"):
        run_trust(labelled, made.run.id, made.binary.id)


@pytest.mark.slow
def test_targeted_labels_alone_name_no_winner(tmp_path):
    path, made = labelled_run.write_store(tmp_path / "aimed", n=160, labelled=4)
    with Store.open(f"sqlite:///{path}") as store:
        more(store, made, unlabelled(store, made)[:60], part=Part.TARGETED, probability=1.0)
        found = run_trust(store, made.run.id, made.binary.id)
        scores = labelled_scores(store, made.run.id, made.binary, ("groundedness",))
    drawn = int((scores.labelled & scores.random).sum())
    assert drawn < 10 < found.labels
    assert found.trust.winner is None
    assert found.trust.sentence == (
        f"Only {drawn} labels were drawn at random; the others were chosen because of a score, "
        "so no metric is named the best."
    )
