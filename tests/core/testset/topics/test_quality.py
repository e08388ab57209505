import numpy as np
import pytest

from core.domain.estimates import Estimate, Proportion
from core.domain.sources.topics import Topic, TopicQuality
from core.testset.topics.quality import agreement, quality, silhouette, stability, with_warnings

GOOD = Estimate(value=0.9, low=None, high=None, n=5)
NONE = Estimate(value=None, low=None, high=None, n=0)
TOPICS = (Topic(number=0, size=5), Topic(number=1, size=5))


def figures(**changed):
    usual = {
        "coherence": GOOD,
        "silhouette": GOOD,
        "outliers": Proportion(num=0, den=10),
        "largest": Proportion(num=5, den=10),
        "stability": GOOD,
    }
    return TopicQuality(**{**usual, **changed})


def test_good_topics_have_no_warning():
    assert with_warnings(figures(), TOPICS).warnings == ()


def test_figures_that_are_missing_are_no_fault():
    assert with_warnings(figures(coherence=NONE, silhouette=NONE, stability=NONE), TOPICS).warnings == ()


@pytest.mark.parametrize(
    ("changed", "topics", "said"),
    [
        ({}, TOPICS[:1], "There is 1 topic"),
        ({}, (), "There are no topics"),
        ({"outliers": Proportion(num=4, den=10)}, TOPICS, r"40% of the passages \(4 of 10\)"),
        ({"largest": Proportion(num=6, den=10)}, TOPICS, "holds 60%"),
        ({"silhouette": Estimate(value=0.1, low=None, high=None, n=9)}, TOPICS, "silhouette 0.10"),
        ({"coherence": Estimate(value=-0.2, low=None, high=None, n=2)}, TOPICS, "coherence -0.20"),
        ({"stability": Estimate(value=0.3, low=0.2, high=0.4, n=2)}, TOPICS, "index 0.30 over 2"),
        ({}, (*TOPICS, Topic(number=2, size=9, documents=9, alike=0.99)), "Topic 2 is nearly the same text"),
        (
            {},
            (Topic(number=0, size=6, documents=6, alike=0.95), Topic(number=1, size=9, documents=9, alike=0.99)),
            r"Topics 0 and 1 are each nearly the same text in many documents \(15 passages, likeness 0.95",
        ),
    ],
)
def test_what_is_poor_is_said_with_its_figure(changed, topics, said):
    [warning] = with_warnings(figures(**changed), topics).warnings
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(warning)


def test_a_dropped_topic_is_warned_of_no_more():
    topics = (*TOPICS, Topic(number=2, size=9, documents=9, alike=0.99, dropped=True))

    assert with_warnings(figures(), topics).warnings == ()


def test_outliers_take_no_part_in_the_silhouette():
    points = np.array([[0.0, 0], [0, 1], [9, 0], [9, 1], [4.5, 0]], dtype=np.float32)
    found = silhouette(points, np.array([0, 0, 1, 1, -1]), seed=0)

    # each: a = 1, b = mean of 9 and sqrt(82)
    far = (9 + 82**0.5) / 2
    assert found.value == pytest.approx((far - 1) / far, abs=1e-6)
    assert found.n == 4


def test_one_topic_has_no_silhouette():
    assert silhouette(np.zeros((3, 2), dtype=np.float32), np.zeros(3, dtype=int), seed=0).value is None


def test_stability_is_a_mean_with_its_range_or_a_reason():
    labels = np.array([0, 0, 1, 1])
    found = stability(labels, [np.array([1, 1, 0, 0]), np.array([0, 1, 0, 1])])

    # the same groups: 1; crossed: index 0, expected 2 * 2 / 6, most 2: -.5
    assert (found.low, found.high, found.value, found.n) == (-0.5, 1.0, 0.25, 2)
    assert stability(labels, None).method == "no random choice in this method"
    assert stability(labels, []).value is None


def test_figures_count_outliers_and_the_largest_topic():
    points = np.random.default_rng(0).normal(size=(6, 2)).astype(np.float32)
    labels = np.array([0, 0, 0, 1, 1, -1])
    found = quality(points, labels, (Topic(number=0, size=3, coherence=0.5), Topic(number=1, size=2)), GOOD, seed=0)

    assert (found.outliers.num, found.outliers.den) == (1, 6)
    assert found.largest.num == 3
    assert (found.coherence.value, found.coherence.n) == (0.5, 1)


def test_agreement_needs_two_groups():
    assert agreement([0, 0, 1], ["a", "a", "b"]) == 1.0
    assert agreement([0, 0, 1], ["a", "a", "a"]) is None


def test_where_no_seed_finds_topics_nothing_is_stable():
    none = np.full(11, -1)
    shown = stability(none, [none, none])
    assert (shown.value, shown.n, shown.method) == (None, 2, "no seed finds two groups")
    parted = np.array([0] * 5 + [1] * 6)
    assert stability(none, [none, parted]).value == pytest.approx(0.5)  # (1 + 0) / 2
