import warnings

import numpy as np
import pytest
from hdbscan import HDBSCAN
from numba.core.event import install_recorder
from scipy.sparse import coo_matrix
from sklearn.metrics import adjusted_rand_score

from core.testset.topics.geometry.compiling import compile_layout
from core.testset.topics.geometry.neighbours import nearest
from core.testset.topics.geometry.reduction import components, graph_of, layout, topic_map
from tests.core.testset.topics.blobs import blobs


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.05, 0.5])
def test_the_graph_is_umaps(noise):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)
        from umap.umap_ import fuzzy_simplicial_set

    _, vectors, _ = blobs(300, noise=noise)
    vectors[5] = vectors[9]  # equal ones are at distance 0
    indices, distances = nearest(vectors, 15)
    graph = graph_of(indices, distances)

    theirs = fuzzy_simplicial_set(
        vectors, 15, np.random.RandomState(0), "cosine", knn_indices=indices, knn_dists=distances
    )[0]
    ours = coo_matrix((graph.weights, (graph.heads, graph.tails)), shape=(300, 300))
    assert abs(ours - theirs).max() < 1e-4


def test_what_is_compiled_ahead_is_all_that_a_search_needs():
    compile_layout()
    _, vectors, _ = blobs(60)
    graph = graph_of(*nearest(vectors, 10))

    with install_recorder("numba:compile") as compiled:
        topic_map(graph, layout(graph, components(vectors, 5), seed=1, epochs=2), seed=1)

    assert compiled.buffer == []


def test_components_are_those_of_largest_variance():
    draw = np.random.default_rng(0)
    points = draw.normal(size=(500, 4)) * [1.0, 5.0, 0.1, 3.0]
    made = components(points, 2)

    assert np.allclose(np.abs(np.corrcoef(made[:, 0], points[:, 1])[0, 1]), 1, atol=0.01)
    assert np.allclose(np.abs(np.corrcoef(made[:, 1], points[:, 3])[0, 1]), 1, atol=0.01)


def test_more_components_than_axes_are_filled_with_zeros():
    made = components(np.random.default_rng(0).normal(size=(20, 2)), 5)

    assert made.shape == (20, 5)
    assert (made[:, 2:] == 0).all()


@pytest.mark.slow
def test_a_seed_gives_one_layout_and_keeps_groups_apart():
    _, vectors, labels = blobs(200)
    graph = graph_of(*nearest(vectors, 10))
    start = components(vectors, 3)
    first, second = (layout(graph, start, seed=1, epochs=100) for _ in range(2))
    other = layout(graph, start, seed=2, epochs=100)
    on_map = topic_map(graph, first, seed=1)

    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
    assert on_map.shape == (200, 2)
    for points in (first, on_map):
        centres = np.stack([points[labels == label].mean(axis=0) for label in range(4)])
        nearest_centre = np.linalg.norm(points[:, None] - centres[None], axis=2).argmin(axis=1)
        assert (nearest_centre == labels).mean() > 0.99


@pytest.mark.slow
def test_equal_vectors_come_apart_but_stay_finite():
    vectors = np.tile(np.eye(8, dtype=np.float32)[0], (30, 1))
    graph = graph_of(*nearest(vectors, 5))

    assert np.isfinite(layout(graph, components(vectors, 2), seed=0, epochs=50)).all()


@pytest.mark.slow
def test_groups_stay_whole_in_the_layout():
    _, vectors, labels = blobs(1_200, 6, noise=0.12)
    graph = graph_of(*nearest(vectors, 15))
    points = layout(graph, components(vectors, 5), seed=0, epochs=200)
    found = HDBSCAN(min_cluster_size=10, core_dist_n_jobs=1).fit_predict(points.astype(np.float64))

    assert adjusted_rand_score(labels, found) > 0.99


def test_the_layout_pulls_as_umap_learns_own_does():
    """Both ends of an edge move: with one end, edges stay half as long again and groups blur."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)
        from umap.umap_ import find_ab_params, simplicial_set_embedding

    _, vectors, _ = blobs(300, 6, noise=0.12)
    graph = graph_of(*nearest(vectors, 15))
    start = components(vectors, 5)
    ours = layout(graph, start, seed=0, epochs=200)
    a, b = find_ab_params(1.0, 0.0)
    theirs, _ = simplicial_set_embedding(
        vectors,
        coo_matrix((graph.weights, (graph.heads, graph.tails)), shape=(300, 300)),
        5,
        1.0,
        a,
        b,
        1.0,
        5,
        200,
        (start * (10.0 / np.abs(start).max())).astype(np.float32),
        np.random.RandomState(0),
        "euclidean",
        {},
        False,
        {},
        False,
        parallel=False,
    )

    def mean_edge(points):
        lengths = np.linalg.norm(points[graph.heads] - points[graph.tails], axis=1)
        return float(np.average(lengths, weights=graph.weights))

    assert mean_edge(ours) == pytest.approx(mean_edge(theirs), rel=0.1)
