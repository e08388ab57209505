"""A code that documents put in words, by which it is known what the page of a record without the word lacks."""

from core.diagnosis.service.facts.search import FactSearch
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.databases.working_databases import rows_behind

TREES = ("Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Kapok", "Larch")
CHURCHES = [f"{tree} Church" for tree in TREES]
STATES = {church: ("PLY", "SIL")[place % 2] for place, church in enumerate(CHURCHES)}
WORDS = {"PLY": "playable", "SIL": "silent"}
SCRIPT = (
    "CREATE TABLE organ (church TEXT PRIMARY KEY, state_cd TEXT, stops INTEGER);"
    + "INSERT INTO organ VALUES "
    + ", ".join(f"('{church}', '{STATES[church]}', {20 + place})" for place, church in enumerate(CHURCHES))
    + ";"
)


def asked(church: str) -> TestCase:
    return TestCase(
        case_id=church,
        question=f"What is the state code of organ '{church}'?",
        reference_answers=(STATES[church],),
        group_id=church,
        sql="SELECT organ.state_cd FROM organ WHERE organ.church = :p0",
        sql_template_id="state",
        sql_params={"p0": church},
        tables=("organ",),
        attributes={"asks_for": "organ.state_cd", "operation": "look-up"},
    )


def page(church: str, *, state: bool = True) -> Document:
    said = f" The instrument is {WORDS[STATES[church]]} at present." if state else ""
    stops = 20 + CHURCHES.index(church)
    return Document(id=church, title=church, text=f"The organ of {church} has {stops} stops.{said}")


def test_a_page_without_the_word_of_a_known_code_is_a_gap(tmp_path):
    """All other pages say "playable" or "silent": this one would, if it said anything of the state."""
    pages = [page(church, state=church != "Cedar Church") for church in CHURCHES]
    with rows_behind(sqlite_file(tmp_path / "organs.sqlite", SCRIPT)) as behind:
        search = FactSearch(pages, {}, [asked(church) for church in CHURCHES], behind)
        assert search.find([asked("Alder Church")]).evidence is FactEvidence.PRESENT
        assert search.find([asked("Cedar Church")]).evidence is FactEvidence.ABSENT
