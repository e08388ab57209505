"""Findings: stored, found again, decided on, and gone."""

from dataclasses import replace

import pytest

from core.domain.errors import Conflict, NotFound
from core.domain.results.findings import Finding, FindingKind, FindingStatus, Severity, finding_id
from core.project.service import delete_project
from core.store.people import findings
from tests.support.stores import with_run


@pytest.fixture
def filled(store):
    with_run(store, 3)
    return store


def finding(number, **changes):
    new = Finding(
        id=f"fnd_{number}",
        project_id="prj_1",
        run_id="run_1",
        kind=FindingKind.CELL,
        score="verdict",
        conditions=(("topic", f"topic {number}"), ("form", "long")),
        text="Questions about loans are answered correctly in 0.59.",
        figures={"mean": 0.59, "interval": (0.41, 0.75), "p": float("inf"), "nested": [{"n": 3, "none": None}]},
        case_ids=("c0", "c2"),
        severity=Severity.HIGH,
        options={"q": 0.1, "bins": {"length": {"kind": "edges", "edges": (1.0, 2.0)}}},
        created_at="2026-11-21T05:00:00+00:00",
        created_by="anna",
    )
    return replace(new, **changes)


def put(store, *rows):
    with store.write("anna", "findings.record", project_id="prj_1", subject="run_1") as connection:
        findings.put(connection, rows)


def of_run(store, **wanted):
    with store.read() as connection:
        return [item.id for item in findings.of_run(connection, "run_1", **wanted)]


def test_a_finding_reads_back_as_it_was(filled):
    stored = finding(1)
    put(filled, stored)
    with filled.read() as connection:
        read = findings.get(connection, "fnd_1")
        assert read.thread.startswith("thr_")  # given by the store
        assert read == replace(stored, thread=read.thread)
        with pytest.raises(NotFound, match="no finding fnd_9"):
            findings.get(connection, "fnd_9")


def test_they_are_listed_in_order_and_by_what_they_are(filled):
    put(
        filled,
        finding(2, kind=FindingKind.LEVEL),
        finding(1, status=FindingStatus.DISMISSED, score="groundedness"),
        finding(3, gone=True),
    )
    assert of_run(filled) == ["fnd_2", "fnd_1", "fnd_3"]
    assert of_run(filled, kind=FindingKind.LEVEL) == ["fnd_2"]
    assert of_run(filled, status=FindingStatus.DISMISSED) == ["fnd_1"]
    assert of_run(filled, score="groundedness") == ["fnd_1"]
    assert of_run(filled, gone=True) == ["fnd_3"]
    assert of_run(filled, gone=False) == ["fnd_2", "fnd_1"]
    with filled.read() as connection:
        assert findings.of_run(connection, "run_2") == []


def test_found_again_it_keeps_its_place(filled):
    put(filled, finding(1), finding(2))
    put(filled, finding(1, text="Other figures."))
    with filled.read() as connection:
        first, second = findings.of_run(connection, "run_1")
    assert (first.id, first.text, second.id) == ("fnd_1", "Other figures.", "fnd_2")


def test_a_decision_changes_only_what_belongs_to_people(filled):
    put(filled, finding(1))
    decided = replace(
        finding(1),
        text="Not stored.",
        severity=Severity.LOW,
        status=FindingStatus.ACCEPTED,
        owner="berta",
        comment="Known.",
        changed_at="2026-11-22T05:00:00+00:00",
        changed_by="anna",
    )
    with filled.write("anna", "finding.change", project_id="prj_1", subject="fnd_1") as connection:
        findings.decide(connection, decided)
    with filled.read() as connection:
        read = findings.get(connection, "fnd_1")
        assert read == replace(decided, text=finding(1).text, thread=read.thread)


def test_what_is_no_longer_found_is_marked(filled):
    put(filled, finding(1), finding(2))
    with filled.write("anna", "findings.record", project_id="prj_1") as connection:
        findings.mark_gone(connection, ["fnd_2"])
        findings.mark_gone(connection, [])
    assert of_run(filled, gone=True) == ["fnd_2"]


@pytest.mark.parametrize("wrong", ["run_id", "project_id"])
def test_a_finding_of_nothing_is_refused(filled, wrong):
    with pytest.raises(Conflict):
        put(filled, finding(1, **{wrong: "nothing"}))


@pytest.mark.slow
def test_findings_go_with_their_project(filled, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ACTOR", "anna")
    put(filled, finding(1))
    delete_project(filled, "prj_1", actor="anna")
    assert of_run(filled) == []


def test_an_id_tells_what_was_found_apart():
    cell = (("topic", "loans"), ("form", "long"))
    one = finding_id("run_1", "verdict", FindingKind.CELL, cell)
    assert one == finding_id("run_1", "verdict", FindingKind.CELL, cell[::-1])
    others = {
        finding_id("run_2", "verdict", FindingKind.CELL, cell),
        finding_id("run_1", "groundedness", FindingKind.CELL, cell),
        finding_id("run_1", "verdict", FindingKind.SLICE, cell),
        finding_id("run_1", "verdict", FindingKind.CELL, cell[:1]),
        finding_id("run_1", "verdict", FindingKind.CELL, (("topic", "form"), ("loans", "long"))),
        finding_id("run_1", "verdict", FindingKind.CELL, cell, 0.7),
    }
    assert len(others | {one}) == 7
