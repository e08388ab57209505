"""Cross-encoders for natural language inference: labels, the last layer, batches, cache, what is refused."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.domain.errors import InvalidInput
from core.encoders.cache import MemoryCache
from core.encoders.classifiers.nli import open_nli, pair_key, read_head
from tests.support.models.tiny_nli import last_layer, planted_nli, tiny_nli

KINDS = ("bert", "roberta", "distilbert", "gpt2")
PAIRS = [
    ("The bank opened in 1901.", "It opened."),
    ("Rates rose by 2.5 percent in May; the board of the bank meets every month.", "Nobody entered the vault."),
    ("Key.", "The manager of the branch keeps two keys in a safe and writes minutes of what the board says."),
    ("", "It lends money."),
    ("金利が上昇した。", "🎉"),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder for each architecture."""
    folder = tmp_path_factory.mktemp("nli")
    return {kind: tiny_nli(folder / kind, kind) for kind in KINDS}


def transformer(folder):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    return AutoModelForSequenceClassification.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_logits_are_those_of_the_model_alone(models, kind):
    import torch

    model, tokenizer = transformer(models[kind])
    with torch.inference_mode():
        alone = np.array([model(**tokenizer(*pair, return_tensors="pt")).logits[0].numpy() for pair in PAIRS])
    nli = open_nli(str(models[kind]))
    assert nli.logits(PAIRS) == pytest.approx(alone, abs=1e-5)
    assert nli.logits(PAIRS[::-1]) == pytest.approx(alone[::-1], abs=1e-5)
    assert nli.logits([]).shape == (0, 3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_result_for_a_pair_does_not_depend_on_its_neighbours(models, kind):
    nli = open_nli(str(models[kind]))
    words = ["bank", "branch", "key", "vault", "rates", "minutes", "board", "money", "firms", "manager"]
    many = [(" ".join(words[: n % 10 + 1] * (n % 4 + 1)), " ".join(words[n % 7 :])) for n in range(150)]
    whole = nli.logits(many)
    assert np.abs(whole - np.concatenate([nli.logits([pair]) for pair in many])).max() < 1e-5


@pytest.mark.parametrize("kind", KINDS)
def test_the_logits_are_what_the_last_layer_makes_of_its_input(models, kind):
    """z = w.x + b with the x that the model's last linear layer is given, recomputed in numpy."""
    import torch

    model, tokenizer = transformer(models[kind])
    layer = last_layer(model)
    given = []
    layer.register_forward_hook(lambda _, inputs, __: given.append(inputs[0]))
    with torch.inference_mode():
        model(**tokenizer(*PAIRS[0], return_tensors="pt"))
    hidden = given[0].numpy().reshape(-1, 16)[-1]  # the last token's, where every token has one
    nli = open_nli(str(models[kind]))
    assert nli.head.weights.shape == (3, 16)
    assert (nli.head.weights == layer.weight.detach().numpy()).all()
    bias = 0 if layer.bias is None else layer.bias.detach().numpy()
    assert nli.head.weights @ hidden + bias == pytest.approx(nli.logits(PAIRS[:1])[0], abs=1e-5)


def test_planted_logits_are_those_told_by_hand(tmp_path):
    # x = 0.5 in each of 16 dimensions: z = 16 * 0.5 * w + b = 8 w + b.
    nli = open_nli(str(planted_nli(tmp_path / "m", 0.5, (-0.25, 0.5, 0.0), (0.5, -1.0, 0.25))))
    assert nli.logits(PAIRS) == pytest.approx(np.tile([-1.5, 3.0, 0.25], (len(PAIRS), 1)), abs=1e-5)


@pytest.mark.parametrize(
    ("labels", "entailment", "contradiction"),
    [
        (("contradiction", "entailment", "neutral"), 1, 0),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), 0, 2),
        (("entailment", "not_entailment"), 0, None),
        (("not_entailment", " Entail "), 1, None),
        (("refutes", "entails", "unknown"), 1, None),
    ],
)
def test_labels_are_read_by_name(labels, entailment, contradiction):
    head = read_head("m", labels)
    assert (head.entailment, head.contradiction, head.labels) == (entailment, contradiction, labels)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (("LABEL_0", "LABEL_1", "LABEL_2"), "LABEL_0, LABEL_1, LABEL_2.*id2label"),
        (("not_entailment", "neutral"), "exactly one must be named entailment"),
        (("entailment", "entail", "neutral"), "exactly one"),
        (("contradiction", "entailment", "contradicts"), "at most one contradiction"),
        (("entailment",), "one output"),
    ],
)
def test_labels_that_do_not_name_entailment_are_refused(labels, said):
    with pytest.raises(InvalidInput, match=said):
        read_head("m", labels)


def test_a_model_without_class_names_or_with_one_output_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="LABEL_0"):
        open_nli(str(tiny_nli(tmp_path / "unnamed", labels=("LABEL_0", "LABEL_1", "LABEL_2"))))
    with pytest.raises(InvalidInput, match="one output: it says how relevant"):
        open_nli(str(tiny_nli(tmp_path / "reranker", labels=("LABEL_0",))))


def test_two_classes_will_do(tmp_path):
    nli = open_nli(str(tiny_nli(tmp_path / "m", labels=("entailment", "not_entailment"))))
    assert nli.logits(PAIRS).shape == (5, 2)
    assert nli.head.weights.shape == (2, 16)


@pytest.mark.parametrize("name", ["", "no such folder", "../away", "no-such-model-anywhere", "nobody/no-such-model"])
def test_a_model_that_is_not_here_is_refused_without_a_call(monkeypatch, name):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "models.example")
    with pytest.raises(InvalidInput, match="NLI model") as caught:
        open_nli(name)
    assert "folder" in caught.value.hint


def test_a_folder_that_holds_no_model_is_refused(tmp_path, models):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match="no folder"):
        open_nli(str(tmp_path / "empty"))
    damaged = shutil.copytree(models["bert"], tmp_path / "damaged")
    (damaged / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(InvalidInput, match="cannot be loaded"):
        open_nli(str(damaged))
    wordless = shutil.copytree(models["bert"], tmp_path / "wordless")
    for path in wordless.glob("token*"):
        path.unlink()
    with pytest.raises(InvalidInput, match="has no vocabulary"):
        open_nli(str(wordless))
    (damaged / "config.json").write_text("{")
    with pytest.raises(InvalidInput, match="not JSON"):
        open_nli(str(damaged))


def test_a_model_without_a_trained_head_is_refused(tmp_path, models):
    from transformers import BertModel

    headless = shutil.copytree(models["bert"], tmp_path / "headless")
    BertModel.from_pretrained(models["bert"]).save_pretrained(headless)
    config = json.loads((models["bert"] / "config.json").read_text())
    (headless / "config.json").write_text(json.dumps(config))
    with pytest.raises(InvalidInput, match=r"no trained weights for classifier\.bias"):
        open_nli(str(headless))


def test_code_of_a_model_is_never_run(tmp_path, monkeypatch, models):
    folder = shutil.copytree(models["bert"], tmp_path / "m")
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoModelForSequenceClassification": "own.Model"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="code of its own"):
        open_nli(str(folder))
    assert not (tmp_path / "ran").exists()


def test_a_cross_encoder_saved_by_sentence_transformers_opens(tmp_path, models):
    from sentence_transformers import CrossEncoder

    CrossEncoder(str(models["bert"])).save_pretrained(str(tmp_path / "ce"))
    saved, original = open_nli(str(tmp_path / "ce")), open_nli(str(models["bert"]))
    assert (saved.logits(PAIRS) == original.logits(PAIRS)).all()
    assert saved.head.labels == original.head.labels


def test_a_model_is_loaded_once_and_read_again_when_its_files_change(tmp_path, models):
    folder = shutil.copytree(models["bert"], tmp_path / "m")
    first = open_nli(str(folder))
    assert open_nli(f" {folder} ")._classifier is first._classifier
    tiny_nli(folder, seed=1)
    again = open_nli(str(folder))
    assert again.name != first.name
    assert not np.allclose(again.logits(PAIRS), first.logits(PAIRS))


def test_the_name_says_weights_labels_and_tokenizer_but_no_path(tmp_path, models):
    name = open_nli(str(models["bert"])).name
    assert name.startswith("bert@")
    assert open_nli(str(shutil.copytree(models["bert"], tmp_path / "bert"))).name == name
    assert open_nli(str(tiny_nli(tmp_path / "other" / "bert", order=(2, 0, 1)))).name != name


@pytest.mark.parametrize("kind", KINDS)
def test_capacity_is_what_a_pair_may_have(models, kind):
    nli = open_nli(str(models[kind]))
    # 64 positions without the special tokens around a pair: three for BERT, four for RoBERTa.
    assert nli.capacity == (61 if kind in ("bert", "distilbert") else 60)
    assert nli.tokens("") == 0
    assert nli.tokens("bank " * 30) >= 30


def test_a_longer_pair_than_fits_is_cut_at_its_longer_text(models):
    nli = open_nli(str(models["bert"]))
    assert nli.tokens("bank") == 1
    fits = nli.capacity - nli.tokens("It opened")
    cut = nli.logits([("bank " * 100, "It opened"), ("bank " * fits, "It opened")])
    assert cut[0] == pytest.approx(cut[1], abs=1e-5)


def test_a_word_longer_than_the_tokenizer_takes_is_still_read(models):
    nli = open_nli(str(models["bert"]))
    assert nli.tokens("a" * 400) > 1


def test_weights_that_are_no_numbers_are_refused(tmp_path):
    with pytest.raises(InvalidInput, match="not numbers"):
        open_nli(str(planted_nli(tmp_path / "m", 0.5, (float("nan"), 0, 0), (0, 0, 0))))


def test_a_projects_cache_keeps_logits(models):
    cache = MemoryCache()
    first = open_nli(str(models["bert"]), cache=cache).logits(PAIRS)
    assert len(cache) == len(PAIRS)
    assert (open_nli(str(models["bert"]), cache=cache).logits(PAIRS) == first).all()


def test_threads_share_a_model(models):
    nli = open_nli(str(models["bert"]))
    expected = nli.logits(PAIRS)
    with ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda _: (nli.tokens("The bank"), open_nli(str(models["bert"])).logits(PAIRS)), range(20))
        for tokens, logits in made:
            assert tokens == nli.tokens("The bank")
            assert logits == pytest.approx(expected, abs=1e-5)


class Cache:
    """Notes what it is asked for and given."""

    def __init__(self):
        self.kept = {}
        self.put_texts = []

    def get(self, model, texts):
        return {text: self.kept[model, text] for text in texts if (model, text) in self.kept}

    def put(self, model, texts, vectors):
        self.put_texts += texts
        self.kept.update({(model, text): row for text, row in zip(texts, vectors, strict=True)})


def test_logits_are_kept_by_pair(models):
    cache = Cache()
    nli = open_nli(str(models["bert"]), cache=cache)
    first = nli.logits([*PAIRS, *PAIRS])
    assert sorted(cache.put_texts) == sorted(pair_key(*pair) for pair in PAIRS)
    assert (nli.logits(PAIRS) == first[:5]).all()
    assert len(cache.put_texts) == 5
    # What is kept is taken, and what is damaged is computed anew.
    key = (nli.name, pair_key(*PAIRS[0]))
    cache.kept[key] = np.array([1.0, 2.0, 3.0], dtype=np.float32)
    assert nli.logits(PAIRS[:1]).tolist() == [[1.0, 2.0, 3.0]]
    for damaged in ([1.0], [1.0, 2.0, np.nan]):
        cache.kept[key] = np.array(damaged, dtype=np.float32)
        assert nli.logits(PAIRS[:1]) == pytest.approx(first[:1], abs=1e-5)


def test_no_two_pairs_have_one_key():
    texts = ["", "1", "1:", ":1", "a", "ab", "b", "2:ab"]
    keys = {pair_key(premise, hypothesis) for premise in texts for hypothesis in texts}
    assert len(keys) == len(texts) ** 2


def test_a_head_that_scales_its_logits_has_no_weights(models):
    from core.encoders.classifiers.pairs import PairClassifier

    model, tokenizer = transformer(models["bert"])
    plain = PairClassifier("plain", tokenizer, model)
    assert plain.weights is not None
    model.classifier.register_forward_hook(lambda layer, given, made: made * 3)
    assert PairClassifier("scaled", tokenizer, model).weights is None


def test_a_model_for_too_short_texts_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="takes only 7 tokens"):
        open_nli(str(tiny_nli(tmp_path / "m", positions=10)))
