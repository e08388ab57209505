"""Topics of blobs with known groups, and that they are the same in every process."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from core.domain.errors import InsufficientData, Stopped
from core.domain.sources.topics import Clustering, Reduction, TopicSettings
from core.encoders.protocols import SentenceEncoder
from core.testset.topics.finding import embed, find_topics, fingerprint, reduced_points
from tests.core.testset.topics.blobs import blobs

ROOT = Path(__file__).resolve().parents[4]
ELSEWHERE = """
import json
from core.domain.sources.topics import TopicSettings
from core.testset.topics.finding import find_topics
from tests.core.testset.topics.blobs import blobs
chunks, vectors, _ = blobs(160)
found = find_topics(chunks, vectors, TopicSettings(seed=7))
print(json.dumps([found.content_hash, [topic.label for topic in found.topics]]))
"""


@pytest.fixture(scope="module")
def found():
    chunks, vectors, labels = blobs(160)
    return find_topics(chunks, vectors, TopicSettings(seed=7)), labels


@pytest.mark.slow
def test_the_groups_are_found_and_named_by_their_words(found):
    topics, labels = found

    assert adjusted_rand_score(labels, [chunk.topic for chunk in topics.chunks]) > 0.95
    assert sum(topic.size for topic in topics.topics) == 160
    words = {word for topic in topics.topics for term in topic.terms for word in term.text.split()}
    assert {"mortgage", "card", "deposit", "queue"} <= words
    assert topics.quality.warnings == ()
    assert topics.quality.stability.n == 2
    assert all(topic.documents > 1 and 0.5 < topic.alike <= 1 for topic in topics.topics)


def test_chunks_have_a_place_in_the_reduced_space_and_on_the_map(found):
    topics, _ = found

    assert reduced_points(topics.chunks).shape == (160, 5)
    assert len({(chunk.x, chunk.y) for chunk in topics.chunks}) > 150
    assert all(chunk.found == chunk.topic for chunk in topics.chunks)


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_topics_are_the_same_in_another_process(found, hash_seed):
    topics, _ = found
    said = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(said.stdout) == [topics.content_hash, [topic.label for topic in topics.topics]]


@pytest.mark.slow
def test_the_same_twice_and_other_with_another_seed(found):
    topics, _ = found
    chunks, vectors, _ = blobs(160)

    assert find_topics(chunks, vectors, TopicSettings(seed=7)) == topics
    assert find_topics(chunks, vectors, TopicSettings(seed=8)).content_hash != topics.content_hash


@pytest.mark.slow
@pytest.mark.parametrize("clustering", Clustering)
def test_principal_components_work_without_umap(clustering):
    chunks, vectors, labels = blobs(160)
    settings = TopicSettings(reduction=Reduction.PCA, clustering=clustering)
    made = find_topics(chunks, vectors, settings)

    assert adjusted_rand_score(labels, [chunk.topic for chunk in made.chunks]) > 0.85
    if clustering is not Clustering.KMEANS:
        assert made.quality.stability.method == "no random choice in this method"


def test_noise_is_told_to_be_poor():
    chunks, vectors, _ = blobs(160, noise=20.0)
    made = find_topics(chunks, vectors, TopicSettings(reduction=Reduction.PCA, stability_runs=0))

    assert made.quality.warnings


def test_too_few_chunks_are_refused():
    chunks, vectors, _ = blobs(9)

    with pytest.raises(InsufficientData, match="9"):
        find_topics(chunks, vectors, TopicSettings())


def test_ten_equal_chunks_are_no_error():
    chunks, _, _ = blobs(10)
    same = [replace(chunk, text="one text") for chunk in chunks]
    vectors = np.tile(np.eye(16, dtype=np.float32)[0], (10, 1))

    made = find_topics(same, vectors, TopicSettings(stability_runs=1))
    assert len(made.chunks) == 10


def test_a_wish_to_stop_is_heard_between_stages():
    chunks, vectors, _ = blobs(40)
    told = []

    with pytest.raises(Stopped):
        find_topics(
            chunks,
            vectors,
            TopicSettings(reduction=Reduction.PCA),
            progress=lambda *step: told.append(step),
            should_stop=lambda: len(told) == 2,
        )
    assert [stage for stage, _, _ in told] == ["Reduction", "Clusters"]


class Counting(SentenceEncoder):
    """Counts what it encodes."""

    name, dimension = "counting", 2

    def __init__(self):
        self.seen = []

    def encode(self, texts):
        self.seen += texts
        return np.array([[1.0, 0.0] if "a" in text else [0.0, 1.0] for text in texts], dtype=np.float32)


def test_each_different_text_is_encoded_once():
    encoder = Counting()
    vectors = embed(["a", "b", "a", "b", "a"], encoder)

    assert encoder.seen == ["a", "b"]
    assert vectors.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]]


def test_a_fingerprint_is_of_ids_and_texts():
    chunks, _, _ = blobs(10)
    renamed = [replace(chunks[0], id="other"), *chunks[1:]]
    reworded = [replace(chunks[0], text="other"), *chunks[1:]]

    assert len({fingerprint(chunks), fingerprint(renamed), fingerprint(reworded), fingerprint(chunks[::-1])}) == 4
