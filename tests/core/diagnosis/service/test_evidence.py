"""The evidence of a run is searched for once, kept, and counts only for what it was found for."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psutil
import pytest
from sqlalchemy import func, select, update

from core import jobs
from core.diagnosis import Attribution, diagnose
from core.diagnosis.service.blame import blame_of
from core.diagnosis.service.evidence import evidence_of, find_evidence_of_run, search_seconds
from core.diagnosis.service.rows import diagnosis_rows
from core.diagnosis.service.search_job import search_job, start_search
from core.domain.errors import Conflict, Forbidden
from core.domain.jobs import JobState
from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC, RunState
from core.domain.sources.document_mappings import DocumentMapping, Way
from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactEvidence
from core.domain.sources.projects import Role, SourceKind
from core.jobs.follower import follower
from core.project.service import ensure_member
from core.runs.execute import execute_run
from core.runs.scores.edits import edit_score
from core.runs.service import EVIDENCE, create_run, retry_failed, start_run
from core.sources.service import connect_corpus, reload_corpus
from core.store import document_mappings, sources
from core.store.results import runs, scores
from core.store.tables import fact_evidence, responses
from tests.support.bank_cases import bank_cases
from tests.support.processes import held
from tests.support.processes.killed_job import LONG_ENOUGH, until
from tests.support.small_bank import ACTOR

FACTS = ["arden", "belmont", "corwen", "dalby", "elstow", "farley"]
MARK = "This stands in the store and in no document."


@pytest.fixture
def run(store, bank, tmp_path):
    """A finished run with six facts, each answered wrongly in its short wording."""
    return finished(store, bank[1].id, tmp_path / "answers.jsonl")


def finished(store, test_set_id, path, **answers):
    said = {name.replace("_", "-"): answer for name, answer in answers.items()}
    rows = [
        {
            "case_id": case.case_id,
            "answer": said.get(case.case_id, "Nobody Else" if case.form == "short" else case.reference_answers[0]),
            "contexts": [{"document_id": "branch:2", "text": "Belmont Branch is managed by Tom Birch."}],
        }
        for case in bank_cases()
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    made = create_run(store, test_set_id, actor=ACTOR, target=f"recorded:{path}")
    assert execute_run(store, made.id, actor=ACTOR)
    with store.read() as connection:
        return runs.get(connection, made.id)


def missing(store, run):
    with store.read() as connection:
        return sorted(evidence_of(connection, runs.get(connection, run.id)).missing)


def stored(store):
    with store.read() as connection:
        return connection.scalar(select(func.count()).select_from(fact_evidence))


def mark(store, *group_ids):
    """Makes what is stored differ from what a search would find."""
    with store.pulse() as connection:
        connection.execute(
            update(fact_evidence).where(fact_evidence.c.group_id.in_(group_ids or FACTS)).values(passage=MARK)
        )


def marked(store, run):
    found = diagnosis_rows(store, run.id).findings
    return sorted(group_id for group_id, finding in found.items() if finding.passage == MARK)


def test_what_was_found_is_not_searched_again(store, run):
    assert missing(store, run) == FACTS
    first = diagnosis_rows(store, run.id)
    assert (first.facts, first.pending, stored(store)) == (6, 0, 6)
    mark(store)
    again = diagnosis_rows(store, run.id)
    assert marked(store, run) == FACTS
    assert again.rows == first.rows
    # What looks at some cases only reads the same.
    assert list(blame_of(store, run.id, ["arden-short"], seconds=0.0)) == ["arden-short", "arden-long"]
    assert not any(blame.pending for blame in blame_of(store, run.id, seconds=0.0).values())


def test_some_cases_are_searched_for_alone(store, run):
    found = diagnosis_rows(store, run.id, ["dalby-long"])
    assert (list(found.findings), found.facts, stored(store)) == (["dalby"], 1, 1)
    assert missing(store, run) == [name for name in FACTS if name != "dalby"]


def test_a_verdict_that_a_person_changes_takes_the_evidence_of_its_fact_away(store, run):
    diagnosis_rows(store, run.id)
    mark(store)
    edit_score(store, run.id, "arden-long", VERDICT_METRIC, value=0.0, reason="It is not.", actor=ACTOR)
    assert missing(store, run) == ["arden"]
    pending = {row.case_id: row for row in diagnosis_rows(store, run.id, seconds=0.0).rows if row.pending}
    assert sorted(pending) == ["arden-long", "arden-short"]
    assert {row.evidence for row in pending.values()} == {None}
    assert marked(store, run) == [name for name in FACTS if name != "arden"]
    edit_score(store, run.id, "farley-short", VERDICT_METRIC, value=1.0, reason="It is.", actor=ACTOR)
    assert "farley" not in diagnosis_rows(store, run.id).findings  # no wrong answer is left


def test_another_judgement_takes_it_away_where_it_tells_another_answer(store, run):
    diagnosis_rows(store, run.id)
    judged = Score(
        case_id="belmont-short", metric=VERDICT_METRIC, value=0.0, detail={"rule": "name", "reason": "Else."}
    )
    with store.write(ACTOR, "run.judge", project_id=run.project_id, subject=run.id) as connection:
        scores.put(connection, run.id, [judged])
    assert missing(store, run) == []  # as wrong as before, by another rule
    with store.write(ACTOR, "run.judge", project_id=run.project_id, subject=run.id) as connection:
        scores.put(connection, run.id, [replace(judged, detail={"rule": "abstained"})])
    assert missing(store, run) == ["belmont"]


def test_other_documents_have_other_evidence(store, run, bank, tmp_path):
    assert diagnosis_rows(store, run.id).findings["farley"].evidence is FactEvidence.ABSENT
    with store.read() as connection:
        before = sources.latest(connection, run.project_id, SourceKind.CORPUS)
    folder = tmp_path / "documents"
    (folder / "farley.md").write_text("# Farley Branch\n\nThe manager of Farley Branch is Omar Reyes.\n")
    after = reload_corpus(store, before.id, actor=ACTOR).source
    # The run was made with the documents before, and so is its diagnosis.
    assert missing(store, run) == []
    with store.write(ACTOR, "test.corpus", project_id=run.project_id) as connection:
        runs.put(connection, replace(run, corpus_id=after.id))
    assert missing(store, run) == FACTS
    assert diagnosis_rows(store, run.id).findings["farley"].evidence is FactEvidence.PRESENT


def test_documents_that_are_replaced_where_they_are_take_it_away(store, run):
    diagnosis_rows(store, run.id)
    with store.write(ACTOR, "test.documents", project_id=run.project_id) as connection:
        others = Corpus(documents=(Document(id="branch:9", title="", text="Farley Branch is led by Omar Reyes."),))
        sources.put_documents(connection, run.corpus_id, others)
    assert missing(store, run) == FACTS
    assert diagnosis_rows(store, run.id).findings["farley"].evidence is FactEvidence.PRESENT


def test_how_ids_and_documents_belong_together_counts(store, run, tmp_path):
    diagnosis_rows(store, run.id)
    assert missing(store, run) == []
    connect_corpus(store, run.project_id, tmp_path / "documents", actor=ACTOR)  # of no concern to this run
    assert missing(store, run) == []
    with store.read() as connection:
        own = next(iter(sources.titles(connection, run.corpus_id)))
    decided = DocumentMapping(
        id="map_1",
        project_id=run.project_id,
        way=Way.PATTERN,
        rules={},
        matches={"branch:6": (own,)},
        records=6,
        corpus_id=run.corpus_id,
        matched=6,
    )
    with store.write(ACTOR, "test.mapping", project_id=run.project_id) as connection:
        document_mappings.put(connection, decided)
    assert missing(store, run) == ["farley"]


@pytest.mark.slow
def test_an_answer_that_was_asked_for_again(store, bank, tmp_path):
    run = finished(store, bank[1].id, tmp_path / "answers.jsonl")
    with store.write(ACTOR, "run.answer", project_id=run.project_id, subject=run.id) as connection:
        connection.execute(
            update(responses).where(responses.c.case_id == "arden-short").values(answer=None, failed=True, contexts=[])
        )
    diagnosis_rows(store, run.id)
    assert missing(store, run) == []
    retried = retry_failed(store, run.id, actor=ACTOR)
    assert jobs.wait(store, retried.id, seconds=LONG_ENOUGH).state is JobState.FINISHED
    mark(store)
    assert marked(store, run) == FACTS  # the job that asked again has searched again
    assert diagnosis_rows(store, run.id).rows[0].in_context is False


@pytest.mark.slow
def test_what_is_not_searched_yet_accuses_nobody_of_a_gap(store, bank, tmp_path):
    run = finished(store, bank[1].id, tmp_path / "a.jsonl", farley_long="Nobody", arden_long="Nobody")
    found = diagnosis_rows(store, run.id, seconds=0.0)
    assert (found.facts, found.pending, found.findings) == (6, 6, {})
    result = diagnose(found.rows, known_ids=found.known_ids)
    reasons = {row.row.case_id: (row.attribution, row.reason) for group in result.groups for row in group.rows}
    assert reasons["farley-short"][0] is reasons["arden-long"][0] is Attribution.UNDECIDED
    assert "not been searched" in reasons["farley-short"][1]
    assert result.figures.attribution[Attribution.KNOWLEDGE_GAP] == 0
    assert result.pending == 8
    assert "8 wrong answers" in " ".join(result.notes)
    by_query = diagnose([replace(row, form="") for row in found.rows], known_ids=found.known_ids)
    parts = {row.row.case_id: row for group in by_query.groups for row in group.rows}
    assert parts["corwen-short"].attribution is Attribution.LANGUAGE_MODEL  # the same documents, answered correctly
    assert "it may still change" in parts["corwen-short"].reason
    whole = diagnosis_rows(store, run.id)
    result = diagnose(whole.rows, known_ids=whole.known_ids)
    assert (result.pending, result.figures.attribution[Attribution.KNOWLEDGE_GAP]) == (0, 2)
    assert not any("searched" in note for note in result.notes)


def test_the_search_stops_and_goes_on(store, run):
    seen = []

    def report(stage, done, total, item=""):
        seen.append((done, total))

    assert not find_evidence_of_run(store, run.id, progress=report, should_stop=lambda: len(seen) > 2)
    assert (seen, stored(store)) == ([(0, 6), (1, 6), (2, 6)], 2)
    seen.clear()
    assert find_evidence_of_run(store, run.id, progress=report)
    assert seen[0] == (2, 6)
    assert (seen[-1], missing(store, run)) == ((6, 6), [])


def test_what_changes_during_a_search_is_searched_for_again(store, run):
    reported = []

    def report(stage, done, total, item=""):
        reported.append(done)
        if len(reported) == 2:
            edit_score(store, run.id, "arden-long", VERDICT_METRIC, value=0.0, reason="It is not.", actor=ACTOR)
        if len(reported) == 3:
            others = Corpus(documents=(Document(id="branch:9", title="", text="Farley Branch is led by Omar Reyes."),))
            with store.write(ACTOR, "test.documents", project_id=run.project_id) as connection:
                sources.put_documents(connection, run.corpus_id, others)

    assert find_evidence_of_run(store, run.id, progress=report)
    assert missing(store, run) == []
    found = diagnosis_rows(store, run.id)
    assert found.findings["farley"].evidence is FactEvidence.PRESENT
    assert found.findings["belmont"].evidence is FactEvidence.ABSENT
    assert {row.case_id: row.in_context for row in found.rows}["arden-long"] is False


def test_two_who_want_it_at_once_search_once(store, run):
    reports = []
    with ThreadPoolExecutor(2) as pool:
        ends = pool.map(
            lambda number: find_evidence_of_run(
                store, run.id, progress=lambda stage, done, total, item="": reports.append((number, done))
            ),
            range(2),
        )
        assert list(ends) == [True, True]
    assert len({number for number, _ in reports}) == 1


@pytest.mark.slow
def test_two_sessions_start_one_job(store, run):
    with ThreadPoolExecutor(2) as pool:
        started = list(pool.map(lambda _: start_search(store, run.id, actor=ACTOR).id, range(2)))
    assert started[0] == started[1]
    assert jobs.wait(store, started[0], seconds=LONG_ENOUGH).state is JobState.FINISHED
    assert missing(store, run) == []
    assert search_job(store, run).id == started[0]


@pytest.mark.slow
@pytest.mark.parametrize(("moment", "kept"), [("3:before", 2), ("3:within", 2), ("3:after", 3)])
def test_a_killed_search_goes_on_where_it_was(store, run, moment, kept):
    job = jobs.start(
        store,
        project_id=run.project_id,
        kind=EVIDENCE,
        params={"run_id": run.id},
        actor=ACTOR,
        subject=run.id,
        command=held.command(f"{moment}:fact_evidence", "tests.support.processes.eager_search"),
    )
    until(lambda: stored(store) == kept and _said(job), "the search did not get so far")
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    until(lambda: jobs.get(store, job.id).state is JobState.INTERRUPTED, "the kill went unnoticed")
    assert stored(store) == kept
    assert diagnosis_rows(store, run.id, seconds=0.0).pending == 6 - kept
    mark(store)
    assert search_job(store, run).state is JobState.INTERRUPTED
    jobs.resume(store, job.id, ACTOR)
    assert jobs.wait(store, job.id, seconds=LONG_ENOUGH).state is JobState.FINISHED
    assert missing(store, run) == []
    assert len(marked(store, run)) == kept  # what was committed was not searched again


def _said(job):
    with open(job.log, encoding="utf-8") as log:
        return held.SAID in log.read()


@pytest.mark.slow
def test_a_run_looks_for_its_evidence_when_it_is_finished(store, bank, tmp_path):
    first = finished(store, bank[1].id, tmp_path / "a.jsonl")
    run = create_run(store, bank[1].id, actor=ACTOR, target=first.target)
    job = start_run(store, run.id, actor=ACTOR)
    assert follower(job.params).kind == EVIDENCE
    assert jobs.wait(store, job.id, seconds=LONG_ENOUGH).state is JobState.FINISHED
    assert (missing(store, run), missing(store, first)) == ([], FACTS)


def test_who_may_start_a_search_and_when(store, bank, run):
    ensure_member(store, run.project_id, "vera", Role.VIEWER, actor=ACTOR)
    with pytest.raises(Forbidden):
        start_search(store, run.id, actor="vera")
    with store.write(ACTOR, "test.state", project_id=run.project_id) as connection:
        runs.set_state(connection, run.id, RunState.RUNNING)
    with pytest.raises(Conflict, match="not finished"):
        start_search(store, run.id, actor=ACTOR)


@pytest.mark.slow
def test_the_estimate_grows_with_what_is_missing(store, run):
    with store.read() as connection:
        before = search_seconds(connection, evidence_of(connection, run))
    diagnosis_rows(store, run.id, ["arden-short"])
    with store.read() as connection:
        after = search_seconds(connection, evidence_of(connection, run))
    assert 0 < after < before < 2
    diagnosis_rows(store, run.id)
    with store.read() as connection:
        assert search_seconds(connection, evidence_of(connection, run)) == 0
