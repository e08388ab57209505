"""Known answers: a better retriever on the sample bank is seen as a better retrieval, and as nothing else."""

from __future__ import annotations

import shutil

import pytest

from core.comparison.result import LEVEL
from core.comparison.service import compare_runs
from core.demo.project import ensure_demo
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.store.database import Store

ACTOR = "local"


@pytest.fixture(scope="module")
def store(sample_store, tmp_path_factory):
    copied = shutil.copy(sample_store, tmp_path_factory.mktemp("store"))
    with Store.open(f"sqlite:///{copied}") as opened:
        yield opened


@pytest.fixture(scope="module")
def keyword(store):
    return ensure_demo(store, ACTOR).run


@pytest.fixture(scope="module")
def bm25(store, keyword):
    """The same questions put to the better retriever, with all other options of the first run."""
    run = create_run(store, keyword.test_set_id, actor=ACTOR, target="bm25", options=dict(keyword.options))
    assert execute_run(store, run.id, actor=ACTOR)
    return run


def shown(comparison):
    """The modules whose share is shown to have moved, with the change."""
    return {
        change.name: round(change.difference.value, 3) for change in comparison.modules if change.p_adjusted <= LEVEL
    }


def test_a_better_retriever_is_better_in_retrieval_and_nowhere_else(store, keyword, bm25):
    found = compare_runs(store, keyword.id, bm25.id)
    assert (len(found.fixed), len(found.broken), found.fixed_share.den) == (78, 0, 246)
    # 78 of 1,134 cases.
    assert found.accuracy.difference.value == pytest.approx(78 / 1134)
    assert shown(found) == {"retrieval": -0.069}
    still = {change.name: change for change in found.modules if change.name != "retrieval"}
    assert all(change.before == change.after for change in still.values()), still
    assert [setting.name for setting in found.settings] == ["system"]


def test_a_worse_one_is_worse_in_retrieval_and_nowhere_else(store, keyword, bm25):
    found = compare_runs(store, bm25.id, keyword.id)
    assert (len(found.fixed), len(found.broken)) == (0, 78)
    assert shown(found) == {"retrieval": 0.069}


def test_the_system_run_again_is_not_told_apart(store, keyword):
    again = create_run(store, keyword.test_set_id, actor=ACTOR, target=keyword.target, options=dict(keyword.options))
    assert execute_run(store, again.id, actor=ACTOR)
    found = compare_runs(store, keyword.id, again.id)
    assert (found.fixed, found.broken, shown(found), found.settings) == ((), (), {}, ())
    assert found.accuracy.p_value == 1.0
    assert (found.noise.num, found.noise.den) == (0, 1134)
