"""Findings that people write while reading answers, and the cases in them."""

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.results.findings import FindingKind, Severity
from core.store.trail import audit
from core.weakness import WeaknessOptions
from core.weakness.findings.cases import (
    LONGEST_TITLE,
    add_case,
    findings_of_case,
    remove_case,
    write_finding,
    written_findings,
)
from core.weakness.findings.search import FindingSearch
from core.weakness.findings.service import finding, findings, record_findings
from tests.support.weakness.planted_run import ACTOR, planted_run
from tests.support.weakness.planted_table import planted_table


@pytest.fixture
def run(store):
    return planted_run(store, planted_table(lambda topic, kind, _: 2 if (topic, kind) == ("loans", "number") else 8))


def cases_of(store):
    from core.store.testset import testsets

    with store.read() as connection:
        from core.store.results import runs

        return [case.case_id for case in testsets.cases(connection, runs.get(connection, "run_1").test_set_id)]


def test_a_person_writes_a_finding_and_fills_it_case_by_case(store, run):
    first, second, *_ = cases_of(store)
    made = write_finding(store, "run_1", "  Closed  fees are quoted ", [first], severity="high", actor=ACTOR)
    assert (made.kind, made.text, made.severity) == (FindingKind.WRITTEN, "Closed fees are quoted", Severity.HIGH)
    assert add_case(store, made.id, second, actor=ACTOR).case_ids == (first, second)
    assert finding(store, made.id).case_ids == (first, second)
    assert [one.id for one in findings_of_case(store, "run_1", second)] == [made.id]
    assert remove_case(store, made.id, first, actor=ACTOR).case_ids == (second,)
    assert findings_of_case(store, "run_1", first) == ()
    with store.read() as connection:
        assert audit.verify(connection).ok


def test_a_search_leaves_what_a_person_wrote(store, run):
    case_id = cases_of(store)[0]
    made = write_finding(store, "run_1", "Mine", [case_id], actor=ACTOR)
    quick = FindingSearch(slices=False, clusters=False)
    record_findings(store, "run_1", "verdict", WeaknessOptions(), ACTOR, search=quick)
    assert finding(store, made.id) == made
    assert [one.id for one in written_findings(store, "run_1")] == [made.id]


def test_a_finding_of_a_search_takes_no_case_from_a_person(store, run):
    quick = FindingSearch(slices=False, clusters=False)
    record_findings(store, "run_1", "verdict", WeaknessOptions(), ACTOR, search=quick)
    searched = findings(store, "run_1")[0]
    with pytest.raises(InvalidInput, match="search made"):
        add_case(store, searched.id, cases_of(store)[-1], actor=ACTOR)


@pytest.mark.parametrize("title", ["", "  ", "x" * (LONGEST_TITLE + 1)])
def test_a_finding_has_a_title_of_one_line(store, run, title):
    with pytest.raises(InvalidInput, match="title"):
        write_finding(store, "run_1", title, [], actor=ACTOR)


def test_what_is_there_or_not_there_is_refused(store, run):
    case_id = cases_of(store)[0]
    made = write_finding(store, "run_1", "Fees", [case_id], actor=ACTOR)
    with pytest.raises(Conflict, match="already"):
        write_finding(store, "run_1", "fees", [case_id], actor=ACTOR)
    with pytest.raises(Conflict, match="already"):
        add_case(store, made.id, case_id, actor=ACTOR)
    with pytest.raises(NotFound):
        add_case(store, made.id, "no-such-case", actor=ACTOR)
    with pytest.raises(NotFound):
        write_finding(store, "run_1", "Other", ["no-such-case"], actor=ACTOR)
    with pytest.raises(InvalidInput, match="severity"):
        write_finding(store, "run_1", "Other", [case_id], severity="grave", actor=ACTOR)
    with pytest.raises(Forbidden):
        write_finding(store, "run_1", "Other", [case_id], actor="stranger")
