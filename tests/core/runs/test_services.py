"""Whole runs at services that refuse, ignore, think aloud and stream: each case is scored, and none is paid twice."""

import pytest

from core.domain.status import Status
from core.llm.profiles.adapting import PURPOSE
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.store.database import Store
from core.store.tables import llm_calls, responses, scores
from tests.support.bank_cases import bank_project
from tests.support.personalities import FURTHER, LATEST, NEWEST, PERSONALITIES, Personalities
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

ODD = {"azure", "plain"}


@pytest.fixture(scope="module")
def server():
    with Personalities() as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize("name", [*sorted(set(PERSONALITIES) - ODD), "azure"])
def test_every_case_of_a_run_is_scored_or_has_its_reason_and_none_is_paid_twice(tmp_path, server, name, impatient):
    spec = server.spec(name, base="" if name == "azure" else "/v1")
    with Store.open(blank_url(tmp_path)) as store:
        _, test_set = bank_project(store, tmp_path)
        for again in range(2):
            before = server.sent(name)
            run = create_run(store, test_set.id, actor=ACTOR, target=f"openai:{spec}", judge=f"llm:{spec}")
            assert execute_run(store, run.id, actor=ACTOR)
            with store.read() as connection:
                verdicts = connection.execute(scores.select().where(scores.c.run_id == run.id)).mappings().all()
                answers = connection.execute(responses.select().where(responses.c.run_id == run.id)).mappings().all()
            assert {row["status"] for row in verdicts} == {Status.SCORED.value}
            assert len(answers) == 12
            assert not any(row["error"] or "think" in row["answer"] or "clerk" in row["answer"] for row in answers)
            assert again == 0 or server.sent(name) == before, "a second run of the same plan sends nothing"
        with store.read() as connection:
            made = connection.execute(llm_calls.select().where(llm_calls.c.purpose != PURPOSE)).mappings().all()
        assert len({row["key"] for row in made}) == len(made) == 24
        assert {row["state"] for row in made} == {"answered"}


def test_the_services_nobody_had_in_mind_are_among_them():
    assert {*FURTHER, *NEWEST, *LATEST} <= set(PERSONALITIES)
