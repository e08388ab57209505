"""The sample bank: its planted personal data, stale page and contradiction between pages are found, nothing else is."""

import json

import pytest

from core.domain.sources.documents import Document
from core.installation import SAMPLE_DATA
from core.safety.documents.contradictions import contradicting_pages
from core.safety.documents.stale import stale_pages
from core.safety.privacy import About, find_personal_data
from core.sources.corpus.duplicates import find_duplicates
from core.sources.corpus.loading import load_corpus

PLANTED = json.loads((SAMPLE_DATA / "planted.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def documents():
    return load_corpus(SAMPLE_DATA / "documents").documents


@pytest.mark.slow
def test_the_planted_personal_data_are_all_that_is_a_persons(documents):
    (planted,) = PLANTED["personal_data"]
    personal = {
        (document.id, finding.value)
        for document in documents
        for finding in find_personal_data(document.text)
        if finding.about is About.PERSON
    }
    assert personal == {(planted["document"], planted[name]) for name in ("name", "iban", "phone", "email")}


def test_the_other_telephone_numbers_are_those_of_the_branches(documents):
    others = [
        document.id
        for document in documents
        for finding in find_personal_data(document.text)
        if finding.about is not About.PERSON
    ]
    assert len(others) == 14
    assert all(name.startswith(("branch:", "archive/")) for name in others)


def test_the_planted_stale_page_is_the_only_one(documents):
    (planted,) = PLANTED["stale_pages"]
    (page,) = stale_pages(documents)
    assert (page.document_id, page.dated) == (planted["document"], planted["updated"])
    assert len(page.reasons) == 2


def test_the_stale_page_contradicts_the_page_of_its_branch_and_no_other_pages_do(documents):
    (planted,) = PLANTED["stale_pages"]
    (pair,) = contradicting_pages(documents)
    assert {pair.first, pair.second} == {planted["document"], f"branch:{planted['key']}"}
    assert {pair.first_value, pair.second_value} == {planted["document_value"], planted["database_value"]}


def test_no_page_of_the_bank_repeats_another(documents):
    assert find_duplicates(documents) == ()


@pytest.mark.slow
def test_a_copy_and_another_number_in_the_same_sentence_are_found(documents):
    page = next(document for document in documents if document.id == "branch:6")
    copy = Document(id="copy", title=page.title, text=page.text.replace("190 lockers", "150 lockers"))
    assert [(group.kept, [name for name, _ in group.near]) for group in find_duplicates([*documents, copy])] == [
        ("branch:6", ["copy"])
    ]
    (number,) = [one for one in contradicting_pages([page, copy]) if one.what.startswith("number")]
    assert (number.first_value, number.second_value) == ("190", "150")


def test_things_that_their_titles_tell_apart_by_a_number_do_not_contradict_each_other():
    """Parts of a set differ; two years of one guide may be an old page and its successor."""

    def pages(first, second):
        return [
            Document(id=name, title=title, text=f"{title} has {number} tracks by several artists of the label.")
            for name, title, number in (("a", first, 12), ("b", second, 15))
        ]

    assert contradicting_pages(pages("Chill Brazil Disc 1", "Chill Brazil Disc 2")) == []
    assert len(contradicting_pages(pages("Travel insurance guide 2021", "Travel insurance guide 2024"))) == 1
