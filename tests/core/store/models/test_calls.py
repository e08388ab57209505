"""The ledger's rows on each database."""

import pytest

from core.domain.errors import Conflict, NotFound
from core.domain.llm import CallState, Message
from core.store.models import calls as llm_calls
from tests.support.models.ledger_calls import plain_call, plain_use
from tests.support.stores import with_run


def add(store, calls, uses=()):
    with store.pulse() as connection:
        llm_calls.add(connection, calls, uses)


def test_a_call_comes_back_as_it_was(store):
    with_run(store)
    full = plain_call(
        1,
        project="prj_1",
        parameters={"temperature": 0.7, "response_format": {"type": "json_object"}},
        messages=(Message("system", "Be \0 brief.\n"), Message("user", "Wer, \N{GRINNING FACE}?")),
        sample=3,
        prompt_id="p",
        prompt_version="1.10",
        prompt_hash="ab",
        state=CallState.MALFORMED,
        reply="half {",
        finish_reason="stop",
        error="no",
        prompt_tokens=3_000_000_000,
        completion_tokens=0,
        cost=0.1,
        latency_s=1.5,
        attempts=4,
    )
    bare = plain_call(2)
    add(store, [full, bare])
    with store.read() as connection:
        assert llm_calls.get(connection, "call_1") == full
        assert llm_calls.get(connection, "call_2") == bare
        with pytest.raises(NotFound, match="call_3"):
            llm_calls.get(connection, "call_3")


def test_only_an_answer_of_the_same_project_is_found(store):
    with_run(store)
    add(
        store,
        [
            plain_call(1, key="k", state=CallState.TRUNCATED),
            plain_call(2, key="k"),
            plain_call(3, key="k"),
            plain_call(4, key="k", state=CallState.TIMEOUT),
            plain_call(5, key="k", project="prj_1"),
            plain_call(6, key="other"),
            plain_call(7, key="never", state=CallState.TRUNCATED),
            plain_call(8, key="never", state=CallState.TIMEOUT),
        ],
    )
    with store.read() as connection:
        assert llm_calls.standing(connection, "", "k").id == "call_2", "the first that was answered"
        assert llm_calls.standing(connection, "", "never").id == "call_8", "the last, where none was answered"
        assert llm_calls.standing(connection, "prj_1", "k").id == "call_5"
        assert llm_calls.standing(connection, "prj_1", "other") is None
        assert llm_calls.standing(connection, "prj_2", "k") is None


def test_what_a_run_spent_is_what_was_sent_for_it(store):
    with_run(store)
    add(
        store,
        [plain_call(number, project="prj_1", cost=cost) for number, cost in enumerate((0.5, 0.25, None, 4.0))],
        [
            *(plain_use(number, project="prj_1", run_id="run_1", case_id=f"c{number}") for number in (0, 1, 2)),
            plain_use(0, project="prj_1", run_id="run_1", case_id="c9", cached=True),
            plain_use(3, project="prj_1", run_id="run_1", cached=True),
            plain_use(3, project="prj_1"),
        ],
    )
    with store.read() as connection:
        assert llm_calls.spent(connection, "run_1") == (3, 0.75, 1)
        assert llm_calls.used(connection, "run_1") == (5, 2)
        assert llm_calls.spent(connection, "nosuch") == (0, 0.0, 0)
        assert llm_calls.used(connection, "nosuch") == (0, 0)


def test_nothing_is_added_of_nothing(store):
    add(store, [], [])
    with store.read() as connection:
        assert llm_calls.standing(connection, "", "k") is None


@pytest.mark.parametrize("use", [{"call_id": "nosuch"}, {"run_id": "nosuch"}, {"project_id": "nosuch"}])
def test_a_use_of_what_is_not_there_is_refused_with_its_call(store, use):
    with pytest.raises(Conflict):
        add(store, [plain_call(1)], [plain_use(1, **use)])
    with store.read() as connection:
        assert llm_calls.standing(connection, "", "key_1") is None


def test_a_call_is_kept_once(store):
    add(store, [plain_call(1)])
    with pytest.raises(Conflict):
        add(store, [plain_call(1)])
