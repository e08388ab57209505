"""Links check themselves: nothing odd in a URL goes further than this record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from pages.ui.state import Link


def test_a_link_is_read_and_written_without_its_defaults():
    query = {"project": "prj_1", "run": "run_2", "verdict": "incorrect", "page": "3", "search": "a & b", "utm": "x"}
    link = Link.from_query(query)
    assert (link.run, link.verdict, link.page, link.search, link.form) == ("run_2", "incorrect", 3, "a & b", "")
    assert link.as_query() == {name: value for name, value in query.items() if name != "utm"}


@pytest.mark.parametrize(
    "query",
    [
        {"run": "../../etc/passwd"},
        {"run": "<script>"},
        {"case": "x" * 81},
        {"project": "a b"},
        {"verdict": "Correct"},
        {"page": "0"},
        {"page": "-1"},
        {"page": "1e9"},
        {"page": "٣٣٣٣٣٣٣٣٣"},
        {"page": "99999999"},
        {"search": "x" * 201},
    ],
)
def test_what_cannot_be_is_refused_with_a_next_step(query):
    with pytest.raises(InvalidInput) as refused:
        Link.from_query(query)
    assert refused.value.hint
    assert len(refused.value.message) < 200


@given(st.dictionaries(st.sampled_from(["project", "run", "page", "verdict", "search", "view", "other"]), st.text()))
def test_any_query_is_a_link_or_is_refused(query):
    try:
        link = Link.from_query(query)
    except InvalidInput:
        return
    assert Link.from_query(link.as_query()) == link
