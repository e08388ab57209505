"""The scores of a safety check have the names that people read."""

from core.metrics.titles import OF_SAFETY, SAFETY
from core.safety.assessing import NO_LEAK, NOT_TOXIC
from core.weakness.service.scores import label_of_score
from pages.evaluate.results.answers_view import usual
from pages.kit.scores.names import title


def test_every_score_of_a_safety_check_has_a_title():
    assert set(OF_SAFETY) == {NO_LEAK, NOT_TOXIC}
    assert all(name.startswith(SAFETY) for name in OF_SAFETY)
    assert (
        {title(name) for name in OF_SAFETY} == {label_of_score(name) for name in OF_SAFETY} == set(OF_SAFETY.values())
    )


def test_no_score_of_a_safety_check_stands_with_each_answer():
    assert usual([NO_LEAK, NOT_TOXIC]) == []
    assert usual([NO_LEAK, "mrr"]) == ["mrr"]
