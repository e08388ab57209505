"""Where no model is installed and none can be fetched every page opens, and says what could not be measured."""

from __future__ import annotations

import shutil
import sys

import pytest

from core.domain.status import Status
from core.encoders import embedding
from core.encoders.loading import MINILM_PACKAGE, NOT_INSTALLED
from core.judging.match.abstention import read_answer
from core.judging.match.abstention.reading import RULES_ALONE
from core.metrics.registry import find_metrics
from core.project.service import create_project
from core.runs.scores.choice import ScoringOptions
from core.runs.scores.scoring import score_run
from core.safety.asking import Attempt
from core.safety.probes.kinds import Probe
from core.safety.service import check_run
from core.store import projects
from core.store.database import Store
from core.store.results import runs, scores
from core.testset.variants.service import usual_encoder
from pages.kit import errors, navigation
from tests.support.small_bank import ACTOR, said
from tests.support.stores import sqlite_url


@pytest.fixture(autouse=True)
def no_models(monkeypatch):
    """A machine without the packaged encoder, without a network, and with nothing opened yet."""
    monkeypatch.setitem(sys.modules, MINILM_PACKAGE, None)
    monkeypatch.setattr(embedding, "_load", embedding._load.__wrapped__)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def sample(data, sample_store):
    """The app's store with the sample project in it."""
    data.mkdir(parents=True)
    shutil.copy(sample_store, data / "plumbline.sqlite")
    with Store.open(sqlite_url(data)) as store:
        yield store


@pytest.fixture
def parts(sample):
    """The sample's project, and its run on the test set itself."""
    with sample.read() as connection:
        (project,) = projects.all(connection)
        every = runs.all(connection, project.id)
    (run,) = [run for run in every if "parent_run" not in run.options]
    return project, run


def test_no_encoder_is_there():
    encoder, why = usual_encoder("")
    assert encoder is None
    assert why == f"not measured: {NOT_INSTALLED}"
    assert read_answer("What is the fee?", "I could not find this in the documents.").outcome.declines


@pytest.mark.slow
@pytest.mark.parametrize("spec", navigation.PAGES, ids=lambda spec: spec.key)
def test_every_page_opens_on_the_sample(open_page, parts, spec):
    app = open_page(spec.key, project=parts[0].id)
    assert not app.exception
    assert NOT_INSTALLED not in [error.value for error in app.error]
    assert app.title[0].value == spec.question


@pytest.mark.slow
@pytest.mark.parametrize("spec", navigation.PAGES, ids=lambda spec: spec.key)
def test_every_page_opens_on_an_empty_project(open_page, store, spec):
    project = create_project(store, "Loans assistant", ACTOR)
    app = open_page(spec.key, project=project.id)
    assert not app.exception
    assert not app.error
    assert app.title[0].value == spec.question


@pytest.mark.slow
def test_robustness_and_topics_say_what_they_do_without(open_page, parts):
    app = open_page("robustness", project=parts[0].id)
    captions = [caption.value for caption in app.caption]
    assert errors.plain(RULES_ALONE) in captions
    assert any("likeness of meaning not measured" in caption for caption in captions)
    app = open_page("topics", project=parts[0].id)
    assert NOT_INSTALLED in said(app)


@pytest.mark.slow
def test_safety_is_checked_by_rules_and_says_so(open_page, sample, parts):
    project, run = parts
    result = check_run(sample, run.id, Attempt(probes=(Probe.PROMPT_LEAK,)), actor=ACTOR)
    assert result.sections["toxicity"]["by"] == "lexicon"
    app = open_page("safety", project=project.id, run=run.id)
    assert not app.exception
    assert errors.plain(RULES_ALONE) in [caption.value for caption in app.caption]


@pytest.mark.slow
def test_what_needs_no_model_is_scored_and_the_rest_has_the_reason(sample, parts):
    _, run = parts
    metrics = [metric.spec.name for metric in find_metrics(["answered", "token_f1", "answer_relevancy"])]
    score_run(sample, run.id, metrics, actor=ACTOR, options=ScoringOptions())
    with sample.read() as connection:
        stored = [score for name in metrics for score in scores.of_metric(connection, run.id, name).values()]
    by = {name: {score.status for score in stored if score.metric == name} for name in metrics}
    assert by["answered"] == {Status.SCORED}
    assert Status.SCORED in by["token_f1"]
    assert Status.SCORED not in by["answer_relevancy"]
    assert Status.NO_MODEL in by["answer_relevancy"]
