"""Browsing the ledger: pages, totals, downloads."""

import csv
import io
import json

import pytest

from core.domain.errors import CallFailed, NotFound
from core.domain.llm import Call, CallState, Message, Use
from core.llm import open_chat
from core.llm.calls import log
from core.llm.calls.log import CallFilter
from core.llm.spending import prices
from core.project.service import create_project
from core.store.database import Store
from core.store.models import calls as llm_calls
from core.store.models import reads
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.stores import blank_url, with_run


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def call(number, *, purpose="judge", model="m", state=CallState.ANSWERED, tokens=(100, 10), cost=None, **more):
    return Call(
        id=f"call_{number}",
        project_id="prj_1",
        key=f"key_{number}",
        endpoint="http://llm.example/v1",
        model=model,
        parameters={"temperature": 0.0},
        messages=(Message("user", f"Question {number}?"),),
        sample=0,
        purpose=purpose,
        state=state,
        reply=f"=reply {number}",
        prompt_tokens=tokens[0],
        completion_tokens=tokens[1],
        cost=cost,
        at=f"2026-01-01T00:00:{number:02d}+00:00",
        **more,
    )


def use(number, *, purpose="judge", run="run_1", case="", cached=False):
    return Use(
        project_id="prj_1",
        call_id=f"call_{number}",
        purpose=purpose,
        run_id=run,
        case_id=case or f"c{number}",
        cached=cached,
        at="2026-01-01T00:00:00+00:00",
    )


@pytest.fixture
def ledger(store):
    """Six calls: three judge, two target, one probe of no run."""
    with_run(store)
    calls = [
        call(0, cost=0.5),
        call(1, cost=None, tokens=(None, None)),
        call(2, state=CallState.MALFORMED, cost=0.25),
        call(3, purpose="target", model="big", tokens=(1_000, 200)),
        call(4, purpose="target", model="big", state=CallState.TIMEOUT, tokens=(None, None)),
        call(5, purpose="probe", cost=0.0),
    ]
    uses = [
        use(0),
        use(0, case="c9", cached=True),
        use(1),
        use(2),
        use(3, purpose="target"),
        use(4, purpose="target"),
        use(5, purpose="probe", run="", case="-"),
    ]
    with store.pulse() as connection:
        llm_calls.add(connection, calls, uses)
    return store


def test_totals_say_what_they_rest_on(ledger):
    found = {row.name: row for row in log.totals(ledger, "prj_1", CallFilter())}
    assert list(found) == ["judge", "probe", "target"]
    judge = found["judge"]
    # Four uses of three calls; 0.5 + 0.25 is known of two of them, and the reply that was used twice is paid once.
    assert (judge.uses, judge.cached, judge.calls) == (4, 1, 3)
    assert (judge.cost, judge.priced) == (0.75, 2)
    assert (judge.prompt_tokens, judge.completion_tokens, judge.counted) == (200, 20, 2)
    assert judge.failures == {"malformed": 1}
    assert (found["target"].cost, found["target"].priced, found["target"].calls) == (None, 0, 2)
    assert found["target"].failures == {"timeout": 1}
    # A call that costs nothing is not one whose cost is unknown.
    assert (found["probe"].cost, found["probe"].priced) == (0.0, 1)


def test_a_run_is_added_up(ledger):
    run = log.of_run(ledger, "prj_1", "run_1")
    assert (run.uses, run.calls, run.cached, run.priced, run.cost, run.failed) == (6, 5, 1, 2, 0.75, 2)
    assert log.of_run(ledger, "prj_1", "run_2") == log.Totals(name="all")


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (CallFilter(), [5, 4, 3, 2, 1, 0]),
        (CallFilter(purpose="target"), [4, 3]),
        (CallFilter(run_id="run_1"), [4, 3, 2, 1, 0]),
        (CallFilter(case_id="c9"), [0]),
        (CallFilter(run_id="run_1", case_id="c3", purpose="judge"), []),
        (CallFilter(model="big", state="answered"), [3]),
        (CallFilter(state="malformed"), [2]),
    ],
)
def test_calls_are_found_by_what_they_were_for(ledger, wanted, ids):
    rows, total = log.page(ledger, "prj_1", wanted)
    assert [row.id for row in rows] == [f"call_{number}" for number in ids]
    assert total == len(ids)


def test_calls_come_by_the_page(ledger):
    rows, total = log.page(ledger, "prj_1", CallFilter(), limit=2, offset=3)
    assert ([row.id for row in rows], total) == (["call_2", "call_1"], 6)
    (newest,), _ = log.page(ledger, "prj_1", CallFilter(case_id="c9"))
    assert (newest.uses, newest.cases) == (2, ("c0", "c9"))


def test_another_project_sees_nothing(ledger):
    other = create_project(ledger, "Other", "anna")
    assert log.page(ledger, other.id, CallFilter()) == ([], 0)
    assert log.totals(ledger, other.id, CallFilter()) == []
    assert log.as_jsonl(ledger, other.id, CallFilter()) == b""
    with pytest.raises(NotFound, match="no call call_0"):
        log.call_with_uses(ledger, other.id, "call_0")


def test_calls_are_read_in_pieces_without_a_gap(ledger):
    for piece in (1, 2, 4, 6, 7):
        with ledger.read() as connection:
            found = [call.id for call in reads.whole(connection, "prj_1", CallFilter(), piece=piece)]
        assert found == [f"call_{number}" for number in range(6)]


def test_a_download_holds_every_call(ledger):
    rows = [json.loads(line) for line in log.as_jsonl(ledger, "prj_1", CallFilter()).splitlines()]
    assert [row["id"] for row in rows] == [f"call_{number}" for number in range(6)]
    assert rows[0]["messages"] == [{"role": "user", "content": "Question 0?"}]
    assert (rows[1]["cost"], rows[5]["cost"]) == (None, 0.0)
    table = list(csv.DictReader(io.StringIO(log.as_csv(ledger, "prj_1", CallFilter()).decode("utf-8-sig"))))
    assert [row["cost"] for row in table] == ["0.5", "", "0.25", "", "", "0.0"]
    # A spreadsheet would run it.
    assert table[0]["reply"] == "'=reply 0"


def test_what_a_model_was_asked_is_in_the_log(store, tmp_path):
    project = create_project(store, "Bank", "anna")
    prices.save(store, project.id, [prices.price_of("m", "2", "10", "EUR")], actor="anna")
    with LlmServer(lambda body: Fault(status=400, text="no") if "bad" in str(body) else "fine") as server:
        chat = open_chat(store, project.id, server.spec())
        reply = chat.ask([Message("user", "good")], purpose="judge", case_id="c1")
        chat.ask([Message("user", "good")], purpose="judge", case_id="c2")
        with pytest.raises(CallFailed):
            chat.ask([Message("user", "bad")], purpose="judge", case_id="c3")
    (judge,) = log.totals(store, project.id, CallFilter())
    assert (judge.uses, judge.cached, judge.calls, judge.failures) == (3, 1, 2, {"failed": 1})
    assert (judge.priced, judge.cost) == (1, reply.cost)
    call, uses = log.call_with_uses(store, project.id, reply.call_id)
    # What the server counted, times 2 and 10 a million.
    assert call.cost == pytest.approx((2 * call.prompt_tokens + 10 * call.completion_tokens) / 1e6)
    assert [(use.case_id, use.cached) for use in uses] == [("c1", False), ("c2", True)]
    assert log.currency(store, project.id) == "EUR"
