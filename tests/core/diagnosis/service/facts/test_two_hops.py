"""Facts of the record that a record refers to, in a table that refers to itself: organ builders and their teachers."""

import pytest

from core.diagnosis.service.facts.search import FactSearch
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.databases.working_databases import rows_behind

SCRIPT = """
CREATE TABLE builder (
    id INTEGER PRIMARY KEY, name TEXT UNIQUE, town TEXT, stops INTEGER, fee_cents INTEGER, born DATE,
    teacher_id INTEGER REFERENCES builder (id));
CREATE TABLE organ (code TEXT PRIMARY KEY, church TEXT UNIQUE, builder_id INTEGER REFERENCES builder (id));
CREATE TABLE visit (
    builder_id INTEGER REFERENCES builder (id), organ_code TEXT REFERENCES organ (code), hours INTEGER,
    PRIMARY KEY (builder_id, organ_code));
INSERT INTO builder VALUES
    (1, 'Otto Brandl', 'Lindau', 41, 30000, '1921-03-04', NULL),
    (2, 'Greta Sommer', 'Lindau', 28, 26000, '1950-07-19', 1),
    (3, 'Paul Reiter', 'Wels', 17, 26000, '1948-11-30', 2),
    (4, 'Ida Kern', 'Wels', 33, 19500, '1961-01-12', 3),
    (5, 'Max Thoma', 'Graz', 12, 41000, '1966-09-08', 1),
    (6, 'Rosa Winkler', 'Enns', 52, 22000, '1970-02-23', 5),
    (7, 'Jan Hruby', 'Steyr', 19, 24000, '1972-05-05', 6);
INSERT INTO organ VALUES ('O-11', 'Winkler Chapel', 4), ('O-12', 'Abbey of Melk', 2), ('O-13', 'Old Parish', 7);
INSERT INTO visit VALUES (4, 'O-13', 14), (3, 'O-13', 11), (7, 'O-12', 64), (6, 'O-12', 37);
"""
MORE = {
    "Otto Brandl": "He built organs with 41 stops. The fee was 300.00 euros. He was born on 4 March 1921.",
    "Greta Sommer": "Otto Brandl was the teacher. She builds organs with 28 stops. The fee is 260.00 euros.",
    "Paul Reiter": "Greta Sommer was the teacher. He builds organs with 17 stops. The fee is 260.00 euros.",
    "Ida Kern": "Paul Reiter was the teacher. She builds organs with 33 stops. The fee is 195.00 euros.",
    "Max Thoma": "Otto Brandl was the teacher. He builds organs with 12 stops. The fee is 410.00 euros.",
    "Rosa Winkler": "She builds organs with 52 stops. The fee is 220.00 euros.",
    "Jan Hruby": "Rosa Winkler was the teacher. The fee is 240.00 euros.",
}
TOWNS = {
    "Otto Brandl": "Lindau",
    "Greta Sommer": "Lindau",
    "Paul Reiter": "Wels",
    "Ida Kern": "Wels",
    "Max Thoma": "Graz",
}
TEACHER = 'SELECT "t".{column} FROM builder JOIN builder AS "t" ON builder.teacher_id = "t".id WHERE builder.name = :p0'
ORGAN = "SELECT builder.{column} FROM organ JOIN builder ON organ.builder_id = builder.id WHERE organ.church = :p0"
ASKED = {
    ("teacher", "town"): {"Greta Sommer": "Lindau", "Paul Reiter": "Lindau", "Ida Kern": "Wels", "Max Thoma": "Lindau"},
    ("teacher", "fee"): {"Greta Sommer": "300.00", "Paul Reiter": "260.00", "Ida Kern": "260.00"},
    ("organ", "stops"): {"Winkler Chapel": "33", "Abbey of Melk": "28", "Old Parish": "19"},
    ("organ", "town"): {"Winkler Chapel": "Wels", "Abbey of Melk": "Lindau", "Old Parish": "Steyr"},
}
ORGANS = [
    Document(id="o11", title="Winkler Chapel", text="The organ of the Winkler Chapel was made by Ida Kern."),
    Document(id="o12", title="Abbey of Melk", text="The organ of the Abbey of Melk was made by Greta Sommer."),
    Document(id="o13", title="Old Parish", text="The organ of the Old Parish was made by Jan Hruby."),
]


def page(name: str, **instead: str) -> Document:
    town = f"{name} lives in {TOWNS[name]}. " if name in TOWNS else f"{name} works for many churches. "
    text = instead.get("text", f"{town}{MORE[name]}")
    return Document(id=name.replace(" ", "-").lower(), title=name, text=f"# {name}\n\n{text}")


def asked(kind: str, column: str, subject: str) -> TestCase:
    noun = "teacher of the builder" if kind == "teacher" else "builder of the organ"
    name = "fee_cents" if column == "fee" else column
    return TestCase(
        case_id=f"{kind} {column} {subject}",
        question=f"What is the {column} of the {noun} '{subject}'?",
        reference_answers=(ASKED[kind, column][subject],),
        group_id=f"{kind} {column} {subject}",
        sql=(TEACHER if kind == "teacher" else ORGAN).format(column=name),
        sql_template_id=f"{kind} {column}",
        sql_params={"p0": subject},
        tables=("builder",) if kind == "teacher" else ("organ", "builder"),
        attributes={"asks_for": f"builder.{name}", "operation": "look-up"},
    )


@pytest.fixture
def diagnosed(tmp_path):
    """What the documents say of a fact, and whether passages state it."""
    address = sqlite_file(tmp_path / "organs.sqlite", SCRIPT)

    def diagnose(kind: str, column: str, subject: str, pages: list[Document], *passages: Document):
        case = asked(kind, column, subject)
        known = [asked(kind, column, other) for other in ASKED[kind, column]]
        contexts = tuple(Context(document_id=page.id, text=page.text) for page in passages)
        response = Response(case_id=case.case_id, answer="The documents do not say.", contexts=contexts)
        wrong = Score(case_id=case.case_id, metric=VERDICT_METRIC, value=0.0, status=Status.SCORED)
        with rows_behind(address) as behind:
            search = FactSearch(pages, {}, known, behind)
            finding, in_context = search.search([case], [case], {case.case_id: response}, {case.case_id: wrong})
        return finding, in_context[case.case_id]

    return diagnose


ALL = [page(name) for name in MORE]


@pytest.mark.parametrize("subject", ["Greta Sommer", "Ida Kern"])
def test_a_subjects_own_value_is_not_that_of_whom_it_refers_to(diagnosed, subject):
    """Greta and her teacher both live in Lindau; her page says it of herself."""
    teacher = {"Greta Sommer": "Otto Brandl", "Ida Kern": "Paul Reiter"}[subject]
    finding, in_context = diagnosed("teacher", "town", subject, ALL, page(subject))
    assert (finding.evidence, in_context) == (FactEvidence.PRESENT, False)
    finding, in_context = diagnosed("teacher", "town", subject, ALL, page(subject), page(teacher))
    assert (finding.evidence, in_context) == (FactEvidence.PRESENT, True)


def test_an_own_amount_is_not_that_of_whom_it_refers_to(diagnosed):
    """Paul and Greta both ask 260.00 euros, which the database keeps in cents."""
    finding, in_context = diagnosed("teacher", "fee", "Paul Reiter", ALL, page("Paul Reiter"))
    assert (finding.evidence, in_context) == (FactEvidence.PRESENT, False)


def test_a_page_that_says_it_of_the_other_record_states_it(diagnosed):
    """Where the subject's own page has the town of her teacher, nothing else is needed."""
    own = page("Greta Sommer", text="Greta Sommer lives in Lindau. Her teacher, Otto Brandl, lives in Lindau.")
    others = [one for one in ALL if one.title not in ("Greta Sommer", "Otto Brandl")]
    finding, in_context = diagnosed("teacher", "town", "Greta Sommer", [own, *others], own)
    assert (finding.evidence, in_context) == (FactEvidence.PRESENT, True)


def test_a_passage_that_only_points_to_the_record_does_not_state_its_value(diagnosed):
    """Max lives in Graz and learnt from Otto: his page shows nothing of where Otto lives."""
    stranger = page("Max Thoma", text="Max Thoma lives in Lindau. It was Otto Brandl who taught him.")
    pages = [page("Greta Sommer"), stranger, page("Paul Reiter"), page("Ida Kern")]
    finding, in_context = diagnosed("teacher", "town", "Greta Sommer", pages, page("Greta Sommer"), stranger)
    assert (finding.evidence, in_context) == (FactEvidence.ABSENT, False)


def test_amounts_in_cents_are_followed_link_by_link(diagnosed):
    """The two pages together state it: they did not where the amount is kept in cents, as the way was not known."""
    finding, in_context = diagnosed("teacher", "fee", "Ida Kern", ALL, page("Ida Kern"), page("Paul Reiter"))
    assert (finding.evidence, in_context) == (FactEvidence.PRESENT, True)
    finding, in_context = diagnosed("teacher", "fee", "Ida Kern", ALL, page("Paul Reiter"), page("Max Thoma"))
    assert (finding.evidence, in_context) == (FactEvidence.PRESENT, False)


def test_a_word_of_another_records_name_is_no_name_in_short(diagnosed):
    """Winkler is in the chapel's name; Rosa Winkler is somebody else, and Paul made nothing for the chapel."""
    pages = [
        *ORGANS,
        page("Rosa Winkler", text="Rosa Winkler is an organ builder whom Paul Reiter taught."),
        page("Paul Reiter", text="The town of Paul Reiter is Wels."),
        page("Greta Sommer", text="The town of Greta Sommer is Lindau."),
        page("Ida Kern", text="Ida Kern works for many churches."),
        page("Jan Hruby", text="The town of Jan Hruby is Steyr."),
    ]
    finding, _ = diagnosed("organ", "town", "Winkler Chapel", pages, ORGANS[0], pages[-2])
    assert finding.evidence is FactEvidence.ABSENT


def test_what_the_page_of_the_other_record_lacks_is_a_gap(diagnosed):
    """Jan's page is there and has no stops; what a table has of others' visits, and of his, says nothing of them."""
    pages = [*ALL, *ORGANS, Document(id="visits", title="Visits", text=VISITS)]
    assert diagnosed("organ", "stops", "Old Parish", pages, ORGANS[2])[0].evidence is FactEvidence.ABSENT


def test_a_link_that_is_missing_is_a_gap(diagnosed):
    """No page says who taught Ida; that both are on one list ties nobody."""
    ida = page("Ida Kern", text="Ida Kern lives in Wels. The fee is 195.00 euros.")
    listed = Document(id="visits", title="Visits", text=VISITS)
    pages = [*(one for one in ALL if one.title != "Ida Kern"), ida, listed]
    finding, in_context = diagnosed("teacher", "town", "Ida Kern", pages, ida, page("Paul Reiter"))
    assert (finding.evidence, in_context) == (FactEvidence.ABSENT, False)


def test_an_own_value_contradicts_nothing(diagnosed):
    """Paul lives in Wels, and his teacher in Lindau, which no page says."""
    pages = [
        page("Paul Reiter", text="Builder: Paul Reiter\nTeacher: Greta Sommer\nTown: Wels"),
        *(page(name) for name in ("Ida Kern", "Max Thoma")),
        page("Greta Sommer", text="Builder: Greta Sommer\nStops: 28"),
    ]
    finding: FactFinding = diagnosed("teacher", "town", "Paul Reiter", pages, pages[0])[0]
    assert finding.evidence is not FactEvidence.CONTRADICTED


VISITS = """# Visits

| Builder | Church | Hours |
|---|---|---|
| Ida Kern | Old Parish | 14 |
| Paul Reiter | Old Parish | 11 |
| Jan Hruby | Abbey of Melk | 64 |
| Rosa Winkler | Abbey of Melk | 37 |
"""
