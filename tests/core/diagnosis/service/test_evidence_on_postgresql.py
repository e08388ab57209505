"""The evidence of a run in a store on a server: found, kept and taken away as in a file."""

from core.diagnosis.service.evidence import evidence_of
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.results.runs import VERDICT_METRIC
from core.runs.execute import execute_run
from core.runs.scores.edits import edit_score
from core.runs.service import create_run
from core.store.database import Store
from tests.support.bank_cases import bank_project
from tests.support.small_bank import ACTOR
from tests.support.stores import store_url


def diagnosed(url, folder):
    folder.mkdir()
    with Store.open(url) as store:
        _, test_set = bank_project(store, folder)
        run = create_run(store, test_set.id, actor=ACTOR, target="keyword", options={"k": 1})
        assert execute_run(store, run.id, actor=ACTOR)
        edit_score(store, run.id, "arden-short", VERDICT_METRIC, value=0.0, reason="It is not.", actor=ACTOR)
        some = diagnosis_rows(store, run.id, ["arden-long"])
        first, again = diagnosis_rows(store, run.id), diagnosis_rows(store, run.id, seconds=0.0)
        assert (some.findings, again.rows, again.findings) == (
            {"arden": first.findings["arden"]},
            first.rows,
            first.findings,
        )
        edit_score(store, run.id, "arden-short", VERDICT_METRIC, value=1.0, reason="It is.", actor=ACTOR)
        edit_score(store, run.id, "belmont-long", VERDICT_METRIC, value=0.0, reason="It is not.", actor=ACTOR)
        with store.read() as connection:
            assert evidence_of(connection, run).missing == ("belmont",)
        return first.rows, first.findings


def test_the_rows_are_those_of_a_store_in_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with store_url("postgresql", tmp_path) as url:
        found = diagnosed(url, tmp_path / "server")
    with store_url("sqlite", tmp_path) as url:
        assert diagnosed(url, tmp_path / "file") == found
    assert sorted(found[1]) == ["arden", "farley"]
