"""What pages say in words of their own: nothing paid, a count, cents on the way, a parent named by the way, a grade."""

import pytest

from core.diagnosis.computed.search import RowReader
from core.diagnosis.service.facts.search import FactSearch
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.reading import Source, read
from core.judging.facts.subjects import Rivals
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.databases.working_databases import rows_behind

BOATS = [f"{name}-{place}" for place, name in enumerate(("Alca", "Brant", "Cygnus", "Dunlin", "Eider", "Fulmar"), 10)]
BOATS += [f"{name}-{place}" for place, name in enumerate(("Gannet", "Heron", "Ibis", "Knot", "Loon", "Merganser"), 20)]
FEES = [(place % 4) * 37.45 for place in range(len(BOATS))]
CREWS = [place % 5 + 1 for place in range(len(BOATS))]
GRADES = [place % 4 + 1 for place in range(len(BOATS))]
IN_WORDS = ("excellent", "good", "fair", "poor")
NUMBERS = ("a single sailor", "two sailors", "three sailors", "four sailors", "five sailors")
SCRIPT = (
    "CREATE TABLE boat (name TEXT PRIMARY KEY, fee_cents INTEGER, crew INTEGER, hull INTEGER, sister TEXT);"
    + "INSERT INTO boat VALUES "
    + ", ".join(
        f"('{name}', {round(FEES[at] * 100)}, {CREWS[at]}, {GRADES[at]}, '{BOATS[at - 1]}')"
        for at, name in enumerate(BOATS)
    )
    + ";"
)
COLUMNS = {
    "fee": ("ROUND(fee_cents / 100.0, 2)", "How high is the fee of the boat '{}'?", FEES),
    "crew": ("crew", "How many sailors does the boat '{}' have?", CREWS),
    "hull": ("hull", "What is the hull of the boat '{}'?", GRADES),
}


def asked(column: str, at: int) -> TestCase:
    selected, question, values = COLUMNS[column]
    answer = f"{values[at]:.2f}" if column == "fee" else str(values[at])
    return TestCase(
        case_id=f"{column} {at}",
        question=question.format(BOATS[at]),
        reference_answers=(answer,),
        group_id=f"{column} {at}",
        sql=f"SELECT {selected} FROM boat WHERE boat.name = :p0",
        sql_template_id=column,
        sql_params={"p0": BOATS[at]},
        tables=("boat",),
        attributes={"asks_for": f"boat.{column}", "operation": "look-up"},
    )


def page(at: int) -> Document:
    euros, cents = divmod(round(FEES[at] * 100), 100)
    fee = f"The fee came to {euros} euros and {cents} cents." if FEES[at] else "Nothing was paid for the berth."
    text = (
        f"The papers call this one {BOATS[at]}. It is a sister of {BOATS[at - 1]}, and lies in the old harbour. "
        f"The yard found its planks to be {IN_WORDS[GRADES[at] - 1]}. {fee} It sails with {NUMBERS[CREWS[at] - 1]}."
    )
    return Document(id=f"sheet {at}", title=f"Sheet {at}", text=text)


@pytest.fixture(scope="module")
def search(tmp_path_factory):
    cases = [asked(column, at) for column in COLUMNS for at in range(len(BOATS))]
    with rows_behind(sqlite_file(tmp_path_factory.mktemp("boats") / "boats.sqlite", SCRIPT)) as behind:
        yield FactSearch([page(at) for at in range(len(BOATS))], {}, cases, behind)


@pytest.mark.parametrize("column", ["fee", "crew"])
def test_what_is_stated_is_found_behind_the_name_of_another_one(search, column):
    found = [search.find([asked(column, at)]).evidence for at in range(len(BOATS))]
    stated = [evidence for evidence, fee in zip(found, FEES, strict=True) if column == "crew" or fee]
    assert set(stated) == {FactEvidence.PRESENT}


def test_nothing_paid_is_no_gap(search):
    free = [search.find([asked("fee", at)]).evidence for at, fee in enumerate(FEES) if not fee]
    assert FactEvidence.ABSENT not in free
    assert FactEvidence.CONTRADICTED not in free


def test_a_grade_in_words_is_undecided_and_no_contradiction(search):
    found = {search.find([asked("hull", at)]).evidence for at in range(len(BOATS))}
    assert found == {FactEvidence.UNDECIDED}


def test_a_page_about_another_one_that_only_names_it_says_nothing_of_it():
    """A pronoun that means the new subject is no mention by the way."""
    rivals = Rivals(("Oak House", "Ash House", "Elm House"))
    text = "By the river stands Oak House. It rains. Ash House lost its roof in the storm of 1990. It has 12 rooms."
    fact = Fact.of(["12"], ["Oak House"], ["How many rooms does 'Oak House' have?"], [rivals])
    assert read(fact, [Source.of(Document(id="1", title="Villas", text=text))]).stated == []


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Oak House has no rooms.", True),
        ("Oak House: no two rooms are alike in its 12 rooms.", False),
        ("Oak House has no fewer rooms than the twelve of 1900.", False),
        ("Oak House has not a single room to let.", False),
    ],
)
def test_none_is_told_of_what_is_asked_and_of_nothing_else(text, states):
    fact = Fact.of(["0"], ["Oak House"], ["How many rooms does 'Oak House' have?"])
    assert bool(read(fact, [Source.of(Document(id="1", title="Villas", text=text))]).stated) is states


def test_an_amount_for_some_or_beside_another_is_not_nothing():
    fact = Fact.of(["0.00"], ["Oak House"], ["How high is the fee of 'Oak House'?"])
    for text in (
        "Oak House: the fee is not free of charge.",
        "The fee of Oak House is 12 euros; no charge for guides.",
    ):
        assert read(fact, [Source.of(Document(id="1", title="Villas", text=text))]).stated == []


@pytest.mark.parametrize("said", ["350 grams", "0.35 kg", "3500 grams"])
def test_a_weight_that_a_page_gives_in_a_smaller_unit_is_behind_a_comparison(tmp_path, said):
    """The row has 0.35 under ``weight_kg``; a page that says 3500 grams does not state it."""
    script = (
        "CREATE TABLE prop (id INTEGER PRIMARY KEY, name TEXT, weight_kg REAL);"
        "INSERT INTO prop VALUES (1, 'Lamp', 0.35), (2, 'Sword', 1.2);"
    )
    behind = rows_behind(sqlite_file(tmp_path / "props.sqlite", script))
    case = TestCase(
        case_id="c",
        question="Which prop is heavier, Lamp or Sword?",
        reference_answers=("Sword",),
        group_id="g",
        sql=(
            "SELECT CASE WHEN a.weight_kg > b.weight_kg THEN a.name ELSE b.name END FROM prop AS a JOIN prop AS b "
            "ON a.id < b.id AND a.weight_kg <> b.weight_kg WHERE a.name = :p0 AND b.name = :p1"
        ),
        sql_template_id="t",
        sql_params={"p0": "Lamp", "p1": "Sword"},
        tables=("prop",),
        attributes={"operation": "which of two"},
    )
    pages = [
        Document(id="1", title="Lamp", text=f"The lamp stands on the desk. The Lamp came to {said} on the scales."),
        Document(id="2", title="Sword", text="The Sword weighs 1200 grams."),
    ]
    with behind:
        needed = behind.rows_of(case)
        assert needed is not None
        assert RowReader(FactIndex(pages)).states(needed) is (said != "3500 grams")
