import numpy as np
import pytest

from core.testset.topics.geometry.neighbours import nearest
from tests.core.testset.topics.blobs import blobs


def test_neighbours_are_those_of_a_full_comparison():
    _, vectors, _ = blobs(700)
    indices, distances = nearest(vectors, 8)

    exact = 1 - vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    np.fill_diagonal(exact, 0)
    assert np.allclose(distances, np.sort(exact, axis=1)[:, :8], atol=1e-5)
    assert np.allclose(distances, np.take_along_axis(exact, indices.astype(int), axis=1), atol=1e-5)
    assert all(len(set(row)) == 8 for row in indices.tolist())


def test_each_vector_is_its_own_nearest_even_among_equal_ones():
    vectors = np.tile(np.eye(3, dtype=np.float32)[0], (20, 1))
    indices, distances = nearest(vectors, 5)

    assert indices[:, 0].tolist() == list(range(20))
    assert (distances == 0).all()


def test_as_many_neighbours_as_there_are_vectors():
    indices, _ = nearest(np.eye(4, dtype=np.float32), 4)

    assert np.sort(indices, axis=1).tolist() == [[0, 1, 2, 3]] * 4


@pytest.mark.slow
@pytest.mark.parametrize(("spread", "least"), [(0.05, 9.5), (1.0, 8.0)], ids=["in groups", "without groups"])
def test_cells_miss_few_neighbours(spread, least):
    _, vectors, _ = blobs(6_000, 6, dimension=16, noise=spread)
    exact, _ = nearest(vectors, 10)
    by_cells, _ = nearest(vectors, 10, exact_up_to=1_000)

    shared = [len(set(a) & set(b)) for a, b in zip(exact.tolist(), by_cells.tolist(), strict=True)]
    assert np.mean(shared) > least
    assert by_cells[:, 0].tolist() == list(range(6_000))


def test_cells_are_the_same_twice():
    _, vectors, _ = blobs(3_000, 6)

    first, second = (nearest(vectors, 10, exact_up_to=1_000, seed=3) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
