import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from core.domain.errors import InvalidInput
from core.domain.sources.topics import Clustering, TopicSettings
from core.testset.topics.geometry.clustering import by_size, cluster, parts_of, settled
from core.testset.topics.geometry.reduction import components
from tests.core.testset.topics.blobs import blobs


@pytest.fixture(scope="module")
def points():
    _, vectors, labels = blobs(240, 4)
    return components(vectors, 4), labels


@pytest.mark.parametrize("way", Clustering)
def test_every_way_finds_the_groups(points, way):
    space, known = points
    settings = settled(TopicSettings(clustering=way), len(space))
    labels, strengths = cluster(space, settings, seed=0)

    assert adjusted_rand_score(known, labels) > 0.85  # DBSCAN leaves the rim of a group out
    assert ((strengths >= 0) & (strengths <= 1)).all()
    assert (strengths[labels == -1] == 0).all()


@pytest.mark.parametrize("way", Clustering)
def test_every_way_is_the_same_twice(points, way):
    space, _ = points
    settings = settled(TopicSettings(clustering=way), len(space))
    first, second = (cluster(space, settings, seed=5) for _ in range(2))

    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_a_number_of_topics_can_be_asked_for(points):
    space, _ = points
    settings = settled(TopicSettings(clustering=Clustering.KMEANS, topics=7), len(space))

    assert set(cluster(space, settings, seed=0)[0]) == set(range(7))


def test_no_more_parts_than_different_points():
    assert set(parts_of(np.ones((5, 2), dtype=np.float32), 3, seed=0)) == {0}


@given(st.lists(st.integers(-1, 5), min_size=1, max_size=40))
def test_numbers_follow_sizes_and_keep_the_groups(given_labels):
    labels = np.array(given_labels)
    made = by_size(labels)

    sizes = [int((made == number).sum()) for number in range(made.max() + 1)]
    assert sizes == sorted(sizes, reverse=True)
    assert ((made == -1) == (labels == -1)).all()
    assert len(set(zip(given_labels, made.tolist(), strict=True))) == len(set(given_labels))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (TopicSettings(dimensions=1), "dimensions cannot be 1"),
        (TopicSettings(neighbours=1), "neighbours cannot be 1"),
        (TopicSettings(min_size=101), "size of a topic cannot be 101"),
        (TopicSettings(topics=101), "number of topics cannot be 101"),
        (TopicSettings(radius=0.0), "radius cannot be 0"),
        (TopicSettings(stability_runs=-1), "stability runs cannot be -1"),
    ],
)
def test_settings_out_of_bounds_are_refused(settings, said):
    with pytest.raises(InvalidInput, match=said):
        settled(settings, 100)


def test_what_is_left_open_fits_the_corpus():
    sizes = {points: settled(TopicSettings(), points).min_size for points in (40, 211, 400, 2_000, 10_000, 50_000)}

    assert sizes == {40: 3, 211: 5, 400: 10, 2_000: 10, 10_000: 50, 50_000: 250}
    assert settled(TopicSettings(), 211).neighbours == 10
    assert settled(TopicSettings(), 5_000).neighbours == 15
    assert settled(TopicSettings(min_size=7, neighbours=20), 5_000) == TopicSettings(min_size=7, neighbours=20)


@pytest.mark.slow
@pytest.mark.parametrize("known", [3, 5, 6, 8, 11])
def test_kmeans_chooses_a_number_near_the_true_one(known):
    draw = np.random.default_rng(known)
    centres = draw.normal(size=(known, 5))
    centres *= 6.0 / np.min([np.linalg.norm(a - b) for n, a in enumerate(centres) for b in centres[n + 1 :]])
    truth = draw.integers(known, size=600)
    space = (centres[truth] + draw.normal(size=(600, 5))).astype(np.float32)
    settings = settled(TopicSettings(clustering=Clustering.KMEANS), len(space))
    labels, _ = cluster(space, settings, seed=0)

    assert abs(len(set(labels.tolist())) - known) <= 1
    assert adjusted_rand_score(truth, labels) > 0.8  # the two nearest groups may be taken for one
