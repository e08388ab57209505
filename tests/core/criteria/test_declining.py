"""Declines told apart by what the documents are known to state."""

from __future__ import annotations

import pytest

from core.criteria.declining import Declined, by_documents
from core.diagnosis import Attribution
from core.diagnosis.service.blame import Blame


@pytest.mark.parametrize(
    ("module", "part"),
    [
        (Attribution.RETRIEVAL, Declined.STATED),
        (Attribution.LANGUAGE_MODEL, Declined.STATED),
        (Attribution.KNOWLEDGE_GAP, Declined.NOT_STATED),
        (Attribution.UNDECIDED, Declined.NOT_KNOWN),
        (Attribution.UNRESOLVED_GAP, Declined.NOT_KNOWN),
        (Attribution.NOT_JUDGED, Declined.NOT_KNOWN),
        (Attribution.CORRECT, Declined.NOT_KNOWN),
    ],
)
def test_each_module_says_what_the_documents_state(module, part):
    table = by_documents(["a"], {}, {"a": Blame(module=module, reason="")})
    assert table.cases[part] == ("a",)
    assert (table.total, table.known) == (1, int(part is not Declined.NOT_KNOWN))


def test_what_is_still_to_be_searched_is_not_known():
    blames = {"a": Blame(module=Attribution.KNOWLEDGE_GAP, reason="", pending=True)}
    table = by_documents(["a", "b"], {}, blames)
    assert table.cases[Declined.NOT_KNOWN] == ("a", "b")
    assert (table.known, table.pending) == (0, 1)


def test_shares_are_of_all_declines_and_count_clusters():
    gap, language = (Blame(module=one, reason="") for one in (Attribution.KNOWLEDGE_GAP, Attribution.LANGUAGE_MODEL))
    blames = {"a": gap, "b": gap, "c": language}
    table = by_documents(["a", "b", "c"], {"a": "g", "b": "g", "c": "h"}, blames)
    assert {part: (share.num, share.den) for part, share in table.shares.items()} == {
        Declined.STATED: (1, 3),
        Declined.NOT_STATED: (2, 3),
        Declined.NOT_KNOWN: (0, 3),
    }


def test_nothing_declined():
    table = by_documents([], {}, {})
    assert (table.total, table.known, table.shares[Declined.STATED].value) == (0, 0, None)
