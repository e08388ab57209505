"""What to label of a stored run, practice cases, and the agreement of those who labelled it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.domain.errors import InvalidInput, NotFound
from core.domain.results.labels import Level, Part, RoundOrigin, ScaleKind
from core.labelling.agreement.service import agreement_of_run
from core.labelling.criteria import create_criterion
from core.labelling.rating.tasks import Given, save_labels, tasks
from core.labelling.rounds import create_round
from core.labelling.sampling.draw import DrawPlan
from core.labelling.sampling.records import Drawn
from core.labelling.sampling.service import draw_for_run, practice_items
from core.project.service import create_project
from core.store.database import Store
from tests.support.runs.scored_run import Row, add_run, rows
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

HALF = DrawPlan(total=12, random_share=0.5, coverage=0.25, uncertainty=0.25)


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def run(store):
    """40 answers and one target that failed; groundedness from .62, the second sentence rising as the first falls."""
    project = create_project(store, "Bank", ACTOR)
    given = [replace(row, support=(0.5 + number / 100, 0.5)) for number, row in enumerate(rows(40))]
    return add_run(store, project.id, [*given, Row(question="Late?", answer=None, passages=(), correct=None)])


def criterion(store, run, name="Correct", kind=ScaleKind.BINARY, values=(0, 1)):
    levels = tuple(Level(value=value, anchor=f"Level {value}") for value in values)
    return create_criterion(
        store,
        run.project_id,
        name=name,
        question="?",
        kind=kind,
        levels=levels,
        accept_from=max(values, default=1),
        actor=ACTOR,
    )


def label(store, run, asked, said, *, items=None, name="Round", repeat_share=0.0, origin=RoundOrigin.PEOPLE):
    """A round that raters label: by rater what is said of a case id and occurrence, None where it cannot be judged."""
    cases = items or [Drawn(case_id=f"case-{number}") for number in range(8)]
    made = create_round(
        store,
        run.id,
        name=name,
        criteria=[asked.id],
        raters=list(said),
        items=cases,
        overlap=len(said),
        repeat_share=repeat_share,
        origin=origin,
        actor=ACTOR,
    )
    for rater, says in said.items():
        for task in tasks(store, made.id, rater):
            value = says(task.case_id, task.occurrence)
            given = Given(cannot_judge=True) if value is None else Given(value=value)
            save_labels(
                store,
                made.id,
                rater,
                task.case_id,
                occurrence=task.occurrence,
                given={asked.id: given},
                seconds=9,
                actor=ACTOR,
            )
    return made


def odd(case_id, occurrence=0):
    return float(int(case_id.split("-")[1]) % 2)


def test_cases_without_an_answer_are_no_part_of_it(store, run):
    found = draw_for_run(store, run.id, DrawPlan(total=40))
    assert (found.run_cases, found.without_answer, found.left_out, found.draw.population) == (41, 1, 0, 40)
    assert {item.case_id for item in found.items} == {f"case-{number}" for number in range(40)}
    assert found.chances == (1.0,) * 40 + (0.0,)


def test_the_round_takes_the_draw_and_keeps_its_design(store, run):
    asked = criterion(store, run)
    found = draw_for_run(store, run.id, HALF, metrics=["groundedness"], threshold=0.6, topic="form")
    made = create_round(
        store,
        run.id,
        name="First",
        criteria=[asked.id],
        raters=["ann"],
        items=found.items,
        design=found.design(),
        actor=ACTOR,
    )
    design = json.loads(json.dumps(made.design))
    assert design["plan"]["random_share"] == 0.5
    assert len(design["probabilities"]) == 41
    assert design["random_probability"] == pytest.approx(6 / 40)
    assert {item.stratum.split(", ")[-1] for item in found.items} <= {"", "uncertain", "short", "long"}
    assert found.draw.sources == len({int(item.case_id.split("-")[1]) // 2 for item in found.items})


def test_a_distance_is_turned_round_before_metrics_are_compared(store, run):
    # Groundedness rises from case to case; the constant Wasserstein distance ranks nobody.
    found = draw_for_run(
        store, run.id, DrawPlan(total=4, random_share=0, disagreement=1), metrics=["groundedness", "wasserstein"]
    )
    chances = np.array(found.chances[:40])
    assert chances[0] == pytest.approx(chances[39])
    assert chances[20] < chances[0] / 50


def test_a_calibrated_probability_goes_before_the_score(store, run):
    known = {f"case-{number}": 0.5 if number < 3 else 0.999 for number in range(20)}
    plan = DrawPlan(total=4, random_share=0, uncertainty=1)
    found = draw_for_run(store, run.id, plan, metrics=["groundedness"], probability=known, threshold=0.5)
    assert min(found.chances[:3]) > 0.8
    assert found.chances[20:] == (0.0,) * 21  # nothing is known of them


@pytest.mark.statistical
def test_leaving_out_what_was_drawn_at_random_keeps_both_random_shares_one_sample(store, run):
    """Two rounds of a mixed plan, 400 times: each of 40 cases is in a random share with chance 6/40 + 34/40 * 6/34."""
    asked = criterion(store, run)
    first = draw_for_run(store, run.id, HALF, metrics=["groundedness"], threshold=0.6)
    create_round(
        store,
        run.id,
        name="First",
        criteria=[asked.id],
        raters=["ann"],
        items=first.items,
        design=first.design(),
        actor=ACTOR,
    )
    before = {item.case_id: item.part for item in first.items}
    times = dict.fromkeys((f"case-{number}" for number in range(40)), 0)
    for seed in range(400):
        plan = replace(HALF, seed=1000 + seed)
        again = draw_for_run(store, run.id, plan, metrics=["groundedness"], threshold=0.6, leave_labelled=True)
        assert again.left_out == 6
        assert all(before.get(item.case_id) is not Part.RANDOM for item in again.items)
        assert all(before.get(item.case_id) is None for item in again.items if item.part is Part.TARGETED)
        for item in again.items:
            times[item.case_id] += item.part is Part.RANDOM
    rest = [count / 400 for case_id, count in times.items() if before.get(case_id) is not Part.RANDOM]
    # 6 of 34; four standard errors of a share over 400 draws.
    assert len(rest) == 34
    assert max(abs(share - 6 / 34) for share in rest) < 4 * np.sqrt(6 / 34 * 28 / 34 / 400)
    earlier = [times[case_id] / 400 for case_id, part in before.items() if part is Part.TARGETED]
    assert np.mean(earlier) == pytest.approx(6 / 34, abs=0.03)


@pytest.mark.slow
def test_nothing_left_to_draw(store, run):
    label(store, run, criterion(store, run), {"ann": odd}, items=draw_for_run(store, run.id, DrawPlan(total=40)).items)
    with pytest.raises(InvalidInput, match="no case to draw"):
        draw_for_run(store, run.id, DrawPlan(total=5), leave_labelled=True)
    with pytest.raises(NotFound):
        draw_for_run(store, "run_none", DrawPlan(total=5))


def test_practice_comes_from_cases_that_all_raters_judge_alike(store, run):
    asked = criterion(store, run)
    # ann and ben agree but for case 0; ben cannot judge case 1.
    label(
        store,
        run,
        asked,
        {"ann": odd, "ben": lambda case_id, _: {"case-0": 1.0, "case-1": None}.get(case_id, odd(case_id))},
    )
    comment = criterion(store, run, "Remark", ScaleKind.COMMENT, ())
    found = practice_items(store, run.id, [asked.id, comment.id], n=4, avoid=["case-2"])
    assert len(found) == 4
    assert {item.case_id for item in found} <= {f"case-{number}" for number in range(3, 8)}
    assert sorted(item.gold[asked.id] for item in found) == [0, 0, 1, 1]
    assert {item.part for item in found} == {Part.PRACTICE}
    assert all(item.gold[asked.id] == odd(item.case_id) for item in found)
    assert found[0].explanation == "Correct: Level 0. All 2 raters chose this level."
    assert practice_items(store, run.id, [asked.id], n=4, avoid=["case-2"]) == found
    with pytest.raises(InvalidInput, match="Comments"):
        practice_items(store, run.id, [comment.id])


def test_one_rater_alone_makes_no_gold(store, run):
    asked = criterion(store, run)
    label(store, run, asked, {"ann": odd})
    assert practice_items(store, run.id, [asked.id]) == ()


def test_the_agreement_of_a_run(store, run):
    asked = criterion(store, run, "Faithful", ScaleKind.LIKERT, (1, 2, 3, 4))
    practice = [
        Drawn(case_id=f"case-{number}", part=Part.PRACTICE, gold={asked.id: 1.0 + number % 2}) for number in (30, 31)
    ]
    cases = [*practice, *(Drawn(case_id=f"case-{number}") for number in range(8))]

    def ann(case_id, occurrence):
        return 1 + odd(case_id) + 2 * occurrence

    def ben(case_id, occurrence):
        return None if case_id == "case-7" else 2 + odd(case_id) if case_id != "case-30" else 1.0

    label(store, run, asked, {"ann": ann, "ben": ben}, items=cases, repeat_share=0.25)
    found = agreement_of_run(store, run.id, asked.id, resamples=100)
    assert (found.criterion, found.level, found.raters, found.items, found.shared) == ("Faithful", "ordinal", 2, 8, 7)
    one, two = found.by_rater
    assert (one.rater, one.n, one.cannot_judge, one.seconds) == ("ann", 8, 0, 9)
    assert (two.rater, two.n, two.cannot_judge) == ("ben", 7, 1)
    # ben says one more throughout; ann two more the second time; practice is held against its gold only.
    assert two.bias.value == pytest.approx(1.0)
    assert (one.same_repeats.num, one.same_repeats.den) == (0, 2)
    assert (one.same_gold.num, one.same_gold.den, two.same_gold.num, two.same_gold.den) == (2, 2, 1, 2)
    assert (found.same_gold.num, found.same_gold.den) == (3, 4)
    json.dumps(found.as_json())


def test_raters_that_a_machine_played_are_named(store, run):
    asked = criterion(store, run)
    label(store, run, asked, {"ann": odd})
    assert agreement_of_run(store, run.id, asked.id, resamples=20).notes == ()
    label(store, run, asked, {"robot": odd}, name="Made up", origin=RoundOrigin.SIMULATED)
    found = agreement_of_run(store, run.id, asked.id, resamples=20)
    assert found.notes[0] == "Simulated raters: robot. Their labels are not the judgement of people."


def test_a_run_that_nobody_labelled(store, run):
    found = agreement_of_run(store, run.id, criterion(store, run).id)
    assert (found.alpha.value, found.alpha.method, found.raters) == (None, "there is no label", 0)
    with pytest.raises(InvalidInput, match="comment"):
        agreement_of_run(store, run.id, criterion(store, run, "Remark", ScaleKind.COMMENT, ()).id)
    with pytest.raises(NotFound):
        agreement_of_run(store, run.id, "crt_none")
