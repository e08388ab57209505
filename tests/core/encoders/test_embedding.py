"""Encoders give unit vectors that depend on the text and the model alone."""

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.encoders.cache import CachedEncoder, MemoryCache
from core.encoders.embedding import open_encoder
from core.encoders.loading import MINILM_SHA256, minilm_folder, native_bfloat16, official_minilm
from core.encoders.transformer import unit_rows

SENTENCES = ["Rates rose by 2.5 percent.", "The bank opened.", "", "😀", "银行利率上升了。", "a " * 120, "No."]
TOLERANCE = 1e-6


@pytest.fixture(scope="module")
def minilm():
    return open_encoder("minilm")


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    for name in ("ENCODER", "PRECISION", "ALLOWED_HOSTS"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)


def norms(vectors):
    return np.linalg.norm(vectors, axis=1)


@pytest.mark.slow
def test_importing_it_loads_no_model_library():
    code = "import sys, core.encoders.embedding, core.encoders.cache; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_packaged_model_is_the_official_one(minilm):
    assert minilm.name == f"minilm {MINILM_SHA256[:12]} float32"
    assert minilm.dimension == 384
    assert open_encoder() is minilm


@pytest.mark.slow
def test_vectors_are_those_of_the_library_itself(minilm):
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(minilm_folder()), device="cpu").encode(SENTENCES)
    assert np.abs(minilm.encode(SENTENCES) - theirs).max() < TOLERANCE


def test_near_meanings_are_near(minilm):
    vectors = minilm.encode(["The bank raised its rates.", "Interest rates went up at the bank.", "Cats sleep a lot."])
    assert vectors[0] @ vectors[1] > 0.6 > 0.3 > vectors[0] @ vectors[2]


@pytest.mark.slow
def test_rows_have_unit_length(minilm):
    vectors = minilm.encode([*SENTENCES, "\x00", "\ud800", " \n"])
    assert vectors.dtype == np.float32
    assert norms(vectors) == pytest.approx(1.0, abs=TOLERANCE)
    assert minilm.encode([]).shape == (0, 384)


@pytest.mark.slow
def test_a_vector_does_not_depend_on_its_neighbours(minilm):
    together = minilm.encode([*SENTENCES, *(f"Sentence {n} of many, " * (n % 9) for n in range(60))])
    backwards = minilm.encode(SENTENCES[::-1])[::-1]
    alone = np.concatenate([minilm.encode([text]) for text in SENTENCES])
    assert np.abs(together[: len(SENTENCES)] - alone).max() < TOLERANCE
    assert np.abs(backwards - alone).max() < TOLERANCE


@pytest.mark.slow
def test_nothing_of_a_long_text_is_cut(minilm):
    start = "The bank opened in 1901 and has many branches. " * 40
    vectors = minilm.encode([start, start + "Cats and dogs sleep in the garden. " * 40])
    assert vectors[0] @ vectors[1] < 0.9  # the library alone would not see the difference


def test_a_long_text_is_the_mean_of_its_windows_by_tokens(tiny_model):
    encoder = open_encoder(str(tiny_model))
    # 24 tokens less two special ones are 22 words a window; 30 words make one of 22 and one of 8.
    first, second = "a b c d e f g " * 3 + "a", "b c d e f g a b"
    one, two = encoder.encode([first, second])
    expected = 22 * one + 8 * two
    (found,) = encoder.encode([f"{first} {second}"])
    assert found == pytest.approx(expected / np.linalg.norm(expected), abs=TOLERANCE)


def test_a_text_that_just_fits_is_encoded_whole(tiny_model):
    from sentence_transformers import SentenceTransformer

    text = "a b c d e f g " * 3 + "a"
    theirs = SentenceTransformer(str(tiny_model), device="cpu").encode([text])
    assert open_encoder(str(tiny_model)).encode([text]) == pytest.approx(theirs / norms(theirs)[:, None], abs=TOLERANCE)


@pytest.mark.slow
def test_long_words_are_told_apart(minilm):
    # A word-piece tokenizer makes the same "unknown" of every word above 100 characters.
    vectors = minilm.encode(["ab" * 400, "xyz" * 400, "ภาษาไทย" * 60, "ธนาคาร" * 60])
    assert norms(vectors) == pytest.approx(1.0, abs=TOLERANCE)
    assert max((vectors @ vectors.T)[np.triu_indices(4, 1)]) < 0.999


@pytest.mark.slow
def test_a_megabyte_without_a_blank_has_a_vector(tiny_model):
    assert norms(open_encoder(str(tiny_model)).encode(["a" * 1_000_000])) == pytest.approx(1.0, abs=TOLERANCE)


def test_any_model_by_folder(tiny_model):
    encoder = open_encoder(str(tiny_model))
    assert encoder.dimension == 16
    assert encoder.name.startswith("tiny ")
    assert encoder.name.endswith(" float32")
    assert norms(encoder.encode(SENTENCES)) == pytest.approx(1.0, abs=TOLERANCE)


@pytest.mark.slow
@given(st.lists(st.text(max_size=60), max_size=5))
@settings(deadline=None, max_examples=40)
def test_any_text_has_a_unit_vector(tiny_model, texts):
    vectors = open_encoder(str(tiny_model)).encode(texts)
    assert vectors.shape == (len(texts), 16)
    assert norms(vectors) == pytest.approx(1.0, abs=TOLERANCE)


def test_a_model_without_a_longest_text(static_model):
    encoder = open_encoder(str(static_model))
    vectors = encoder.encode(["rates rose", "the bank " * 5_000, ""])
    assert encoder.dimension == 12
    assert vectors.shape == (3, 12)
    assert norms(vectors) == pytest.approx(1.0, abs=TOLERANCE)
    # Nothing is known of the empty text: its zeros become the direction with equal parts.
    assert vectors[2] == pytest.approx(np.full(12, 12**-0.5), abs=TOLERANCE)


def test_names_tell_weights_and_settings_apart(tiny_model, tmp_path):
    copy = shutil.copytree(tiny_model, tmp_path / "tiny")
    same = open_encoder(str(copy))
    assert same.name == open_encoder(str(tiny_model)).name
    other = shutil.copytree(tiny_model, tmp_path / "other" / "tiny")
    described = json.loads((other / "1_Pooling" / "config.json").read_text())
    described = {**described, "pooling_mode": "cls"}
    (other / "1_Pooling" / "config.json").write_text(json.dumps(described))
    assert open_encoder(str(other)).name != same.name


def test_the_settings_choose_where_nothing_is_asked_for(tiny_model, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ENCODER", str(tiny_model))
    assert open_encoder().dimension == 16
    assert open_encoder("minilm").dimension == 384


def test_a_prompt_of_the_model_is_put_before_every_text(tiny_model, tmp_path):
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        str(tiny_model), device="cpu", prompts={"query": "the bank "}, default_prompt_name="query"
    )
    model.save(str(tmp_path / "prompted"))
    theirs = model.encode(["rates rose", "a b"])
    ours = open_encoder(str(tmp_path / "prompted")).encode(["rates rose", "a b"])
    assert ours == pytest.approx(theirs / norms(theirs)[:, None], abs=TOLERANCE)


def test_threads_share_one_model(tiny_model):
    def work(_):
        encoder = open_encoder(str(tiny_model))
        return encoder, encoder.encode(SENTENCES)

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(work, range(30)))
    assert len({id(encoder) for encoder, _ in found}) == 1
    assert all(np.abs(vectors - found[0][1]).max() < TOLERANCE for _, vectors in found)


def test_a_cache_is_put_in_front(tiny_model):
    assert isinstance(open_encoder(str(tiny_model), cache=MemoryCache(10)), CachedEncoder)


def test_other_weights_under_the_packaged_name_are_refused(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(InvalidInput, match="not the official ones") as caught:
        official_minilm(tmp_path)
    assert MINILM_SHA256 in str(caught.value)
    with pytest.raises(InvalidInput, match=r"has no model\.safetensors"):
        official_minilm(tmp_path / "missing")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no-such-team/no-such-model", "'no-such-team/no-such-model' is not on this machine and could not be fetched"),
        ("no-such-model", "'no-such-model' is not on this machine"),
        ("./nowhere", "There is no folder './nowhere'"),
        ("/nowhere/at/all", "There is no folder '/nowhere/at/all'"),
        ("..", "holds no sentence-transformers model"),
        ("a b", "There is no folder 'a b'"),
        ("x\x00y", "There is no folder"),
    ],
)
def test_a_model_that_is_not_there_is_refused(spec, message, monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "localhost")  # the hub may not be called
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=message) as caught:
        open_encoder(spec)
    assert "minilm" in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["{", "{}", '{"model_type": "no such type"}', '{"model_type": "bert"}'])
def test_a_damaged_model_is_refused(tiny_model, tmp_path, damage):
    folder = shutil.copytree(tiny_model, tmp_path / "damaged")
    (folder / "config.json").write_text(damage)
    with pytest.raises(InvalidInput, match="holds no sentence-transformers model"):
        open_encoder(str(folder))


def test_cut_weights_are_refused(tiny_model, tmp_path):
    folder = shutil.copytree(tiny_model, tmp_path / "cut")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1_000])
    with pytest.raises(InvalidInput, match="holds no sentence-transformers model"):
        open_encoder(str(folder))


def test_a_model_that_brings_code_is_refused(tiny_model, tmp_path):
    folder = shutil.copytree(tiny_model, tmp_path / "code")
    (folder / "own.py").write_text("raise SystemExit('this was run')")
    modules = json.loads((folder / "modules.json").read_text())
    modules[0]["type"] = "own.Transformer"
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(InvalidInput, match="asks to run code"):
        open_encoder(str(folder))


def test_an_unknown_precision_is_refused():
    with pytest.raises(InvalidInput, match="no precision 'int8'"):
        open_encoder(precision="int8")


def test_bfloat16_is_near_where_the_processor_has_it_and_refused_elsewhere(minilm):
    if not native_bfloat16():
        with pytest.raises(InvalidInput, match="does not compute in bfloat16"):
            open_encoder("minilm", precision="bfloat16")
        return
    rough = open_encoder("minilm", precision="bfloat16")
    assert rough.name.endswith(" bfloat16")
    assert (rough.encode(SENTENCES) * minilm.encode(SENTENCES)).sum(axis=1).min() > 0.98


def test_vectors_that_are_not_numbers_are_refused():
    with pytest.raises(InvalidInput, match="not numbers"):
        unit_rows(np.array([[np.nan, 1.0]], dtype=np.float32), "broken")
