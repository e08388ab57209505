"""Vectors are kept by project, model and text, and two writers of the same ones get on."""

import threading

import numpy as np
import pytest
from sqlalchemy import update

from core.domain.errors import Conflict
from core.domain.sources.projects import Project
from core.store import projects
from core.store.database import Store
from core.store.models import encodings
from core.store.tables import encodings as rows


@pytest.fixture
def project(store):
    with store.write("anna", "test.prepare") as connection:
        for key in ("prj_1", "prj_2"):
            projects.put(
                connection, Project(id=key, name=key, created_at="2026-01-01T00:00:00+00:00", created_by="anna")
            )
    return "prj_1"


def put(store, texts, vectors, project="prj_1", model="m"):
    with store.pulse() as connection:
        encodings.put(connection, encodings.rows_of(project, model, texts, np.asarray(vectors, dtype=np.float32)))


def get(store, texts, project="prj_1", model="m"):
    with store.read() as connection:
        return {text: vector.tolist() for text, vector in encodings.of_texts(connection, project, model, texts).items()}


@pytest.mark.slow
def test_what_was_put_is_found_by_project_model_and_text(store, project):
    put(store, ["a", "b", "\ud800"], [[1, 2], [3, 4], [5, 6]])
    assert get(store, ["b", "c", "\ud800"]) == {"b": [3.0, 4.0], "\ud800": [5.0, 6.0]}
    assert get(store, ["a"], model="other") == {}
    assert get(store, ["a"], project="prj_2") == {}
    assert get(store, []) == {}


def test_floats_come_back_bit_for_bit(store, project):
    exact = np.random.default_rng(0).standard_normal((1, 384)).astype(np.float32)
    put(store, ["a"], exact)
    assert get(store, ["a"])["a"] == exact[0].tolist()


def test_a_later_vector_takes_the_place_of_an_earlier_one(store, project):
    put(store, ["a", "a"], [[1, 2], [3, 4]])
    put(store, ["a"], [[5, 6]])
    assert get(store, ["a"]) == {"a": [5.0, 6.0]}


def test_more_texts_than_one_statement_takes(store, project):
    texts = [f"text {number}" for number in range(encodings.CHUNK * 2 + 7)]
    put(store, texts, np.arange(len(texts))[:, None])
    assert get(store, texts) == {text: [float(number)] for number, text in enumerate(texts)}


def test_a_row_of_broken_bytes_is_no_vector(store, project):
    put(store, ["a", "b"], [[1, 2], [3, 4]])
    with store.pulse() as connection:
        connection.execute(update(rows).where(rows.c.text_hash == encodings.text_hash("a")).values(vector=b"12345"))
    assert get(store, ["a", "b"]) == {"b": [3.0, 4.0]}


def test_counted_by_project(store, project):
    put(store, ["a", "b"], [[1], [2]])
    put(store, ["a"], [[1]], project="prj_2")
    with store.pulse() as connection:
        assert encodings.count(connection, "prj_1") == 2
        assert encodings.count(connection, "prj_2") == 1


def test_an_unknown_project_has_no_vectors(store):
    with pytest.raises(Conflict):
        put(store, ["a"], [[1]], project="prj_none")


def test_two_writers_of_the_same_vectors_get_on(url, store, project):
    texts = [f"text {number}" for number in range(300)]
    failed = []

    def work(order):
        with Store.open(url) as own:
            for _ in range(5):
                try:
                    put(own, texts[::order], np.arange(300)[::order, None])
                except Conflict as error:
                    failed.append(error)

    writers = [threading.Thread(target=work, args=(order,)) for order in (1, -1)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    assert get(store, texts) == {text: [float(number)] for number, text in enumerate(texts)}
