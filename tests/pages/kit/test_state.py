"""Links check themselves: nothing odd in a URL goes further than this record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from pages.kit import state
from pages.kit.state import links
from pages.kit.state.links import Link


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
        {"search": "x" * 201},
        {"metric": "Groundedness"},
        {"sort": "precision@0"},
        {"columns": "mrr,<b>"},
        {"columns": ",".join(f"m{place}" for place in range(links.MOST_COLUMNS + 1))},
        {"low": "nan"},
        {"high": "1e400"},
        {"low": "٣"},
        {"alpha": "a tenth"},
        {"threshold": "1e400"},
        {"round": "<b>"},
        {"place": "0"},
        {"place": "٣"},
        {"rater": "x" * 201},
        {"score": "chance:<b>"},
        {"score": "Verdict"},
        {"score": "chance:"},
        {"where": "topic"},
        {"bins": "length=q0"},
        {"bins": "length=8,x"},
        {"bins": "length"},
        {"where": "a=1&b=2&c=3&d=4&e=5"},
        {"a": "x" * 1_001},
        {"by": "x" * 201},
        {"q": "a tenth"},
        {"effect": "1e400"},
    ],
)
def test_what_cannot_be_is_refused_with_a_next_step(query):
    with pytest.raises(InvalidInput) as refused:
        Link.from_query(query)
    assert refused.value.hint
    assert len(refused.value.message) < 200


@pytest.mark.parametrize("page", ["0", "-9", "1e9", "٣٣٣", "99999999", "1000001", ""])
def test_a_page_that_cannot_be_is_the_first(page):
    assert Link.from_query({"project": "prj_1", "page": page}) == Link(project="prj_1")


def test_a_list_that_was_emptied_names_nothing():
    assert Link.from_query({"columns": ","}).metrics == ()


def test_metrics_of_other_tools_are_named_in_links():
    link = Link.from_query({"metric": "ragas.faithfulness", "columns": "plumbline.recall@5,mrr"})
    assert link.metrics == ("plumbline.recall@5", "mrr")
    with pytest.raises(InvalidInput):
        Link.from_query({"metric": "a.b.c"})


def test_metric_columns_are_named_once_in_the_order_asked_for():
    link = Link.from_query({"columns": "mrr,precision@5,,mrr", "low": "-0.25", "sort": "precision@5"})
    assert link.metrics == ("mrr", "precision@5")


@pytest.mark.parametrize(
    "score", ["verdict", "precision@5", "ragas.faithfulness", "chance:cal_0123456789ab", "label:crt_0123456789ab"]
)
def test_a_score_is_the_verdict_a_metric_a_calibrated_chance_or_a_label(score):
    assert Link.from_query({"score": score}).score == score


def test_filters_keep_every_sign_of_a_level_and_name_an_attribute_once():
    link = Link.from_query({"where": "topic=Loans+%26+credit%3D%25&form=short&topic=Cards"})
    assert link.filters == (("topic", "Cards"), ("form", "short"))
    assert Link(where="topic=Loans+%26+credit%3D%25").filters == (("topic", "Loans & credit=%"),)


@given(st.floats(allow_nan=False))
def test_any_number_a_person_enters_makes_a_link(value):
    Link(low=state.written(value))


NAMES = ["project", "run", "page", "verdict", "search", "view", "metric", "columns", "low", "other", "score", "where"]


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(NAMES), st.text()))
def test_any_query_is_a_link_or_is_refused(query):
    try:
        link = Link.from_query(query)
    except InvalidInput:
        return
    assert Link.from_query(link.as_query()) == link


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("http://localhost:8501/label", "http://localhost:8501"),
        ("http://localhost:8501", "http://localhost:8501"),
        ("https://host.example/tools/plumbline/test-set?view=x", "https://host.example/tools/plumbline"),
        ("https://host.example/tools/plumbline/", "https://host.example/tools/plumbline"),
    ],
)
def test_the_address_of_the_server_is_that_of_a_page_without_the_page(url, server):
    assert state.server_of(url) == server
