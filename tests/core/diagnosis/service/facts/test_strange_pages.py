"""Pages of shapes that the search was not made with: what they state is not called missing, and what is gone is."""

from collections import Counter

import pytest

from core.diagnosis.service.facts.preparing import rivals_of, siblings_of
from core.diagnosis.service.facts.search import FactSearch
from core.domain.sources.evidence import FactEvidence
from tests.support.databases.working_databases import questions_and_pages
from tests.support.documents.university import university_database, university_pages

pytestmark = pytest.mark.slow

OWN = ("lecturer", "student", "course", "programme")
"""Tables whose records have a page each."""


@pytest.fixture(scope="module")
def university(tmp_path_factory):
    """The facts of the questions that the rules ask, and the pages."""
    path = tmp_path_factory.mktemp("university") / "university.sqlite"
    cases, _ = questions_and_pages(university_database(path), templates=60, facts=200, seed=3)
    groups = {}
    for case in cases:
        groups.setdefault(case.group_id, []).append(case)
    return groups, university_pages(path).documents


def found_in(documents, groups):
    rivals = rivals_of((members[0].sql_template_id, members[0].sql_params) for members in groups.values())
    search = FactSearch(documents, rivals, siblings_of(groups))
    return {group_id: search.find(members).evidence for group_id, members in groups.items()}


def test_nothing_that_the_pages_state_is_missing_or_contradicted(university):
    groups, documents = university
    found = Counter(found_in(documents, groups).values())
    assert sum(found.values()) == 200
    assert found[FactEvidence.ABSENT] == found[FactEvidence.CONTRADICTED] == 0
    assert found[FactEvidence.PRESENT] >= 0.8 * 200


def test_what_stood_on_one_page_is_missing_when_it_is_gone(university):
    """The pages of half of the records go, and the pages that repeat what they say."""
    groups, documents = university
    gone = {page.id for page in documents if page.id.startswith(OWN) and int(page.id.partition(":")[2]) % 2}
    left = [page for page in documents if page.id not in gone and not page.id.startswith(("department", "scholarship"))]
    found = found_in(left, groups)
    ids = {group_id: set(members[0].gold_document_ids) for group_id, members in groups.items()}
    of_one = [group_id for group_id, gold in ids.items() if len(gold) == 1 and gold <= gone]
    verdicts = Counter(found[group_id] for group_id in of_one)
    assert len(of_one) >= 30
    assert verdicts[FactEvidence.ABSENT] >= 0.9 * len(of_one), verdicts
    assert verdicts[FactEvidence.CONTRADICTED] == 0
    kept = [
        group_id for group_id, gold in ids.items() if gold and not gold & gone and gold <= {page.id for page in left}
    ]
    assert not [group_id for group_id in kept if found[group_id] is FactEvidence.ABSENT]
