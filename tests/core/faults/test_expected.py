"""What a wrong answer should be called: the first broken link of the chain."""

import pytest

from core.domain.results.responses import Context, Response
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Document
from core.faults.expected import expected_causes
from core.faults.kinds import Cause, FaultKind
from core.faults.planting import PlantedFault

PASSAGE = "The manager of Loan Arden is Ines Okoro."
PAGES = {
    "home": Document(id="home", title="", text=f"One page.\n\n{PASSAGE}"),
    "copy": Document(id="copy", title="", text="Ines Okoro manages Loan Arden.\nIt is open."),
    "other": Document(id="other", title="", text="Loan Belmont."),
}
DELETED, CHANGED, MOVED = FaultKind.PAGE_DELETED, FaultKind.VALUE_CHANGED, FaultKind.VALUE_MOVED
READER, RETRIEVAL = FaultKind.READER, FaultKind.RETRIEVAL


def retrieved(*contexts):
    return Response(case_id="c", answer="It is Tom Birch.", contexts=contexts)


def whole(*names):
    return retrieved(*(Context(document_id=name, text=PAGES[name].text) for name in names))


def expected(kinds, response, *, repeated=(), before=None):
    fault = PlantedFault(
        kind=kinds[0],
        also=tuple(kinds[1:]),
        group_id="g",
        document_ids=("home",),
        before=PASSAGE,
        after=PASSAGE,
        repeated=repeated,
    )
    return expected_causes(fault, response, before or whole("other"), PAGES, KnownDocuments(PAGES))


@pytest.mark.parametrize(
    ("kinds", "names", "repeated", "cause"),
    [
        # The knowledge first: whatever the search and the reader do.
        ([CHANGED], ["home"], (), Cause.CONTRADICTION),
        ([DELETED, READER], ["other"], (), Cause.KNOWLEDGE_GAP),
        # Another page states the fact still: the search, then the reader.
        ([DELETED, READER], ["other"], ("copy",), Cause.RETRIEVAL),
        ([DELETED, READER], ["copy"], ("copy",), Cause.READER),
        ([MOVED, RETRIEVAL], ["other"], ("home",), Cause.RETRIEVAL),
        ([MOVED, READER], ["other"], ("home",), Cause.RETRIEVAL),
        ([MOVED, READER], ["home"], ("home",), Cause.READER),
        ([RETRIEVAL, READER], ["other"], ("home", "copy"), Cause.RETRIEVAL),
        # A reader in a mix, whose page the fault of another fact hides.
        ([READER], ["copy"], ("home",), Cause.RETRIEVAL),
    ],
)
def test_the_first_broken_link_is_the_cause(kinds, names, repeated, cause):
    assert expected(kinds, whole(*names), repeated=repeated) == (cause,)


@pytest.mark.parametrize("second", [READER, RETRIEVAL])
def test_a_changed_value_that_the_answer_does_not_come_from_may_be_called_missing(second):
    assert expected([CHANGED, second], whole("other")) == (Cause.CONTRADICTION, Cause.KNOWLEDGE_GAP)


def test_a_reader_with_the_passages_of_the_right_answer_is_the_readers_also_where_no_id_is_told():
    told_nothing = retrieved()
    assert expected([READER], told_nothing, repeated=("home",), before=told_nothing) == (Cause.READER,)


def test_a_page_that_was_retrieved_without_the_passage_may_be_called_either():
    part = retrieved(Context(document_id="home", text="One page."))
    assert expected([MOVED], part, repeated=("home",)) == (Cause.RETRIEVAL, Cause.READER)
    # The passage with other white space is the passage; a target that tells only ids is believed.
    spaced = retrieved(Context(document_id="home", text=PASSAGE.replace(" ", "\n ")))
    assert expected([MOVED], spaced, repeated=("home",)) == (Cause.READER,)
    assert expected([MOVED], retrieved(Context(document_id="home")), repeated=("home",)) == (Cause.READER,)
    # Another page is known to hold the fact only as a whole.
    part_of_copy = retrieved(Context(document_id="copy", text="It is open."))
    assert expected([MOVED], part_of_copy, repeated=("home", "copy")) == (Cause.RETRIEVAL, Cause.READER)
