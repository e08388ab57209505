"""Each text is encoded once; what is damaged, forgotten or of another model is encoded anew."""

import subprocess
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.cache import AT_ONCE, CachedEncoder, MemoryCache, StoreCache
from core.store.database import Store
from core.store.models import encodings
from core.store.tables import encodings as rows
from tests.support.stores import blank_url, with_run


class CountingEncoder:
    """Vectors that depend on the text alone; remembers what it was asked."""

    dimension = 4

    def __init__(self, name: str = "counting", dimension: int = 4) -> None:
        self.name = name
        self.dimension = dimension
        self.asked: list[str] = []

    def encode(self, texts):
        self.asked += texts
        made = np.array(
            [np.random.default_rng(zlib.crc32(text.encode())).standard_normal(self.dimension) for text in texts],
            dtype=np.float32,
        ).reshape(len(texts), self.dimension)
        return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        with_run(opened)
        yield opened


@pytest.fixture(params=["memory", "store"])
def cache(request, store):
    return MemoryCache(1_000) if request.param == "memory" else StoreCache(store, "prj_1")


def test_each_text_is_encoded_once(cache):
    encoder = CountingEncoder()
    cached = CachedEncoder(encoder, cache)
    first = cached.encode(["a", "b", "a", "c"])
    second = cached.encode(["c", "d", "a"])
    assert encoder.asked == ["a", "b", "c", "d"]
    assert np.array_equal(first, CountingEncoder().encode(["a", "b", "a", "c"]))
    assert np.array_equal(second, CountingEncoder().encode(["c", "d", "a"]))
    assert (cached.name, cached.dimension) == ("counting", 4)


def test_no_texts_have_no_vectors(cache):
    assert CachedEncoder(CountingEncoder(), cache).encode([]).shape == (0, 4)


def test_models_do_not_share_vectors(cache):
    CachedEncoder(CountingEncoder("one"), cache).encode(["a"])
    other = CountingEncoder("other", dimension=6)
    assert CachedEncoder(other, cache).encode(["a"]).shape == (1, 6)
    assert other.asked == ["a"]


@pytest.mark.slow
@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), max_size=6), st.integers(0, 4))
def test_a_cache_never_changes_a_vector(calls, limit):
    encoder = CachedEncoder(CountingEncoder(), MemoryCache(limit))
    for texts in calls:
        assert np.array_equal(encoder.encode(texts), CountingEncoder().encode(texts))


def test_memory_keeps_the_vectors_used_last():
    cache = MemoryCache(2)
    cache.put("m", ["a", "b"], np.eye(2, dtype=np.float32))
    assert list(cache.get("m", ["a"])) == ["a"]
    cache.put("m", ["c"], np.eye(1, 2, dtype=np.float32))
    assert list(cache.get("m", ["a", "b", "c"])) == ["a", "c"]
    assert len(cache) == 2


@pytest.mark.parametrize(
    "damage",
    [b"", b"12345", np.ones(3, "<f4").tobytes(), np.zeros(4, "<f4").tobytes(), np.full(4, np.nan, "<f4").tobytes()],
    ids=["empty", "broken", "short", "zero", "nan"],
)
def test_a_damaged_vector_is_encoded_anew_and_repaired(store, damage):
    cache = StoreCache(store, "prj_1")
    expected = CachedEncoder(CountingEncoder(), cache).encode(["a", "b"])
    with store.pulse() as connection:
        connection.execute(rows.update().where(rows.c.text_hash == encodings.text_hash("a")).values(vector=damage))
    encoder = CountingEncoder()
    assert np.array_equal(CachedEncoder(encoder, cache).encode(["a", "b"]), expected)
    assert encoder.asked == ["a"]
    again = CountingEncoder()
    CachedEncoder(again, cache).encode(["a", "b"])
    assert again.asked == []


def test_vectors_are_put_away_as_they_are_made(store):
    class StoppedEncoder(CountingEncoder):
        def encode(self, texts):
            if self.asked:
                raise KeyboardInterrupt
            return super().encode(texts)

    texts = [f"text {number}" for number in range(AT_ONCE + 1)]
    with pytest.raises(KeyboardInterrupt):
        CachedEncoder(StoppedEncoder(), StoreCache(store, "prj_1")).encode(texts)
    with store.read() as connection:
        assert encodings.count(connection, "prj_1") == AT_ONCE


def test_it_leaves_no_audit_entry(store):
    from sqlalchemy import func, select

    from core.store.tables import metadata

    def entries():
        with store.read() as connection:
            return connection.execute(select(func.count()).select_from(metadata.tables["audit"])).scalar_one()

    before = entries()
    CachedEncoder(CountingEncoder(), StoreCache(store, "prj_1")).encode(["a"])
    assert entries() == before


WRITER = """
import sys
import numpy as np
from core.encoders.cache import StoreCache
from core.store.database import Store

with Store.open(sys.argv[1]) as store:
    for turn in range(20):
        StoreCache(store, "prj_1").put("m", [f"text {n}" for n in range(200)], np.full((200, 4), 0.5, dtype=np.float32))
"""


@pytest.mark.slow
def test_two_processes_may_put_the_same_vectors(store):
    command = [sys.executable, "-c", WRITER, store.url]
    writers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [(writer.wait(), writer.stderr.read()) for writer in writers] == [(0, ""), (0, "")]
    found = StoreCache(store, "prj_1").get("m", [f"text {n}" for n in range(200)])
    assert len(found) == 200
    for writer in writers:
        writer.stderr.close()
