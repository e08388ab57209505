"""The sample's simulated raters: the same every time, marked as what they are, imperfect in a known way."""

import shutil
from collections import Counter

import numpy as np
import pytest

from core.demo.project import ensure_demo
from core.demo.raters import LABELLED, RATERS, UNCLEAR, YOU, has_people, simulate_raters
from core.domain.results.labels import Part, RoundOrigin
from core.labelling.criteria import list_criteria
from core.labelling.one_label import one_labels, ratings_table
from core.labelling.rating.tasks import next_task, progress
from core.labelling.rounds import list_rounds
from core.stats import krippendorff_alpha
from core.store.database import Store
from core.store.people import labels
from core.store.trail import audit
from tests.support.small_bank import ACTOR


@pytest.fixture(scope="module")
def sample(sample_store, tmp_path_factory):
    copied = shutil.copy(sample_store, tmp_path_factory.mktemp("people"))
    with Store.open(f"sqlite:///{copied}") as store:
        yield store, ensure_demo(store, ACTOR)


def test_a_second_call_changes_nothing(sample):
    store, made = sample
    assert has_people(store, made.run)
    with store.read() as connection:
        before = audit.verify(connection).entries
    simulate_raters(store, made.run, ACTOR)
    with store.read() as connection:
        assert audit.verify(connection).entries == before


def test_the_raters_are_marked_and_labelled_a_random_draw(sample):
    store, made = sample
    yours, simulated = list_rounds(store, made.project.id, made.run.id)
    assert (simulated.origin, yours.origin) == (RoundOrigin.SIMULATED, RoundOrigin.PEOPLE)
    assert (simulated.closed, yours.closed) == (True, False)
    correct = list_criteria(store, made.project.id)[0]
    found = one_labels(store, made.run.id, correct.id)
    assert len(found) == LABELLED
    assert all(label.simulated and label.random for label in found)
    # 300 of the 1,134 answered cases.
    assert {round(label.probability, 6) for label in found} == {round(300 / 1134, 6)}
    # Three raters see half of the cases, one sees each of the others.
    assert Counter(label.ratings for label in found) == {3: 150, 1: 150}


def test_the_lenient_rater_is_lenient_and_agreement_is_good_but_not_perfect(sample):
    store, made = sample
    correct, helpful = list_criteria(store, made.project.id)
    table = ratings_table(store, made.run.id, correct.id)
    assert table.raters == RATERS == tuple(sorted(table.simulated))
    alpha = krippendorff_alpha(table.values, level="nominal")
    assert alpha.low > 0.667
    assert alpha.value < 0.9
    shared = ~np.isnan(table.values).any(axis=0)
    means = table.values[:, shared].mean(axis=1)
    assert means[2] > max(means[0], means[1])
    # Likert levels scatter more, so that the sample shows a warning as well.
    assert krippendorff_alpha(ratings_table(store, made.run.id, helpful.id).values, level="ordinal").value < 0.667


def test_slips_are_as_rare_as_they_should_be(sample):
    store, made = sample
    correct = list_criteria(store, made.project.id)[0]
    table = ratings_table(store, made.run.id, correct.id)
    again = ~np.isnan(table.repeats)
    # Two ratings of one case differ where exactly one of them slips: about 2 x 5% + half of the unclear cases.
    changed = float((table.values[again] != table.repeats[again]).mean())
    assert again.sum() >= 40
    assert changed < 4 * (2 * 0.06 + UNCLEAR / 2)


def test_a_person_finds_a_round_that_waits_with_practice_first(sample):
    store, made = sample
    yours = list_rounds(store, made.project.id, made.run.id)[0]
    first = next_task(store, yours.id, YOU)
    assert first.part is Part.PRACTICE
    (mine,) = progress(store, yours.id)
    assert (mine.practice_of, mine.of, mine.done) == (3, 12, 0)
    with store.read() as connection:
        gold = [item.gold for item in labels.items(connection, yours.id) if item.part is Part.PRACTICE]
    assert sorted(value for one in gold for value in one.values()) == [0.0, 1.0, 1.0]
