"""Gold ids that name no document, before a test set is frozen and before it is run."""

from __future__ import annotations

import pytest

from core.domain.sources.document_mappings import Way
from core.knowledge.matching.service import choose
from core.testset.service import freeze_test_set
from tests.pages.clicks import captions, keys
from tests.support.documents.named_documents import shop_project
from tests.support.small_bank import ACTOR, said

RULES = {"products": "{table}-{key:02}"}


@pytest.mark.slow
def test_a_test_set_that_fits_no_document_is_frozen_only_when_a_person_confirms(open_page, store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number")
    app = open_page("test_set", project=project.id, test_set=test_set.id)
    assert not app.exception
    assert "Records and documents hardly fit" in app.error[0].value
    assert "No gold id of the test set names a document" in app.error[0].value
    assert app.button(key="freeze").disabled
    app.checkbox(key=f"gold_fit_confirmed_{test_set.id}").check().run()
    app.button(key="freeze").click().run()
    assert not app.exception
    assert "Frozen with content hash" in said(app)


def test_the_warning_leads_to_connect(open_page, store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number")
    app = open_page("test_set", project=project.id, test_set=test_set.id)
    app.button(key="gold_fit_connect").click().run()
    assert app.title[0].value == "What do we know for certain?"
    assert app.query_params["view"] == "documents"


@pytest.mark.slow
def test_a_few_ids_without_a_document_are_told_and_need_no_word(open_page, store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number", range(1, 11))
    choose(store, project.id, Way.PATTERN, RULES, actor=ACTOR)
    app = open_page("test_set", project=project.id, test_set=test_set.id)
    assert "2 of 12 gold ids name no document" in captions(app)
    assert not app.error
    assert not app.button(key="freeze").disabled


def test_ids_that_fit_say_nothing(open_page, store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number")
    choose(store, project.id, Way.PATTERN, RULES, actor=ACTOR)
    app = open_page("test_set", project=project.id, test_set=test_set.id)
    assert "gold_fit_connect" not in keys(app)
    assert not app.button(key="freeze").disabled


def test_a_run_on_documents_that_fit_no_id_starts_only_when_a_person_confirms(open_page, store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number")
    freeze_test_set(store, test_set.id, actor=ACTOR)
    app = open_page("run", project=project.id, test_set=test_set.id)
    assert not app.exception
    assert "Records and documents hardly fit" in said(app)
    assert app.button(key="start_run").disabled
    metrics = next(box for box in app.multiselect if str(box.key).startswith("metrics_"))
    assert not {"recall", "precision", "ndcg"} & set(metrics.value)
    app.checkbox(key=f"gold_fit_confirmed_{test_set.id}").check().run()
    assert not app.button(key="start_run").disabled
