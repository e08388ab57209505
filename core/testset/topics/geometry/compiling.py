"""Compiles what umap-learn lays points out with, for good: ``python -m core.testset.topics.geometry.compiling``.

Once after an installation: the first search for topics, or three of them at a time in the tests, would each do it
again, which takes twenty seconds of processor time.
"""

from __future__ import annotations

import numpy as np

from core.testset.topics.geometry.neighbours import nearest
from core.testset.topics.geometry.reduction import components, graph_of, layout

POINTS, DIMENSIONS, NEIGHBOURS = 40, 8, 5


def compile_layout() -> None:
    """Lays out a few points, in the reduced space and on the map."""
    points = np.random.default_rng(0).normal(size=(POINTS, DIMENSIONS)).astype(np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    graph = graph_of(*nearest(points, NEIGHBOURS))
    for dimensions in (5, 2):
        layout(graph, components(points, dimensions), seed=0, epochs=2)


if __name__ == "__main__":
    compile_layout()
