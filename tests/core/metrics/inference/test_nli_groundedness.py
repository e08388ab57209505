"""NLI groundedness: the paper's, the boundary's and the probability, by hand, on tiny models and at the edges."""

import numpy as np
import pytest

from core.domain.results.responses import Context
from core.domain.status import Status
from core.encoders.classifiers.nli import open_nli
from core.metrics import Models, Sample, find_metric, score_samples
from core.metrics.evidence import read_sentences, words_at
from core.metrics.prepared import Part
from tests.support.models.tiny_nli import OverlapNli, last_layer, planted_nli, tiny_nli

THREE = ("nli_groundedness", "nli_boundary", "nli_entailment")
ALL = (*THREE, "nli_contradiction")
BANK = "The bank opened in 1901. It has a branch in Harbour Street."
RATES = "Rates rose by 2.5 percent in May."
KEYS = "The manager keeps two keys in a safe."


def sample(answer="It opened in 1901. Nobody has a key.", contexts=(BANK, RATES), **changes):
    passages = None if contexts is None else tuple(Context(document_id="d", text=text) for text in contexts)
    return Sample(case_id="c", question="When?", answer=answer, contexts=passages, **changes)


def score(name, one, nli):
    ((found,),) = list(score_samples([one], [find_metric(name)], Models(nli=nli)))
    return found


def sigma(value):
    return 1 / (1 + np.exp(-value))


def test_golden_numbers_from_a_planted_head(tmp_path):
    """x is 0.5 in each of 16 dimensions for every pair, so all that follows is arithmetic."""
    nli = open_nli(str(planted_nli(tmp_path / "m", 0.5, (-0.25, 0.5, 0.0), (0.5, -1.0, 0.25))))
    # Logits 16 * 0.5 * w + b: contradiction -2 + 0.5 = -1.5, entailment 4 - 1 = 3, neutral 0.25.
    # |w_ent| = sqrt(16 * 0.25) = 2: D = 3 / 2. Next is neutral, |w_ent - w_neu| = 2: D' = (3 - 0.25) / 2 = 1.375.
    total = np.exp(-1.5) + np.exp(3) + np.exp(0.25)
    expected = {
        "nli_groundedness": sigma(1.5),
        "nli_boundary": sigma(1.375),
        "nli_entailment": np.exp(3) / total,
        "nli_contradiction": np.exp(-1.5) / total,
    }
    assert {name: score(name, sample(), nli).value for name in ALL} == pytest.approx(expected, abs=1e-6)
    pair = score("nli_groundedness", sample(), nli).detail["pairs"][1]
    assert pair.pop("window") == [[0, 0, len(BANK)], [1, 0, len(RATES)]]
    assert pair == pytest.approx(
        {
            "windows": 1,
            "z": 3.0,
            "distance": 1.5,
            "boundary": 1.375,
            "entailment": np.exp(3) / total,
            "contradiction": np.exp(-1.5) / total,
        },
        abs=1e-5,
    )


def test_golden_numbers_from_shared_words():
    """OverlapNli: logits (1 - s, s, 0.5) with s the share of the hypothesis's words in the premise."""
    nli = OverlapNli()
    found = {name: score(name, sample("Rates opened in 1901. Nobody lends."), nli) for name in ALL}
    # s = 4/4 for the first sentence ("rates" is in the second passage of the one premise), 0/2 for the second.
    # |w_ent| = |(0.6, 0.8)| = 1; |w_ent - w_con| = |(0.6, -0.2)| = sqrt(0.4); |w_ent - 0| = 1.
    expected = {
        # The distances are 1 and 0.
        "nli_groundedness": (sigma(1) + sigma(0)) / 2,
        # The strongest other: neutral with (1 - 0.5) / 1, then contradiction with (0 - 1) / sqrt(0.4).
        "nli_boundary": (sigma(0.5) + sigma(-1 / np.sqrt(0.4))) / 2,
        "nli_entailment": (np.e / (1 + np.e + np.sqrt(np.e)) + 1 / (1 + np.e + np.sqrt(np.e))) / 2,
        "nli_contradiction": (1 / (1 + np.e + np.sqrt(np.e)) + np.e / (1 + np.e + np.sqrt(np.e))) / 2,
    }
    assert {name: one.value for name, one in found.items()} == pytest.approx(expected, abs=1e-6)
    assert {name: one.detail["worst"] for name, one in found.items()} == dict.fromkeys(ALL, 1)


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert", "gpt2"])
def test_the_equations_from_the_models_own_hidden_state(tmp_path, kind):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tiny_nli(tmp_path / kind, kind)
    one = sample()
    found = {name: score(name, one, open_nli(str(folder))).value for name in ALL}
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    layer, given = last_layer(model), []
    layer.register_forward_hook(lambda _, inputs, __: given.append(inputs[0]))
    made = {name: [] for name in ALL}
    for hypothesis in ("It opened in 1901.", "Nobody has a key."):
        with torch.inference_mode():
            model(**tokenizer(f"{BANK} {RATES}", hypothesis, return_tensors="pt"))
        x = given[-1].numpy().reshape(-1, 16)[-1].astype(float)
        w = layer.weight.detach().numpy().astype(float)
        b = np.zeros(3) if layer.bias is None else layer.bias.detach().numpy()
        con, ent, neu = w @ x + b
        made["nli_groundedness"].append(sigma(ent / np.sqrt((w[1] ** 2).sum())))
        other = w[0] if con > neu else w[2]
        made["nli_boundary"].append(sigma((ent - max(con, neu)) / np.sqrt(((w[1] - other) ** 2).sum())))
        total = np.exp(con) + np.exp(ent) + np.exp(neu)
        made["nli_entailment"].append(np.exp(ent) / total)
        made["nli_contradiction"].append(np.exp(con) / total)
    assert found == pytest.approx({name: np.mean(values) for name, values in made.items()}, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bert", "roberta"])
@pytest.mark.parametrize("order", [(1, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_the_order_of_the_labels_does_not_change_a_score(tmp_path, kind, order):
    first = open_nli(str(tiny_nli(tmp_path / "a", kind)))
    other = open_nli(str(tiny_nli(tmp_path / "b", kind, order=order)))
    assert other.head.labels != first.head.labels
    for name in ALL:
        assert score(name, sample(), other).value == pytest.approx(score(name, sample(), first).value, abs=1e-6)


def test_a_model_of_two_classes_has_no_contradiction(tmp_path):
    nli = open_nli(str(tiny_nli(tmp_path / "m", labels=("entailment", "not_entailment"))))
    assert all(0 < score(name, sample(), nli).value < 1 for name in THREE)
    # With two classes sigma of the distance and the softmax are on the same side.
    assert (score("nli_boundary", sample("It opened."), nli).value > 0.5) == (
        score("nli_entailment", sample("It opened."), nli).value > 0.5
    )
    found = score("nli_contradiction", sample(), nli)
    assert (found.status, found.detail["reason"]) == (
        Status.NOT_APPLICABLE,
        "The NLI model has no contradiction class.",
    )
    assert "contradiction" not in score("nli_entailment", sample(), nli).detail["pairs"][0]


def test_without_a_linear_last_layer_only_distances_are_missing():
    class Scaled(OverlapNli):
        head = OverlapNli.head.__class__(labels=OverlapNli.head.labels, entailment=1, contradiction=0, weights=None)

    for name in ("nli_groundedness", "nli_boundary"):
        found = score(name, sample(), Scaled())
        assert (found.value, found.status) == (None, Status.NOT_APPLICABLE)
        assert "last linear layer" in found.detail["reason"]
    for name in ("nli_entailment", "nli_contradiction"):
        found = score(name, sample(), Scaled())
        assert found.value == score(name, sample(), OverlapNli()).value
        assert "distance" not in found.detail["pairs"][0]


def test_the_best_window_counts_and_is_shown():
    nli = OverlapNli(capacity=16)
    one = sample("The manager keeps two keys.", (BANK, RATES, KEYS))
    found = score("nli_entailment", one, nli)
    # 16 - 5 tokens: "The bank ... 1901. It has ... Street." is 5 + 7 = 12, so each sentence of it is in another window.
    assert [premise for premise, _ in nli.pairs] == [
        "The bank opened in 1901.",
        "It has a branch in Harbour Street.",
        f"{RATES}",
        KEYS,
    ]
    # All five words are in the last passage: s = 1.
    assert found.value == pytest.approx(np.e / (1 + np.e + np.sqrt(np.e)))
    (row,) = read_sentences(found.detail)
    assert words_at(one, Part.CONTEXTS, row.best) == KEYS
    assert found.detail["pairs"][0]["window"] == [[2, 0, len(KEYS)]]
    assert found.detail["pairs"][0]["windows"] == 4
    # Contradiction is greatest where no word is shared: s = 0 first in the second sentence.
    worst = score("nli_contradiction", one, nli)
    assert worst.value == pytest.approx(np.e / (1 + np.e + np.sqrt(np.e)))
    assert words_at(one, Part.CONTEXTS, read_sentences(worst.detail)[0].best) == BANK[25:]


def test_the_passage_that_shares_most_words_is_shown_of_a_premise_of_several():
    one = sample("Rates rose in May. It opened.", (BANK, RATES))
    found = score("nli_groundedness", one, OverlapNli())
    shown = [words_at(one, Part.CONTEXTS, row.best) for row in read_sentences(found.detail)]
    assert shown == [RATES, BANK]


def test_more_passages_never_lower_the_share_of_words():
    few = score("nli_entailment", sample(contexts=(RATES,)), OverlapNli(20)).value
    more = score("nli_entailment", sample(contexts=(RATES, BANK)), OverlapNli(20)).value
    assert more > few


def test_a_sentence_that_is_too_long_counts_as_its_worst_piece():
    nli = OverlapNli(capacity=8)
    one = sample("The bank opened in nobody knows which.", (BANK, RATES))
    found = score("nli_entailment", one, nli)
    # Half of the capacity a piece: "The bank opened in" has s = 1, "nobody knows which." 0.
    assert found.value == pytest.approx(1 / (1 + np.e + np.sqrt(np.e)))
    (row,) = read_sentences(found.detail)
    assert "2 pieces" in row.note
    assert score("nli_contradiction", one, nli).value == pytest.approx(np.e / (1 + np.e + np.sqrt(np.e)))


@pytest.mark.parametrize("name", ALL)
def test_edges(name):
    nli = OverlapNli()
    assert score(name, sample(), None).status is Status.NO_MODEL
    assert score(name, sample(contexts=None), nli).status is Status.MISSING_INPUT
    assert score(name, sample(answer=None), nli).status is Status.MISSING_INPUT
    for blank in ("", "  \n"):
        found = score(name, sample(blank), nli)
        assert (found.status, found.detail["reason"]) == (Status.NOT_APPLICABLE, "The answer is empty.")
        assert score(name, sample(blank, ()), nli).status is Status.NOT_APPLICABLE
    nothing = score(name, sample(contexts=()), nli)
    assert (nothing.value, nothing.detail["rule"]) == (0.0, "nothing retrieved")
    assert [row.value for row in read_sentences(nothing.detail)] == [0.0, 0.0]
    assert nli.pairs == []
    assert score(name, sample("I do not know."), nli).detail["abstained"] is True
    assert "abstained" not in score(name, sample(), nli).detail
    for said in ("🎉", "銀行は1901年に開業した。", "Банк открылся.", "x" * 5000, "-"):
        assert 0 <= score(name, sample(said), nli).value <= 1
    one = score(name, sample("It opened."), nli)
    assert one.value == pytest.approx(read_sentences(one.detail)[0].value, abs=1e-6)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_long_texts_and_other_scripts_with_a_real_model(tmp_path, kind):
    nli = open_nli(str(tiny_nli(tmp_path / kind, kind)))
    one = sample(
        "🎉 金利。 " + "The bank and the branch " * 40 + "opened.", (BANK * 20, "x" * 900, "金利が上昇した。" * 30)
    )
    for name in ALL:
        found = score(name, one, nli)
        assert 0 < found.value < 1
        assert found.detail["pairs"][0]["windows"] > 3


def test_all_four_ask_the_model_once():
    nli = OverlapNli()
    metrics = [find_metric(name) for name in ALL]
    ((*scores,),) = list(score_samples([sample()], metrics, Models(nli=nli)))
    assert [one.status for one in scores] == [Status.SCORED] * 4
    assert len(nli.pairs) == 2


def test_evidence_is_small(tmp_path):
    import json

    found = score("nli_boundary", sample(), OverlapNli())
    assert len(json.dumps(found.detail)) < 700
