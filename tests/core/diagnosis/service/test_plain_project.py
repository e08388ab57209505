"""A plain project with questions of every kind, nothing planted: no module is accused falsely, and few are left out.

The pages know which value stands where, and so which cause each wrong answer has.
"""

from __future__ import annotations

import pytest

from core.diagnosis.service.blame import blame_of
from core.domain.results.diagnosis import Attribution
from core.domain.testset.cases import LOOK_UP, OPERATION
from core.store.results import runs
from core.store.testset import testsets
from tests.support.documents.clinic import clinic_database, clinic_pages
from tests.support.runs.plain_project import finished_run, plain_project

pytestmark = pytest.mark.slow

MOST_UNDECIDED = 0.15
NOWHERE = ("blood group", "tel number", "telephone", "mfr", "manufacturer", "tel no")
COUNTED = (Attribution.CORRECT, Attribution.NOT_JUDGED)


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    path = tmp_path_factory.mktemp("clinic") / "clinic.sqlite"
    return clinic_database(path), clinic_pages(path)


def test_a_stranger_s_clinic(store, clinic, tmp_path):
    address, pages = clinic
    test_set = plain_project(store, address, pages.documents, tmp_path / "documents")
    run = finished_run(store, test_set)
    blames = blame_of(store, run.id)
    with store.read() as connection:
        cases = testsets.cases(connection, test_set.id)
        responses = runs.responses(connection, run.id)
    wrong = [case for case in cases if blames[case.case_id].module not in COUNTED]
    undecided = [case for case in wrong if blames[case.case_id].module is Attribution.UNDECIDED]
    assert len(wrong) >= 150
    assert {case.attributes[OPERATION] for case in wrong} > {LOOK_UP, "count", "comparison", "total"}
    assert len(undecided) <= MOST_UNDECIDED * len(wrong)

    falsely = []
    for case in wrong:
        table, _, column = case.attributes.get("asks_for", "").lower().rpartition(".")
        own = [gold for gold in case.gold_document_ids if gold.startswith(f"{table}:")]
        if case.attributes[OPERATION] != LOOK_UP or len(case.gold_document_ids) != 1 or not own:
            continue
        stating = pages.said.get((table, own[0].partition(":")[2], column), set())
        retrieved = {context.document_id for context in responses[case.case_id].contexts}
        expected = (
            Attribution.KNOWLEDGE_GAP
            if not stating
            else Attribution.LANGUAGE_MODEL
            if stating & retrieved
            else Attribution.RETRIEVAL
        )
        if blames[case.case_id].module not in (expected, Attribution.UNDECIDED):
            falsely.append((case.question, str(expected), str(blames[case.case_id].module)))
    assert falsely == []
    # Every value of these columns stands on some page: what two pages say together is no gap.
    gaps = {case.question for case in wrong if blames[case.case_id].module is Attribution.KNOWLEDGE_GAP}
    assert gaps
    assert not [question for question in gaps if not any(word in question for word in NOWHERE)]
