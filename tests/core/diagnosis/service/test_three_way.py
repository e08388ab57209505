"""An experiment: three runs that find each other again, started together, compared, or chosen by hand."""

import pytest

from core import jobs
from core.diagnosis.service.three_way import (
    check_reading,
    compare,
    experiments,
    find_experiment,
    go_on,
    latest_reading,
    of_runs,
    start_experiment,
    waiting,
)
from core.diagnosis.three_way import Mode, Part
from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.results.runs import RunState
from core.project.service import create_project
from core.runs.service import create_run
from core.sources.service import connect_corpus
from core.store.database import Store
from core.store.results import runs
from tests.support.runs.three_runs import experiment_of, frozen_set, judged_run
from tests.support.small_bank import ACTOR, write_documents
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", ACTOR).id


def test_runs_of_an_experiment_find_each_other(store, project):
    test_set = frozen_set(store, project, 3)
    judged_run(store, test_set, "111", target="keyword")
    first = experiment_of(store, test_set, "000", "110", "100")
    experiment_of(store, test_set, "000", "110", name="exp_2")
    found = experiments(store, project)
    assert [item.id for item in found] == ["exp_2", "exp_1"]
    assert found[0].missing == (Mode.RETRIEVAL,)
    assert not found[0].finished
    assert found[1].finished
    assert {mode: run.id for mode, run in found[1].runs.items()} == {Mode(name): run.id for name, run in first.items()}
    assert find_experiment(store, project, "exp_1") == found[1]
    with pytest.raises(NotFound, match="exp_9"):
        find_experiment(store, project, "exp_9")


def test_a_run_that_was_made_again_counts_instead(store, project):
    test_set = frozen_set(store, project, 2)
    experiment_of(store, test_set, "00", "11", "10")
    again = judged_run(store, test_set, "11", options={"mode": "oracle", "experiment": "exp_1"})
    assert find_experiment(store, project, "exp_1").runs[Mode.ORACLE].id == again.id


def test_the_comparison_reads_the_stored_verdicts(store, project):
    test_set = frozen_set(store, project, 4, wordings=2)
    experiment_of(store, test_set, "00000011", "11110011", "1100001-")
    experiment = find_experiment(store, project, "exp_1")
    compared = compare(store, experiment)
    found, check = compared.three, compared.check
    counts = {part: share.num for part, share in found.parts.items() if share.num}
    # g0 fine twice, g1 retrieval twice, g2 reading twice, g3 known once and once without a live verdict.
    assert counts == {Part.FINE: 2, Part.RETRIEVAL: 2, Part.READING: 2, Part.KNOWN: 1, Part.NOT_JUDGED: 1}
    assert found.open_domain.groups == {"g3"}
    assert (found.open_domain.every.num, found.open_domain.every.den) == (2, 4)
    assert (found.open_domain.closed.num, found.open_domain.closed.den) == (1, 3)
    assert (check.accuracy.num, check.accuracy.den) == (6, 8)
    assert [failure.case_id for failure in check.failures] == ["g2w0", "g2w1"]
    assert (check.cross.both, check.cross.reading_only, check.cross.gap_only, check.cross.neither) == (1, 0, 1, 2)
    assert compared.answers[Mode.ORACLE]["g2w0"] == "Nowhere"
    assert compared.answers[Mode.RETRIEVAL]["g3w1"] is None
    assert compared.cases["g2w0"].group_id == "g2"
    closed = compare(store, experiment, closed_domain=True)
    assert [case.group_id for case in closed.three.cases] == ["g0", "g0", "g1", "g1", "g2", "g2"]
    assert closed.three.accuracy[Mode.CLOSED_BOOK].num == 0
    # The filter and the check stay over everything.
    assert closed.three.open_domain == found.open_domain
    assert closed.check == check
    assert compare(store, experiment, form="short").three.parts == found.parts
    assert compare(store, experiment, form="long").three.cases == ()


def test_an_experiment_without_a_run_is_not_compared(store, project):
    test_set = frozen_set(store, project, 2)
    experiment_of(store, test_set, "00", "11")
    with pytest.raises(Conflict, match="no run retrieval"):
        compare(store, find_experiment(store, project, "exp_1"))


def test_three_runs_chosen_by_hand_are_an_experiment(store, project):
    test_set = frozen_set(store, project, 2)
    chosen = [judged_run(store, test_set, marks, target="recorded:x").id for marks in ("00", "11", "10")]
    found = of_runs(store, *chosen)
    assert found.finished
    assert compare(store, found).three.parts[Part.RETRIEVAL].num == 1
    with pytest.raises(InvalidInput, match="named twice"):
        of_runs(store, chosen[0], chosen[0], chosen[2])
    other = judged_run(store, frozen_set(store, project, 2, name="Other"), "11")
    with pytest.raises(InvalidInput, match="not of one test set"):
        of_runs(store, chosen[0], chosen[1], other.id)


def test_the_reading_check_stands_alone_or_beside_a_live_run(store, project):
    test_set = frozen_set(store, project, 3)
    oracle, live = judged_run(store, test_set, "110"), judged_run(store, test_set, "100")
    assert check_reading(store, oracle.id).cross is None
    assert check_reading(store, oracle.id, live.id).cross.both == 1
    other = judged_run(store, frozen_set(store, project, 3, name="Other"), "111")
    with pytest.raises(InvalidInput, match="not of one test set"):
        check_reading(store, oracle.id, other.id)


def test_a_target_that_cannot_be_asked_three_ways_is_refused_and_leaves_nothing(store, project, tmp_path):
    connect_corpus(store, project, write_documents(tmp_path / "documents"), actor=ACTOR)
    test_set = frozen_set(store, project, 2)
    with pytest.raises(InvalidInput, match="keyword cannot run"):
        start_experiment(store, test_set.id, actor=ACTOR, target="keyword")
    with store.read() as connection:
        assert runs.all(connection, project) == []


@pytest.mark.slow
def test_a_planned_run_waits_until_somebody_goes_on(store, project, tmp_path):
    connect_corpus(store, project, write_documents(tmp_path / "documents"), actor=ACTOR)
    test_set = frozen_set(store, project, 2)
    experiment_of(store, test_set, "00", "11")
    planned = create_run(
        store, test_set.id, actor=ACTOR, target="keyword", options={"mode": "retrieval", "experiment": "exp_1"}
    )
    found = find_experiment(store, project, "exp_1")
    assert waiting(store, found)
    assert go_on(store, found, actor=ACTOR) == 1
    with store.read() as connection:
        job_id = runs.get(connection, planned.id).job_id
    jobs.wait(store, job_id, seconds=60)
    found = find_experiment(store, project, "exp_1")
    assert found.runs[Mode.RETRIEVAL].state is RunState.FINISHED
    assert not waiting(store, found)
    assert go_on(store, found, actor=ACTOR) == 0


def test_the_newest_run_with_the_gold_documents_checks_a_test_set_beside_the_newest_live_one(store, project):
    test_set = frozen_set(store, project, 2)
    other = frozen_set(store, project, 2, name="Other")
    judged_run(store, other, "11", options={"mode": "oracle"})
    live = judged_run(store, test_set, "10")

    def every():
        with store.read() as connection:
            return runs.all(connection, project)

    assert latest_reading(every(), test_set.id) is None
    judged_run(store, test_set, "11", options={"mode": "oracle"})
    alone = judged_run(store, test_set, "11", options={"mode": "oracle"}, target="openai:else@u")
    judged_run(store, test_set, "00", options={"mode": "closed_book"})
    assert latest_reading(every(), test_set.id) == (alone, None)
    newest = judged_run(store, test_set, "01", options={"mode": "oracle"})
    oracle, beside = latest_reading(every(), test_set.id)
    assert (oracle.id, beside.id) == (newest.id, live.id)
