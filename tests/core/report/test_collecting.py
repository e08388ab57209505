"""The report of a run is the store's: the same numbers, said completely, and the same each time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from core.criteria.judging import criterion_results
from core.criteria.service import criterion, lock_criteria, save_criteria
from core.diagnosis import diagnose
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.projects import Source, SourceKind
from core.domain.sources.schema import Schema
from core.domain.sources.schema import Table as SchemaTable
from core.project.service import create_project
from core.report.collect.sections.saying import drawn
from core.report.collecting import ReportOptions, collect
from core.report.content import Chart, Facts, Listing, Number, Paragraph, Table, Tone
from core.report.outline import SECTIONS
from core.report.record import as_json, as_text, of_json
from core.runs.execute import execute_run
from core.runs.scores.summary import metric_summaries
from core.runs.service import create_run
from core.runs.summary import summarise
from core.store import sources, tables
from core.store.results import runs
from core.weakness.findings.service import findings
from tests.support.runs.mixed_run import mixed_run, mixed_set
from tests.support.small_bank import ACTOR

DAY = ReportOptions(date="2026-11-23")


def table(content, name):
    for section in content.every_section():
        for block in section.blocks:
            found = block.table if isinstance(block, Chart) else block
            if isinstance(found, Table) and name in (found.id, getattr(block, "id", "")):
                return found
    raise AssertionError(f"no table {name}")


def texts(content) -> Iterator[str]:
    for section in content.every_section():
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield block.text
            elif isinstance(block, Listing):
                yield from block.points


@pytest.mark.slow
def test_its_numbers_are_those_of_the_engine(store, bank_run):
    content = collect(store, bank_run.id, DAY)
    summary = summarise(store, bank_run.id)
    rows = diagnosis_rows(store, bank_run.id)
    figures = diagnose(rows.rows, known_ids=rows.known_ids).figures
    accuracy = summary.accuracy
    shown = table(content, "headline").rows[0][1]
    expected = (accuracy.value, accuracy.low, accuracy.high, accuracy.den, accuracy.num)
    assert (shown.value, shown.low, shown.high, shown.n, shown.num) == expected
    assert content.figures["accuracy"] == accuracy.as_json()
    for metric in metric_summaries(store, bank_run.id):
        assert content.figures["metrics"][metric.name]["mean"] == metric.mean.as_json()
    counted = table(content, "attribution")
    whole = dict(zip(counted.columns[1:], counted.rows[0][1:], strict=True))
    assert sum(whole.values()) == summary.cases
    assert whole["Correct"] == accuracy.num
    assert content.figures["diagnosis"]["attribution"] == {
        str(part): count for part, count in figures.attribution.items()
    }
    assert [one["id"] for one in content.findings] == [one.id for one in findings(store, bank_run.id)]


@pytest.mark.slow
def test_the_same_store_gives_the_same_record_but_for_its_date(store, bank_run):
    first = collect(store, bank_run.id, DAY)
    assert as_text(collect(store, bank_run.id, DAY)) == as_text(first)
    later = as_json(collect(store, bank_run.id, ReportOptions(date="2027-01-02")))
    assert {name for name, value in as_json(first).items() if later[name] != value} == {"date"}


@pytest.mark.slow
def test_the_record_reads_back_as_it_was(store, bank_run):
    content = collect(store, bank_run.id, DAY)
    assert of_json(json.loads(as_text(content))) == content
    with pytest.raises(InvalidInput, match="schema"):
        of_json({"schema": "plumbline.report/99"})


@pytest.mark.slow
def test_each_section_is_there_and_says_what_is_missing_and_which_step_makes_it(store, bank_run):
    content = collect(store, bank_run.id, DAY)
    assert [section.key for section in content.every_section()] == [section.key for section in SECTIONS]
    assert [section.number for section in content.sections] == list(range(1, len(SECTIONS)))
    missing = [
        block.text
        for section in content.every_section()
        for block in section.blocks
        if isinstance(block, Paragraph) and block.tone is Tone.MISSING
    ]
    for page in ("Overview page", "Robustness page", "Safety page", "Label page", "Calibrate page", "Topics page"):
        assert any(page in text for text in missing), page


@pytest.mark.slow
def test_limitations_name_what_was_not_done_and_cannot_be_left_out(store, bank_run):
    content = collect(store, bank_run.id, ReportOptions(date="2026-11-23", off=frozenset({"safety", "diagnosis"})))
    assert content.section("safety") is None
    assert content.left_out == ("Diagnosis", "Safety")
    assert [section.number for section in content.sections] == list(range(1, len(SECTIONS) - 2))
    said = " ".join(texts(content))
    assert "Safety: nothing was checked" in said
    assert "No person labelled an answer" in said
    for off in ("limitations", "summary", "weather"):
        with pytest.raises(InvalidInput):
            collect(store, bank_run.id, ReportOptions(off=frozenset({off})))


def test_a_run_without_one_answer_still_has_a_report_that_says_so(store, bank_run):
    planned = create_run(store, bank_run.test_set_id, actor=ACTOR, target="bm25", options={"k": 1})
    content = collect(store, planned.id, DAY)
    shown = table(content, "headline").rows[0][1]
    assert (shown.value, shown.n) == (None, 0)
    said = " ".join(texts(content))
    assert "No answer is judged" in said
    assert "not asked yet" in said
    assert execute_run(store, planned.id, actor=ACTOR)


@pytest.mark.slow
def test_the_verdict_is_that_of_the_acceptance_criteria(store, bank_run):
    project_id = bank_run.project_id
    save_criteria(
        store, project_id, [criterion("accuracy", 0.01), criterion("accuracy", 1.0, bound="lower bound")], actor=ACTOR
    )
    lock_criteria(store, project_id, actor=ACTOR)
    results = criterion_results(store, bank_run.id)
    content = collect(store, bank_run.id, DAY)
    shown = table(content, "criteria")
    assert len(shown.rows) == len(results) == 2
    for row, result in zip(shown.rows, results, strict=True):
        assert isinstance(row[1], Number)
        assert row[1].value == result.estimate.value
        assert row[2].startswith(result.verdict.value)
    # On page one what holds of every criterion is said once.
    assert shown.columns == ("Criterion", "Measured", "Result")
    assert {result.standing for result in results} == {"set after this run was started"}
    assert shown.note == "Each of them: set after this run was started."
    verdict = content.summary.blocks[0]
    assert verdict.tone is Tone.WARNING
    assert verdict.text.startswith("Not met: 1 of 2")


def test_criteria_that_were_entered_after_the_run_are_said_so_in_the_verdict(store, bank_run):
    save_criteria(store, bank_run.project_id, [criterion("accuracy", 0.01)], actor=ACTOR)
    with store.write(ACTOR, "test", project_id=bank_run.project_id) as connection:
        early = (datetime.fromisoformat(bank_run.created_at) - timedelta(hours=1)).isoformat()
        connection.execute(tables.runs.update().values(created_at=early))
    verdict = collect(store, bank_run.id, DAY).summary.blocks[0]
    assert verdict.tone is Tone.WARNING
    assert verdict.text == (
        "The acceptance criterion is met, but it was entered or changed after the run was started, when its results "
        "could be known."
    )


def test_what_is_asked_for_wrongly_is_refused(store, bank_run):
    with pytest.raises(NotFound):
        collect(store, "run_0")
    with pytest.raises(InvalidInput, match="no date"):
        collect(store, bank_run.id, ReportOptions(date="tomorrow"))
    with pytest.raises(NotFound):
        collect(store, bank_run.id, ReportOptions(calibration_id="cal_0"))


@pytest.mark.slow
def test_other_projects_leave_a_report_as_it_is(store, bank_run):
    before = as_text(collect(store, bank_run.id, DAY))
    create_project(store, "Another", ACTOR)
    with store.read() as connection:
        assert runs.get(connection, bank_run.id)
    assert as_text(collect(store, bank_run.id, DAY)) == before


def test_questions_from_documents_are_named_in_the_diagnosis(store):
    project = create_project(store, "Two origins", ACTOR)
    mixed_set(store, project.id)
    counted = table(collect(store, mixed_run(store, project.id).id, DAY), "attribution")
    assert [row[0] for row in counted.rows] == ["all questions", "short", "long", "from documents"]


def test_questions_of_two_origins_are_told_apart_with_their_numbers(store):
    project = create_project(store, "Two origins", ACTOR)
    both = mixed_set(store, project.id)
    assert drawn(both) == (
        "4 questions were made from 1 SQL template filled with rows of the database (2 filled queries, limited to 100 "
        "questions, drawn with seed 0); the reference answers of these are query results. 2 questions were written "
        "from passages of the documents and approved by people; the reference answers of these are from those passages."
    )
    assert drawn(both) in list(texts(collect(store, mixed_run(store, project.id).id, DAY)))
    written = replace(both, counts={"document_questions": {"Simple": 1, "Yes or no": 2}})
    assert drawn(written).startswith("Written from passages of the documents")
    filled = replace(both, counts={name: both.counts[name] for name in ("sql_templates", "sql_queries", "questions")})
    assert drawn(filled).endswith("drawn with seed 0); the reference answers are query results.")


def test_a_view_that_nobody_asks_about_is_no_table_of_the_database(store):
    project = create_project(store, "Two origins", ACTOR)
    mixed_set(store, project.id)
    names = {"branch": {}, "region": {}, "v_count": {"view": True, "asked": False}, "v_asked": {"view": True}}
    schema = Schema(
        dialect="sqlite",
        fingerprint="f",
        tables=tuple(SchemaTable(name=name, rows=3, columns=(), **more) for name, more in names.items()),
    )
    kind, at = SourceKind.DATABASE, "sqlite:///bank.sqlite"
    source = Source(id="src_db", project_id=project.id, kind=kind, name="bank.sqlite", location=at, schema=schema)
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        sources.put(connection, source)
    told = table(collect(store, mixed_run(store, project.id).id, DAY), "tables")
    assert told.title == "Tables of the database that questions read: 1 of 3"
    assert told.note == "2 tables are read by no question: region, v_asked."


def test_the_system_is_named_by_its_address_and_its_settings_by_their_file(store):
    project = create_project(store, "Two origins", ACTOR)
    mixed_set(store, project.id)
    file = "localhost_8699-b5bc257272a87ad9.yaml"
    content = collect(store, mixed_run(store, project.id, target=f"http:/srv/data/targets/{file}").id, DAY)
    told = {fact.name: fact.cell for section in content.every_section() for fact in facts_of(section)}
    assert told["Asked as"] == "A system over HTTP (localhost:8699)"
    assert told["System"] == "localhost:8699, judged by match"
    assert (told["Target"], told["Settings of the target"]) == ("localhost:8699", file)
    assert "/srv/data" not in as_text(content)


def facts_of(section):
    return [fact for block in section.blocks if isinstance(block, Facts) for fact in block.facts]
