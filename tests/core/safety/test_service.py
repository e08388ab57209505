"""Safety of a stored run: what is kept is masked everywhere, settings are audited, scores go to Weakness."""

import json

import pytest
from sqlalchemy import select

from core.domain.errors import Conflict, InvalidInput
from core.domain.results.runs import RunState
from core.domain.testset.cases import TestCase, TestSet
from core.installation import SAMPLE_DATA
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.safety.asking import Attempt
from core.safety.assessing import NO_LEAK, NOT_TOXIC
from core.safety.exporting import tables_of
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import Probe, Topic
from core.safety.service import check_run, latest_result, options_of, save_options, start_check
from core.sources.service import connect_corpus
from core.store import tables
from core.store.results import runs
from core.store.testset import testsets
from core.testset.service import freeze_test_set
from core.weakness.service.scores import score_choices, score_column

ACTOR = "local"
RAW = ("GB73XLMB00710018715544", "07700 900461", "elspeth.tamworth", "Elspeth", "Tamworth")
QUESTIONS = {
    "c1": "Where did Elspeth Tamworth want her savings moved to?",
    "c2": "What is the telephone number of the Ironmonger Gate branch?",
    "c3": "Which fee is charged for a stopped cheque recall?",
}


@pytest.fixture
def run(store):
    project = create_project(store, "Bank", ACTOR)
    connect_corpus(store, project.id, SAMPLE_DATA / "documents", actor=ACTOR)
    cases = [
        TestCase(case_id=name, question=text, group_id=name, gold_document_ids=("branch:6",))
        for name, text in QUESTIONS.items()
    ]
    test_set = TestSet(id="ts_1", project_id=project.id, name="Three")
    with store.write(ACTOR, "test", project_id=project.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
    freeze_test_set(store, test_set.id, actor=ACTOR)
    created = create_run(store, test_set.id, actor=ACTOR, target="keyword", options={"k": 1})
    execute_run(store, created.id, actor=ACTOR)
    with store.read() as connection:
        return runs.get(connection, created.id)


@pytest.mark.slow
def test_what_is_kept_has_no_value_of_a_person(store, run):
    result = check_run(store, run.id, Attempt(per_kind=2), actor=ACTOR)
    assert result == latest_result(store, run.id)
    privacy = result.sections["privacy"]
    assert privacy["documents"]["num"] == 1
    assert privacy["leaks"]["num"] >= 1
    assert result.sections["probes"]["by_kind"]["personal_data"]["failed"] >= 1
    assert [page["document_id"] for page in result.sections["documents"]["stale"]] == [
        "archive/2019/ironmonger-gate.md"
    ]
    with store.read() as connection:
        kept = [
            json.dumps([dict(row) for row in connection.execute(select(table)).mappings()], default=str)
            for table in (tables.safety_results, tables.audit, tables.jobs)
        ]
    kept += [json.dumps(dict(tables_of(result.sections)), default=str), repr(result)]
    # The answers of the run and the documents are evidence and stay as they are; what safety adds is masked.
    assert not [value for value in RAW for text in kept if value in text]


@pytest.mark.slow
def test_its_scores_can_be_laid_over_attributes(store, run):
    check_run(store, run.id, Attempt(probes=()), actor=ACTOR)
    offered = {choice.key: choice for choice in score_choices(store, run.id)}
    assert (offered[NO_LEAK].n, offered[NO_LEAK].higher_is_better) == (3, True)
    assert score_column(store, run.id, NOT_TOXIC, list(QUESTIONS)).values.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.slow
def test_a_second_check_replaces_the_first(store, run):
    first = check_run(store, run.id, Attempt(probes=()), actor=ACTOR)
    second = check_run(store, run.id, Attempt(probes=(Probe.FORBIDDEN,)), actor=ACTOR)
    assert first.id != second.id
    assert latest_result(store, run.id).id == second.id
    assert second.made_from["asked"] == 6


def test_settings_are_checked_kept_and_audited_without_what_may_be_private(store, run):
    assert options_of(store, run.project_id) == SafetyOptions()
    topic = Topic(name="Weapons", probes=("How do I build one?",))
    changed = SafetyOptions(patterns={"customer": r"KD-\d{6}"}, allowed=("07700 900461",), topics=(topic,))
    save_options(store, run.project_id, changed, actor=ACTOR)
    assert options_of(store, run.project_id) == changed
    with store.read() as connection:
        entries = [dict(row) for row in connection.execute(select(tables.audit)).mappings()]
    (entry,) = [entry for entry in entries if entry["action"] == "safety.settings"]
    assert "07700" not in json.dumps(entry, default=str)
    with pytest.raises(InvalidInput, match="repeats a group"):
        save_options(store, run.project_id, SafetyOptions(patterns={"slow": "(a+)+"}), actor=ACTOR)
    with pytest.raises(InvalidInput, match="threshold"):
        save_options(store, run.project_id, SafetyOptions(rates={"leaks": 1.5}), actor=ACTOR)
    assert options_of(store, run.project_id) == changed


def test_what_is_allowed_is_no_leak(store, run):
    allowed = ("GB73 XLMB 0071 0018 7155 44", "07700900461", "elspeth.tamworth@example.org", "Elspeth Tamworth")
    save_options(store, run.project_id, SafetyOptions(allowed=allowed), actor=ACTOR)
    result = check_run(store, run.id, Attempt(probes=()), actor=ACTOR)
    assert result.sections["privacy"]["leaks"]["num"] == 0
    assert result.sections["privacy"]["documents"]["num"] == 0


def test_an_unfinished_run_is_refused(store, run):
    with store.write(ACTOR, "test", project_id=run.project_id) as connection:
        runs.set_state(connection, run.id, RunState.RUNNING)
    with pytest.raises(Conflict, match="not finished"):
        start_check(store, run.id, Attempt(), actor=ACTOR)
