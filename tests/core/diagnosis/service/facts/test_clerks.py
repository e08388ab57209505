"""Documents as clerks write them, of four trades and two authors: what they state is not missing or contradicted.

Amounts in words, dates without a year, codes spelled out, records called by a part of their name. Whoever wrote them
had not seen the search; the insurer and the ferry line were read while its rules were made, the others measured first.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from core.diagnosis.service.facts.preparing import rivals_of, siblings_of
from core.diagnosis.service.facts.search import FactSearch
from core.domain.identity import short_hash
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from core.sources.corpus.loading import load_corpus
from tests.support.databases.working_databases import rows_behind

pytestmark = pytest.mark.slow

WORLDS = Path(__file__).parent / "clerks"
ASKED = re.compile(r"SELECT (?:DISTINCT )?(?:\w+\.)?\"?(\w+)\"? FROM", re.IGNORECASE)


def case_of(fact):
    column = ASKED.match(fact["sql"])
    return TestCase(
        case_id=fact["id"],
        question=fact["question"],
        reference_answers=(fact["reference"],),
        group_id=fact["id"],
        sql=fact["sql"],
        sql_params=fact["params"],
        sql_template_id=short_hash(fact["sql"]),
        attributes={"asks_for": f"{fact['table']}.{column[1]}"} if column else {},
    )


@pytest.fixture(scope="module", params=["harbour", "seed_bank", "insurer", "ferry_line"])
def found(request, tmp_path_factory):
    """How often facts that are stated, missing, contradicted or vague were found to be what."""
    world = json.loads((WORLDS / f"{request.param}.json").read_text(encoding="utf-8"))
    folder = tmp_path_factory.mktemp(request.param)
    with closing(sqlite3.connect(folder / "data.sqlite")) as db:
        db.executescript("\n".join(world["database"]))
    (folder / "documents").mkdir()
    for name, text in world["documents"].items():
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    documents: tuple[Document, ...] = load_corpus(folder / "documents").documents
    cases = {fact["id"]: case_of(fact) for fact in world["facts"]}
    rivals = rivals_of((case.sql_template_id, case.sql_params) for case in cases.values())
    with rows_behind(f"sqlite:///{folder / 'data.sqlite'}") as behind:
        search = FactSearch(documents, rivals, siblings_of({name: [case] for name, case in cases.items()}), behind)
        return Counter((fact["status"], search.find([cases[fact["id"]]]).evidence) for fact in world["facts"])


def test_what_clerks_state_is_hardly_ever_missing_and_never_contradicted(found):
    stated = sum(times for (status, _), times in found.items() if status == "stated")
    assert found["stated", FactEvidence.CONTRADICTED] == 0
    assert found["stated", FactEvidence.ABSENT] <= 0.06 * stated
    assert found["stated", FactEvidence.PRESENT] >= 0.4 * stated


def test_nothing_is_found_that_no_document_states(found):
    assert [found[status, FactEvidence.PRESENT] for status in ("absent", "contradicted", "vague")] == [0, 0, 0]


def test_what_no_document_tells_is_missing_or_undecided(found):
    missing, unclear = found["absent", FactEvidence.ABSENT], found["absent", FactEvidence.UNDECIDED]
    assert found["absent", FactEvidence.CONTRADICTED] == 0
    assert missing >= 0.35 * (missing + unclear)
