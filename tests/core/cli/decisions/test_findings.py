"""Findings over runs on the command line."""

from core.settings import settings
from core.store.database import Store
from core.weakness.findings.service import record_findings
from tests.core.weakness.findings.over_runs.test_retesting import QUICK, next_run, weak
from tests.support.weakness.planted_run import ACTOR, planted_run


def test_findings_are_listed_and_retested(cli):
    with Store.open(settings().database_url) as store:
        first = planted_run(store, weak(2))
        record_findings(store, first.id, "verdict", None, ACTOR, search=QUICK)
        second = next_run(store, first, weak(8))
    before = cli("findings", "--run", second.id)
    assert "high open: Questions about loans whose answer is a number" in before.out
    assert "1 not retested on this run; add --retest." in before.out
    after = cli("findings", "--run", second.id, "--retest", "--json").json
    assert after["waiting_for_retest"] == 0
    (row,) = after["findings"]
    assert (row["name"], row["seen_in"]) == ("Questions about loans whose answer is a number", ["run_1"])
    assert [one["outcome"] for one in row["retests"]] == ["fixed"]
    assert "on run_2: fixed, change +0.600 [" in cli("findings", "--run", second.id).out


def test_a_project_without_findings_says_so(cli):
    with Store.open(settings().database_url) as store:
        run = planted_run(store, weak(2))
    assert cli("findings", "--run", run.id).out == "No finding is recorded in this project.\n"
