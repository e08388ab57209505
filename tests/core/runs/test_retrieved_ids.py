"""A system's names for documents, and the project's own."""

from core.domain.results.responses import Context, Response
from core.domain.sources.document_ids import KnownDocuments
from core.domain.testset.cases import TestCase
from core.runs.retrieved_ids import under_own_ids
from core.targets.trial.doubts import doubts_of

CASE = TestCase(case_id="c1", question="?")
ADDRESSES = ("https://help.example/fees/cards.html", "https://help.example/gone.html", "7")
PASSAGES = tuple(Context(document_id=name, text=f"of {name}") for name in ADDRESSES)


def answered(documents):
    return under_own_ids(lambda case: Response(case_id=case.case_id, answer="Yes", contexts=PASSAGES), documents)(CASE)


def test_a_document_named_by_its_address_is_the_file_that_lies_there():
    response = answered(KnownDocuments(["fees/cards.html", "7"]))
    assert response.document_ids == ("fees/cards.html", "https://help.example/gone.html", "7")
    assert [passage.text for passage in response.contexts] == [passage.text for passage in PASSAGES]


def test_without_documents_ids_stay_as_they_came():
    assert answered(None).document_ids == ADDRESSES


def test_addresses_of_documents_raise_no_doubt():
    response = Response(case_id="c1", answer="Yes", contexts=PASSAGES[:1])
    assert doubts_of([response], KnownDocuments(["fees/cards.html"])) == []
    assert "no document of the project has" in doubts_of([response], KnownDocuments(["fees/loans.html"]))[0]
