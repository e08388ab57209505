"""Metrics by name."""

import pytest

from core.domain.errors import InvalidInput
from core.metrics import Family, MetricSpec, find_metric, find_metrics, list_metrics
from core.metrics.registry import metric, metric_at_k


def spec(**changes):
    return MetricSpec(
        **{
            "name": "one",
            "title": "One",
            "family": Family.BEHAVIOUR,
            "unit": "u",
            "needs": (),
            "question": "q",
            "equation": "e",
            "source": "s",
            **changes,
        }
    )


def test_metrics_are_found_by_walking_the_folders():
    names = [spec.name for spec in list_metrics()]
    assert len(names) == len(set(names))
    assert {"precision", "groundedness"} <= set(names)


def test_families_come_in_their_order():
    families = [spec.family for spec in list_metrics()]
    assert families == sorted(families, key=list(Family).index)


def test_a_cut_off_is_part_of_the_name():
    assert find_metric("precision@3").name == "precision@3"
    assert find_metric(" precision ").name == "precision"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bleu", "no metric 'bleu'"),
        ("", "no metric ''"),
        ("groundedness@3", "takes no cut-off"),
        ("precision@", "whole number"),
        ("precision@0", "whole number"),
        ("precision@x", "whole number"),
        ("precision@1001", "whole number"),
    ],
)
def test_what_names_no_metric_is_refused(name, said):
    with pytest.raises(InvalidInput, match=said):
        find_metric(name)


def test_each_is_taken_once_in_the_order_asked_for():
    assert [found.name for found in find_metrics(["recall", " precision", "recall", ""])] == ["recall", "precision"]
    with pytest.raises(InvalidInput, match="No metric is named"):
        find_metrics(["", " "])


def test_a_spec_says_how_its_function_is_registered():
    with pytest.raises(ValueError, match="metric_at_k"):
        metric(spec(at_k=True))
    with pytest.raises(ValueError, match="takes no cut-off"):
        metric_at_k(spec())


def test_a_name_is_taken_once():
    with pytest.raises(ValueError, match="two metrics"):
        metric(spec(name=list_metrics()[0].name))(lambda prepared: None)


def test_a_spec_as_the_command_line_tells_it():
    shown = spec(high=None, edges={"emoji": "as any text"}).as_json()
    assert shown["range"] == [0.0, None]
    assert shown["edges"] == {"emoji": "as any text"}


def test_no_metric_of_ours_has_a_dot_in_its_name():
    """A dot parts another tool's name from its metric, which is how an export tells the two apart."""
    assert not [one.name for one in list_metrics() if "." in one.name]
    with pytest.raises(ValueError, match="dot"):
        metric(spec(name="ragas.one"))
    with pytest.raises(ValueError, match="dot"):
        metric_at_k(spec(name="ragas.one", at_k=True))
