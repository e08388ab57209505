"""What stands nowhere is missing only where documents have it of other records in a form that can be read."""

import sqlite3
from contextlib import closing

import pytest

from core.diagnosis.service.facts.search import FactSearch
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from tests.support.databases.working_databases import rows_behind

GROUNDS = {
    "Old Ground": ("1858-06-12", "the first sod was turned on the twelfth of June, fifty-eight"),
    "Quaker Corner": ("1871-04-02", "Friends were laid there from the spring of seventy-one"),
    "Urn Terrace": ("1968-03-25", "urns came in the last week of March, the year before the moon"),
    "Woodland": ("2004-05-15", "trees and graves since mid May oh-four"),
}


@pytest.fixture
def cemetery(tmp_path):
    path = tmp_path / "cemetery.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE ground (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, opened DATE)")
        rows = [(number, name, day) for number, (name, (day, _)) in enumerate(GROUNDS.items(), 1)]
        db.executemany("INSERT INTO ground VALUES (?, ?, ?)", rows)
        db.commit()
    return f"sqlite:///{path}"


def evidence(address, told):
    """What documents say of when the Woodland was opened."""
    case = TestCase(
        case_id="c",
        question="When was the Woodland opened?",
        reference_answers=("2004-05-15",),
        group_id="g",
        sql='SELECT "opened" FROM "ground" WHERE "name" = :p0',
        sql_params={"p0": "Woodland"},
        sql_template_id="opened",
        gold_document_ids=("ground:4",),
        tables=("ground",),
        attributes={"asks_for": "ground.opened"},
    )
    pages = [Document(id=f"{name}.md", title="", text=f"{name}: {text}. 3 rows.") for name, text in told.items()]
    with rows_behind(address) as behind:
        return FactSearch(pages, {}, [case], behind).find([case]).evidence


def test_what_is_told_in_words_that_cannot_be_read_is_not_missing(cemetery):
    assert evidence(cemetery, {name: text for name, (_, text) in GROUNDS.items()}) is FactEvidence.UNDECIDED


def test_where_other_records_have_it_as_it_is_written_it_is_missing(cemetery):
    told = {name: f"opened on {day}" for name, (day, _) in GROUNDS.items()} | {"Woodland": "trees and graves"}
    assert evidence(cemetery, told) is FactEvidence.ABSENT


def test_where_no_document_names_the_record_it_is_missing(cemetery):
    told = {name: text for name, (_, text) in GROUNDS.items() if name != "Woodland"}
    assert evidence(cemetery, told) is FactEvidence.ABSENT


def test_it_does_not_hang_on_which_record_is_asked_about_first(tmp_path):
    """5 may stand on any page by chance, 1,340 does not."""
    path = tmp_path / "jobs.sqlite"
    lasted = {"Vault door": 1340, "North hedge": 5, "Bell frame": 960, "South gate": 8}
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE job (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, minutes INTEGER)")
        db.executemany("INSERT INTO job VALUES (?, ?, ?)", [(n, *row) for n, row in enumerate(lasted.items(), 1)])
        db.commit()
    pages = [Document(id=f"{name}.md", title="", text=f"{name}: took the 2 of us all day.") for name in lasted]
    cases = [
        TestCase(
            case_id=name,
            question=f"How many minutes did the job '{name}' take?",
            reference_answers=(str(minutes),),
            group_id=name,
            sql='SELECT "minutes" FROM "job" WHERE "name" = :p0',
            sql_params={"p0": name},
            sql_template_id="minutes",
            gold_document_ids=(f"job:{number}",),
            tables=("job",),
            attributes={"asks_for": "job.minutes"},
        )
        for number, (name, minutes) in enumerate(lasted.items(), 1)
    ]

    def found(order):
        with rows_behind(f"sqlite:///{path}") as behind:
            search = FactSearch(pages, {}, cases, behind)
            return {case.case_id: search.find([case]).evidence for case in order}

    assert found(cases) == found(cases[::-1])
