"""Variants of a project's run: made, frozen, run with the same system, compared with the run before."""

import pytest

from core import jobs
from core.domain.errors import InvalidInput
from core.domain.jobs import JobState
from core.domain.results.runs import RunState
from core.domain.testset.cases import TestSet, cases_hash
from core.jobs import Job, JobContext, list_jobs
from core.project.service import create_project
from core.robustness.service import (
    KIND,
    PARENT_RUN,
    create_variant_run,
    robustness,
    start_variants,
    variant_runs,
    variants_job,
)
from core.runs.execute import execute_run
from core.runs.planting import PREFIX
from core.runs.service import create_run
from core.sources.service import connect_corpus
from core.store.results import runs
from core.store.testset import testsets
from core.testset.variants.making import Recipe
from core.testset.variants.service import VariantPlan, build_variants, parent_of
from core.weakness.service.data import run_attributes, score_choices, table_of
from tests.support.bank_cases import bank_cases
from tests.support.small_bank import ACTOR, write_documents

PLAN = VariantPlan(recipe=Recipe(kinds=("spelling", "poisoned_passage", "repeat"), n=6, repeats=2), encoder="none")


@pytest.fixture
def ran(store, tmp_path):
    """A finished run of the bank's cases with the keyword target."""
    project = create_project(store, "Bank", ACTOR)
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    cases = bank_cases()
    test_set = TestSet(id="ts_1", project_id=project.id, name="Branches")
    with store.write(ACTOR, "test", project_id=project.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), "2026-01-01T00:00:00+00:00")
    run = create_run(store, test_set.id, actor=ACTOR, target="keyword", options={"k": 1})
    assert execute_run(store, run.id, actor=ACTOR)
    with store.read() as connection:
        return runs.get(connection, run.id)


@pytest.fixture
def varied(store, ran):
    test_set = build_variants(store, ran.test_set_id, PLAN, actor=ACTOR)
    run = create_variant_run(store, ran.id, test_set.id, actor=ACTOR)
    assert execute_run(store, run.id, actor=ACTOR)
    return run


def test_the_variants_are_a_frozen_test_set_that_names_its_parent(store, ran):
    test_set = build_variants(store, ran.test_set_id, PLAN, actor=ACTOR, test_set_id="ts_v")
    assert test_set.frozen
    assert parent_of(test_set) == ran.test_set_id
    assert test_set.options["variants"]["similarity"].startswith("not measured")
    again = build_variants(store, ran.test_set_id, PLAN, actor=ACTOR, test_set_id="ts_v")
    assert again == test_set


def test_they_run_with_the_same_system_and_are_compared_with_the_run_before(store, ran, varied):
    assert (varied.target, varied.options["k"], varied.options[PARENT_RUN]) == ("keyword", 1, ran.id)
    (item,) = variant_runs(store, ran.project_id)
    assert (item.run.id, item.parent.id) == (varied.id, ran.id)
    result = robustness(store, varied.id)
    assert {figures.kind for figures in result.kinds} == {"spelling", "poisoned_passage"}
    assert all(pair.parent is not None for pair in result.pairs)
    # The keyword target is the same every time.
    assert (result.noise.flipped.num, result.noise.reworded.num) == (0, 0)
    assert result.noise.flipped.den > 0


def test_a_passage_is_planted_for_its_own_cases_only(store, varied):
    with store.read() as connection:
        responses = runs.responses(connection, varied.id)
        cases = testsets.cases(connection, varied.test_set_id)
    found = {
        case.attributes["variant"]
        for case in cases
        if any(name.startswith(PREFIX) for name in responses[case.case_id].document_ids)
    }
    assert found == {"poisoned_passage"}


def test_weakness_can_be_looked_for_in_the_flips(store, varied):
    choices = {choice.key: choice for choice in score_choices(store, varied.id)}
    assert {"flipped", "right_behaviour"} <= choices.keys()
    assert not choices["flipped"].higher_is_better
    attributes = run_attributes(store, varied.id)
    names = {attribute.name for attribute in attributes.attributes}
    assert "variant" in names
    assert not names & {"parent", "parent_question", "variant_change", "draw"}
    table = table_of(store, attributes, "flipped", attributes=["variant"])
    assert int(table.scored.sum()) == choices["flipped"].n


def test_a_run_without_variants_is_refused(store, ran):
    with pytest.raises(InvalidInput, match="has no variants"):
        robustness(store, ran.id)
    with pytest.raises(InvalidInput, match="holds no variants of the cases"):
        create_variant_run(store, ran.id, ran.test_set_id, actor=ACTOR)


def test_what_cannot_be_tried_is_refused_before_anything_is_made(store, ran):
    planned = create_run(store, ran.test_set_id, actor=ACTOR, target="keyword")
    with pytest.raises(InvalidInput, match="is not finished"):
        start_variants(store, planned.id, PLAN, actor=ACTOR)
    with pytest.raises(InvalidInput, match="no kind of variant"):
        start_variants(store, ran.id, VariantPlan(recipe=Recipe(kinds=("shouting",))), actor=ACTOR)


def test_the_job_makes_freezes_and_starts_the_run(store, ran, monkeypatch):
    monkeypatch.setattr(jobs.control, "spawn", lambda *_: None)
    params = {"parent_run": ran.id, "test_set_id": "ts_v", "plan": PLAN.as_params()}
    job = Job(
        id="job_1",
        project_id=ran.project_id,
        kind=KIND,
        params=params,
        actor=ACTOR,
        subject="ts_v",
        created_at="2026-01-01T00:00:00.000+00:00",
        log="",
        state=JobState.RUNNING,
    )
    assert variants_job(JobContext(store, job))
    with store.read() as connection:
        run = next(one for one in runs.all(connection, ran.project_id) if one.test_set_id == "ts_v")
    assert run.options[PARENT_RUN] == ran.id
    assert run.state in (RunState.PLANNED, RunState.RUNNING, RunState.FINISHED)
    assert any(one.subject == run.id for one in list_jobs(store, ran.project_id))
