"""Runs whose gold ids name no document: no recall, with the reason, until somebody says how they belong together."""

import pytest

from core.diagnosis import diagnose
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.sources.document_mappings import Way
from core.domain.status import Status
from core.knowledge.matching.service import choose
from core.runs.execute import execute_run
from core.runs.results import case_view
from core.runs.scores.applicable import applicable, expected
from core.runs.scores.samples import sample_for
from core.runs.scores.scoring import score_run
from core.runs.service import create_run
from core.store.results import scores
from core.testset.service import freeze_test_set
from core.weakness.service.data import attributes_key
from tests.support.documents.named_documents import shop_project
from tests.support.small_bank import ACTOR

METRICS = ("recall", "precision", "ndcg")
RULES = {"products": "{table}-{key:02}"}


@pytest.fixture
def unfit(store, tmp_path):
    """A finished run on documents that are named product-01.md, with gold ids products:1."""
    project, test_set = shop_project(store, tmp_path, "number", range(1, 12))
    freeze_test_set(store, test_set.id, actor=ACTOR)
    run = create_run(store, test_set.id, actor=ACTOR, target="bm25", options={"k": 1, "metrics": list(METRICS)})
    execute_run(store, run.id, actor=ACTOR)
    return project, run


def of_metric(store, run, name):
    with store.read() as connection:
        return scores.of_metric(connection, run.id, name)


def test_no_metric_has_a_value(store, unfit):
    _, run = unfit
    for name in METRICS:
        found = of_metric(store, run, name)
        assert {score.status for score in found.values()} == {Status.MISSING_INPUT}
        assert {score.value for score in found.values()} == {None}
        assert "No gold id of its table names a document." in str(next(iter(found.values())).detail)
    lacking = {item.name: item.why_not for item in applicable(store, run.id)}
    assert lacking["recall"].startswith("No gold id of the test set names a document.")
    assert not {item.name for item in expected(store, run.test_set_id) if item.ready} & set(METRICS)


def test_the_diagnosis_has_no_recall_and_blames_no_retrieval_for_it(store, unfit):
    _, run = unfit
    rows = diagnosis_rows(store, run.id)
    result = diagnose(rows.rows, known_ids=rows.known_ids)
    assert (result.figures.recall.value, result.figures.recall.den) == (None, 0)
    assert (result.figures.id_match.value, result.figures.id_match.den) == (None, 0)
    assert result.dangling.rows == 12


def test_what_is_chosen_counts_for_runs_made_before(store, unfit):
    project, run = unfit
    key = attributes_key(store, run.id)
    choose(store, project.id, Way.PATTERN, RULES, actor=ACTOR)
    assert attributes_key(store, run.id) != key  # what a page keeps of the cases is read again
    rows = diagnosis_rows(store, run.id)
    result = diagnose(rows.rows, known_ids=rows.known_ids)
    # Eleven of twelve products have a document, and bm25 finds each by its name; the twelfth one's id dangles.
    assert (result.figures.recall.num, result.figures.recall.den) == (11, 12)
    assert result.dangling.ids == ("products:12",)
    assert {row.case_id: row.true_ids for row in rows.rows}["p3"] == ("product-03.md",)
    view = case_view(store, run.id, "p3")
    assert (view.gold, view.dangling, view.case.gold_document_ids) == (("product-03.md",), (), ("products:3",))
    assert sample_for(store, run.id, "p3").gold_document_ids == ("product-03.md",)
    score_run(store, run.id, METRICS, actor=ACTOR)
    recalls = of_metric(store, run, "recall")
    assert {name: score.value for name, score in recalls.items() if score.value is not None} == {
        f"p{number}": 1.0 for number in range(1, 12)
    }
    assert recalls["p12"].status is Status.NOT_APPLICABLE


@pytest.mark.slow
def test_one_id_that_names_no_document_stays_as_it_was(store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number", range(1, 2))
    choose(store, project.id, Way.PATTERN, RULES, actor=ACTOR)
    freeze_test_set(store, test_set.id, actor=ACTOR)
    run = create_run(store, test_set.id, actor=ACTOR, target="bm25", options={"k": 1, "metrics": ["recall"]})
    execute_run(store, run.id, actor=ACTOR)
    statuses = {name: score.status for name, score in of_metric(store, run, "recall").items()}
    assert statuses["p1"] is Status.SCORED
    assert {status for name, status in statuses.items() if name != "p1"} == {Status.NOT_APPLICABLE}
