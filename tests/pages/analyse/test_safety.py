"""The page of safety: what it waits for, the sections, the masking, the settings, what a viewer sees."""

import pytest

from core.safety.asking import Attempt
from core.safety.bias.pairs import dimensions_named
from core.safety.service import check_run, options_of
from core.store.results import runs
from core.store.results import safety as rows
from tests.pages.clicks import as_viewer, captions, keys, metrics, rendered
from tests.support.small_bank import ACTOR, said

QUESTION = "Is it toxic, does it leak personal data, does it treat people alike?"


@pytest.fixture
def run(finished, bank):
    with finished.read() as connection:
        return runs.all(connection, bank.id)[-1]


@pytest.fixture
def checked(finished, run):
    return check_run(finished, run.id, Attempt(dimensions=dimensions_named(("gender",)), per_kind=2), actor=ACTOR)


def test_without_a_run_the_page_leads_to_one(open_page, store, project):
    app = open_page("safety", project=project.id)
    assert app.title[0].value == QUESTION
    assert "No run yet" in said(app)
    assert "go_run" in keys(app)


def test_an_unchecked_run_offers_the_check(open_page, finished, bank, run):
    app = open_page("safety", project=bank.id)
    assert not app.exception
    assert {"start_safety", "save_safety"} <= keys(app)
    assert not app.metric


@pytest.mark.slow
def test_the_sections_of_a_checked_run(open_page, bank, checked):
    app = open_page("safety", project=bank.id)
    assert not app.exception
    assert list(metrics(app)) == ["Answers that leak", "Toxic answers", "Failed probes", "Differences"]
    for view, words in {
        "privacy": "Found by format",
        "toxicity": "The lexicon knows English words",
        "probes": "Where rules cannot tell",
        "bias": "differ in the person alone",
        "documents": "Stale: dated three years",
    }.items():
        app = open_page("safety", project=bank.id, view=view)
        assert not app.exception, view
        assert words in captions(app), view


@pytest.mark.slow
def test_settings_are_saved_and_a_bad_pattern_is_told(open_page, finished, bank, run):
    app = open_page("safety", project=bank.id)
    app.text_area(key="safety_patterns").set_value("customer = KD-[0-9]{6}")
    app.button(key="save_safety").click().run()
    assert dict(options_of(finished, bank.id).patterns) == {"customer": "KD-[0-9]{6}"}
    app.text_area(key="safety_patterns").set_value("slow = (a+)+")
    app.button(key="save_safety").click().run()
    assert "repeats a group" in " ".join(error.value for error in app.error)
    app.text_area(key="safety_topics").set_value("no json")
    app.button(key="save_safety").click().run()
    assert dict(options_of(finished, bank.id).patterns) == {"customer": "KD-[0-9]{6}"}


def test_a_model_that_is_not_there_is_told_when_it_is_chosen(open_page, finished, bank, run):
    app = open_page("safety", project=bank.id)
    app.text_input(key="safety_names").set_value("/no/such/model")
    app.button(key="save_safety").click().run()
    assert "token-classification model" in " ".join(error.value for error in app.error)
    assert options_of(finished, bank.id).names == ""


def test_a_finding_opens_its_case(open_page, finished, bank, run, checked):
    with finished.read() as connection:
        case = next(iter(runs.responses(connection, run.id)))
    finding = {
        **dict.fromkeys(("document_id", "origin", "group_id"), ""),
        "where": "answer",
        "case_id": case,
        "entity": "name",
        "value": "•••",
        "excerpt": "•••",
        "rule": "r",
        "about": "person",
        "standing": "leaked",
    }
    sections = {**checked.sections, "privacy": {**checked.sections["privacy"], "findings": [finding]}}
    with finished.write(ACTOR, "test", project_id=bank.id) as connection:
        row = {"id": "safety_2", "project_id": bank.id, "run_id": run.id, "made_from": dict(checked.made_from)}
        rows.put(connection, {**row, "result": sections, "created_at": "2026-01-01", "created_by": ACTOR})
    app = open_page("safety", project=bank.id, case=case)
    assert not app.exception
    assert "findings_answer_to_results" in keys(app)
    assert "names by rules" in captions(app)


@pytest.mark.slow
def test_a_toxic_answer_to_a_probe_is_told_from_those_of_the_run(open_page, finished, bank, run, checked):
    item = {"case_id": "probe-1", "value": 1.0, "rule": "insult", "sentence": "You are an idiot."}
    sections = {**checked.sections, "toxicity": {**checked.sections["toxicity"], "items": [item]}}
    with finished.write(ACTOR, "test", project_id=bank.id) as connection:
        row = {"id": "safety_2", "project_id": bank.id, "run_id": run.id, "made_from": dict(checked.made_from)}
        rows.put(connection, {**row, "result": sections, "created_at": "2026-01-01", "created_by": ACTOR})
    app = open_page("safety", project=bank.id, view="toxicity")
    assert "Select a row to open its case." in captions(app)
    app = open_page("safety", project=bank.id, view="toxicity", case="probe-1")
    assert "given to a question of the check" in captions(app)
    assert "toxic_to_results" not in keys(app)


@pytest.mark.slow
def test_a_viewer_reads_and_starts_nothing(open_page, finished, bank, checked, monkeypatch):
    app = as_viewer(open_page("safety", project=bank.id), finished, bank, monkeypatch)
    assert not app.exception
    assert app.metric
    assert not {"start_safety", "save_safety"} & keys(app)


def test_hostile_words_of_an_answer_are_text(open_page, bank, checked):
    app = open_page("safety", project=bank.id, view="probes")
    assert not [text for text in rendered(app) if "<script" in text]
