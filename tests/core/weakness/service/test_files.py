"""Scored rows of a file as a table of weakness."""

import json

import numpy as np
import pytest

from core.domain.errors import InvalidInput
from core.weakness.binning import Binning
from core.weakness.service.files import read_weakness_file


def read_weakness_table(path, metric, **options):
    return read_weakness_file(path, metric, **options).table


def written(tmp_path, rows, name="rows.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def levels(table, name):
    attribute = table.attribute(name)
    return [attribute.levels[code] if code >= 0 else None for code in attribute.codes]


def test_words_numbers_and_nothing(tmp_path):
    cells = [1, 0, True, False, "pass", "Failed", "0.5", "", None, "n/a", "nan"]
    path = written(tmp_path, [{"score": cell, "team": "ab"[place % 2]} for place, cell in enumerate(cells)])
    found = read_weakness_table(path, "score")
    np.testing.assert_array_equal(found.score.values, [1, 0, 1, 0, 1, 0, 0.5, *[np.nan] * 4])
    assert (found.score.low, found.score.high, found.score.higher_is_better) == (0.0, 1.0, True)
    assert levels(found, "team") == [*"abababababa"]
    assert found.case_ids[0] == "row 1"
    assert found.clusters.tolist() == list(range(11))


def test_bounds_and_the_better_side(tmp_path):
    rows = [{"delay": 0.5 + place, "wasserstein": place / 10, "team": "ab"[place % 2]} for place in range(4)]
    path = written(tmp_path, rows)
    delay = read_weakness_table(path, "delay", lower_is_better=True).score
    assert (delay.low, delay.high, delay.higher_is_better) == (None, None, False)
    # A metric we know says itself that less is better.
    assert not read_weakness_table(path, "wasserstein").score.higher_is_better


def test_rows_that_share_a_source(tmp_path):
    rows = [
        {"score": 1, "group_id": f"g{place // 2}", "pair": place % 2, "team": "ab"[place % 2]} for place in range(6)
    ]
    path = written(tmp_path, rows)
    assert read_weakness_table(path, "score").clusters.tolist() == [0, 0, 1, 1, 2, 2]
    found = read_weakness_table(path, "score", cluster="pair")
    assert found.clusters.tolist() == [0, 1, 0, 1, 0, 1]
    assert {attribute.name for attribute in found.attributes} == {"team"}


def test_what_is_an_attribute(tmp_path):
    rows = [
        {
            "score": place % 2,
            "case_id": f"c{place}",
            "question": "Why?" if place % 2 else "How?",
            "own": f"own {place}",
            "team": "ab"[place % 2],
            "tables": ["city", "branch"] if place % 2 else ["city"],
            "contexts": [{"text": "x"}],
            "passages": [{"text": "x"}],
            "verdict": place % 2,
            "groundedness": place % 2,
            "groundedness_status": "scored",
            "attributes": {"topic": "fees" if place < 3 else "", "team": "inner"},
            "size": place,
        }
        for place in range(60)
    ]
    found = read_weakness_table(written(tmp_path, rows), "score")
    assert {attribute.name for attribute in found.attributes} == {"team", "tables", "size"}
    assert levels(found, "team")[:2] == ["a", "b"]  # the row's own column, not the nested one
    assert levels(found, "tables")[:2] == ["city", "city, branch"]
    assert len(found.attribute("size").levels) == 4
    assert found.case_ids[:2] == ("c0", "c1")
    named = read_weakness_table(written(tmp_path, rows), "score", attributes=["own", "topic", "verdict"])
    assert len(named.attribute("own").levels) == 60
    assert levels(named, "topic")[:4] == ["fees"] * 3 + [None]
    assert levels(named, "verdict")[:2] == ["0", "1"]


def test_bins(tmp_path):
    path = written(tmp_path, [{"score": 1, "size": place, "team": "ab"[place % 2]} for place in range(10)])
    assert len(read_weakness_table(path, "score", attributes=["size"]).attribute("size").levels) == 10
    by_hand = read_weakness_table(path, "score", bins={"size": Binning(kind="edges", edges=(3.0,))})
    assert by_hand.attribute("size").levels == ("3 or less", "4 or more")
    with pytest.raises(InvalidInput, match="team is not a number and has no bins"):
        read_weakness_table(path, "score", bins={"team": Binning()})


def test_what_is_refused(tmp_path):
    path = written(tmp_path, [{"score": "fine", "team": "a"}])
    with pytest.raises(InvalidInput, match="Row 1: score is 'fine', which is no number"):
        read_weakness_table(path, "score")
    infinite = written(tmp_path, [{"score": "inf", "team": "a"}], "inf.jsonl")
    with pytest.raises(InvalidInput, match="Row 1"):
        read_weakness_table(infinite, "score")
    for wrong in ({"attributes": ["colour"]}, {"cluster": "colour"}, {"bins": {"colour": Binning()}}):
        with pytest.raises(InvalidInput, match="has no column 'colour' with a value"):
            read_weakness_table(path, "score", **wrong)


def test_columns_that_are_passed_over_are_named_with_the_reason(tmp_path):
    rows = [
        {
            "score": place % 2,
            "case_id": f"c{place}",
            "question": f"Why {place}?",
            "own": f"own {place}",
            "same": "x",
            "team": "ab"[place % 2],
            "passages_used": [{"text": "x"}],
            "groundedness": place % 2,
            "groundedness_status": "scored",
            "group_id": f"g{place}",
            "query_tag": f"t{place}",
            "attributes": {"topic": "fees" if place < 3 else "loans", "owner": "Ann"},
            "empty": None,
        }
        for place in range(60)
    ]
    path = written(tmp_path, rows)
    assert read_weakness_file(path, "score").ignored == {
        "question": "question is not looked at here.",
        "own": "It has 60 values in 60 rows.",
        "same": "It has the same value in all rows.",
        "passages_used": "Its cells are no texts and no numbers.",
        "groundedness": "It belongs to a score.",
        "groundedness_status": "It belongs to a score.",
        "query_tag": "group_id is taken for group_id in rows that have both.",
        "owner": "It has the same value in all rows.",
        "empty": "It has no value.",
    }
    named = read_weakness_file(path, "score", attributes=["own", "score"], cluster="query_tag").ignored
    assert "own" not in named
    assert "query_tag" not in named
    assert "score" not in named
    assert "group_id" in named


def test_an_empty_column_of_a_table_is_named_too(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("score,team,remark\n1,a,\n0,b,\n1,a,\n0,b,\n")
    assert read_weakness_file(path, "score").ignored == {"remark": "It has no value."}
