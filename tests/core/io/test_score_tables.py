"""Scores and labels from files."""

import csv
import math

import numpy as np
import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.labels import LabelRule
from core.io.score_tables import Columns, read_score_table


@pytest.fixture
def table(tmp_path):
    def read(rows, labels=("human",), scores=("score",), accept_from=None, rule=LabelRule.MEDIAN, **columns):
        path = tmp_path / "data.csv"
        names = list(dict.fromkeys(name for row in rows for name in row))
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)
        return read_score_table(
            path, Columns(scores=scores, labels=labels, **columns), accept_from=accept_from, rule=rule
        )

    return read


def rows(labels, **more):
    return [
        {"score": place / 10, "human": label, **{name: values[place] for name, values in more.items()}}
        for place, label in enumerate(labels)
    ]


@pytest.mark.parametrize(
    ("labels", "levels"),
    [
        (["0", "1", "1"], [0, 1, 1]),
        (["true", "False", "TRUE"], [1, 0, 1]),
        (["pass", "fail", "Pass"], [1, 0, 1]),
        (["1.0", "0.0", ""], [1, 0, math.nan]),
        (["yes", "n/a", "no"], [1, math.nan, 0]),
        (["accept", "cannot judge", "reject"], [1, math.nan, 0]),
    ],
)
def test_labels_of_two_levels(table, labels, levels):
    found = table(rows(labels))
    assert found.labels.tolist() == pytest.approx(levels, nan_ok=True)
    assert (found.levels, found.accept_from) == (("0", "1"), 1)


def test_a_scale_is_read_by_its_levels_and_accepted_from_its_middle(table):
    found = table(rows(["1", "4", "2", "3", ""]))
    assert found.labels.tolist() == pytest.approx([0, 3, 1, 2, math.nan], nan_ok=True)
    assert (found.levels, found.accept_from) == (("1", "2", "3", "4"), 2)
    assert table(rows(["1", "4", "2", "3"]), accept_from=4).accept_from == 3
    with pytest.raises(InvalidInput, match="all labels on one side"):
        table(rows(["1", "4", "2", "3"]), accept_from=1)


def test_means_of_raters_become_accepted_or_not(table):
    with pytest.raises(InvalidInput, match=r"different values, such as 1\.5") as caught:
        table(rows(["1.5", "3.5", "3", "2.67"]))
    assert "--accept-from" in caught.value.hint
    found = table(rows(["1.5", "3.5", "3", "2.67"]), accept_from=3)
    assert found.labels.tolist() == [0, 1, 1, 0]
    assert found.levels == ("0", "1")


def test_several_raters_give_their_majority(table):
    given = rows(["1", "0", "1", "", "1"], second=["1", "1", "0", "", ""], third=["0", "", "1", "", ""])
    found = table(given, labels=("human", "second", "third"))
    assert found.labels.tolist() == pytest.approx([1, math.nan, 1, math.nan, 1], nan_ok=True)
    assert found.ratings.shape == (3, 5)


RATERS = ("human", "second", "third")


def test_three_raters_of_a_scale_with_a_cut_off_never_tie(table):
    # Levels 1 to 4, accepted from 3: three different levels, of which two lie on one side.
    given = rows(["1", "4", "1", "3"], second=["2", "3", "1", "3"], third=["4", "1", "4", "4"])
    median = table(given, labels=RATERS)
    assert (median.labels.tolist(), median.accept_from, median.undecided) == ([1, 2, 0, 2], 2, 0)
    majority = table(given, labels=RATERS, rule=LabelRule.MAJORITY)
    assert (majority.labels.tolist(), majority.undecided) == ([1, 2, 0, 2], 0)
    # Means are 2.33, 2.67, 2 and 3.33: a mean is the highest level it reaches.
    mean = table(given, labels=RATERS, rule=LabelRule.MEAN)
    assert mean.labels.tolist() == [1, 1, 1, 2]
    # Accepted from 2.5 on, a mean of 2.67 is accepted.
    assert table(given, labels=RATERS, rule=LabelRule.MEAN, accept_from=2.5).labels.tolist() == [1, 2, 1, 2]
    # What raters said stays as it is, whatever is made of it.
    assert median.ratings.tolist() == mean.ratings.tolist() == [[1, 4, 1, 3], [2, 3, 1, 3], [4, 1, 4, 4]]
    assert (median.rule, table(given).rule) == (LabelRule.MEDIAN, None)


def test_raters_who_give_shares_are_cut_after_they_are_combined(table):
    given = rows(["0.2", "0.9", "0.45"], second=["0.6", "0.8", "0.9"], third=["0.7", "0.1", "0.4"])
    assert table(given, labels=RATERS, accept_from=0.5).labels.tolist() == [1, 1, 0]
    assert table(given, labels=RATERS, accept_from=0.5, rule=LabelRule.MEAN).labels.tolist() == [1, 1, 1]
    assert table(given, labels=RATERS, accept_from=0.5).ratings[0].tolist() == [0.2, 0.9, 0.45]


def test_yes_and_no_have_no_mean(table):
    given = rows(["1", "0"], second=["1", "1"])
    with pytest.raises(InvalidInput, match="have no mean") as caught:
        table(given, labels=("human", "second"), rule=LabelRule.MEAN)
    assert "median" in caught.value.hint
    assert table(given, rule=LabelRule.MEAN).labels.tolist() == [1, 0]


def test_scores_that_are_missing_are_not_0(table):
    given = [{"score": "", "human": "1"}, {"score": "nan", "human": "0"}, {"score": "0.5", "human": "1"}]
    assert np.isnan(table(given).scores[:, 0]).tolist() == [True, True, False]
    with pytest.raises(InvalidInput, match="Row 1: score is 'high'"):
        table([{"score": "high", "human": "1"}])
    with pytest.raises(InvalidInput, match="Row 1: score is 'inf'"):
        table([{"score": "inf", "human": "1"}])


def test_clusters_groups_and_the_draw(table):
    given = rows(
        ["1", "0", "1"], task=["a", "a", ""], topic=["x", "", "y"], drawn=["random", "no", "true"], p=[0.5, 0.25, 1]
    )
    found = table(given, cluster="task", group="topic", random="drawn", probability="p")
    assert found.clusters == ("a", "a", "row 2")
    assert found.groups == ("x", "(none)", "y")
    assert found.random.tolist() == [True, False, True]
    assert found.weights.tolist() == [2.0, 4.0, 1.0]
    named = table(rows(["1", "0"], group_id=["g", "g"]))
    assert named.clusters == ("g", "g")
    assert named.weights is None
    # What rows are grouped by is not what they come from, and a column called group may hold three kinds of rows.
    assert table(rows(["1", "0"], group_id=["g", "g"]), group="group_id").clusters == ("row 0", "row 1")
    assert table(rows(["1", "0"], group=["g", "g"])).cluster == ""


@pytest.mark.parametrize("chance", ["0", "1.5", "", "-1"])
def test_an_impossible_chance_is_refused(table, chance):
    with pytest.raises(InvalidInput, match="chance between 0 and 1"):
        table(rows(["1"], p=[chance] if chance else [""]) + rows(["0"], p=["0.5"]), probability="p")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["", ""], "no column .human. with a value"),
        (["n/a", ""], "No row has a label"),
        (["good-ish", "1"], "'good-ish' is not understood"),
    ],
)
def test_labels_that_say_nothing_are_refused(table, labels, said):
    with pytest.raises(InvalidInput, match=said):
        table([{"score": "1", "human": label, "x": "1"} for label in labels] + [{"score": "2", "x": "1", "human": ""}])


def test_a_column_that_is_not_there_is_refused(table):
    with pytest.raises(InvalidInput, match="no column 'topic'") as caught:
        table(rows(["1", "0"]), group="topic")
    assert "human, score" in caught.value.hint


def test_a_draw_that_is_not_understood_is_refused(table):
    with pytest.raises(InvalidInput, match="drawn is 'perhaps'"):
        table(rows(["1"], drawn=["perhaps"]), random="drawn")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UnreadableFile):
        read_score_table(tmp_path / "none.csv", Columns(scores=("s",), labels=("l",)))


def test_rows_that_were_looked_at_without_one_label_are_counted(table):
    found = table(
        rows(["1", "1", "", "cannot judge", "0"], other=["1", "0", "", "", "cannot judge"]), labels=("human", "other")
    )
    # A tie and one that nobody could judge; the empty row was not looked at, and the last has one rating.
    assert found.undecided == 2
    assert found.labels.tolist() == pytest.approx([1, math.nan, math.nan, math.nan, 0], nan_ok=True)


def test_the_word_that_is_not_understood_is_named(table):
    with pytest.raises(InvalidInput, match="The label 'partially correct' is not understood"):
        table(rows(["correct", "partially correct", "incorrect"]))
