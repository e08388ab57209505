"""The reading check from runs in a store on a server: the same figures as in a file."""

from core.diagnosis.service.three_way import check_reading
from core.project.service import create_project
from core.store.database import Store
from tests.support.runs.three_runs import frozen_set, judged_run
from tests.support.small_bank import ACTOR
from tests.support.stores import store_url

ORACLE, LIVE = "1101100-1011", "1001010010-1"


def checked(url):
    with Store.open(url) as store:
        project = create_project(store, "Bank", ACTOR).id
        test_set = frozen_set(store, project, 6, wordings=2)
        oracle, live = judged_run(store, test_set, ORACLE), judged_run(store, test_set, LIVE)
        return check_reading(store, oracle.id, live.id)


def test_the_figures_are_those_of_a_store_in_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with store_url("postgresql", tmp_path) as url:
        found = checked(url)
    with store_url("sqlite", tmp_path) as url:
        assert checked(url).as_json() == found.as_json()
    # By hand: 7 right of 11 judged; g1 to g4 fail in reading, and of all facts only g3 is a gap live.
    assert (found.accuracy.num, found.accuracy.den, found.not_judged) == (7, 11, 1)
    cross = found.cross
    assert (cross.both, cross.reading_only, cross.gap_only, cross.neither, cross.left_out) == (1, 3, 0, 2, 0)
