"""The reader of claims: its changes are added to MiniLM, it reads pairs alone, and it tells claims apart."""

import hashlib

import numpy as np
import pytest

from bench.rated_answers import blocks_of
from core.encoders.classifiers.claim_reader import LABELS, WEIGHTS, open_claim_reader
from core.metrics import find_metric
from core.metrics.comparison.entailment import probabilities

DIGESTS = {
    1: "27d845472d2274be2ed13a92a7f0b1b7fa4be25088c401c3bb64f0e1e73b5f31",
    2: "38bd6edfb0b79d9a027440ac83888140777c2d1240537af6a41cb02b78dabea7",
    3: "38bd6edfb0b79d9a027440ac83888140777c2d1240537af6a41cb02b78dabea7",  # what counts as a claim changed
    4: "38bd6edfb0b79d9a027440ac83888140777c2d1240537af6a41cb02b78dabea7",  # and once more, with the reader of refusals
}
"""Of the weights, by the version of the metric that reads with them."""
PASSAGE = (
    "Members may borrow up to six books for three weeks. Loans can be renewed once, unless another member is waiting. "
    "The reading room is open from 9 am to 8 pm on weekdays and closed on Sundays."
)
PAIRS = [
    (PASSAGE, "You can take home six books at a time."),
    (PASSAGE, "The reading room is open on Sundays."),
    (PASSAGE, "The library was founded by a retired teacher."),
    ("", "Nothing is said."),
    ("金利が上昇した。", "🎉"),
]


def test_other_weights_are_another_version():
    with WEIGHTS.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    assert DIGESTS[find_metric("claim_reading").spec.version] == digest


@pytest.fixture
def tiny(tmp_path):
    """A small BERT encoder in a folder, and what it gives for a batch."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=20,
    )  # fmt: skip  # a network is its sizes
    BertModel(config).save_pretrained(tmp_path / "encoder")
    return tmp_path


def test_changes_are_added_to_the_encoder(tiny):
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModel

    from core.encoders.classifiers.pair_network import PairNetwork, read_network

    matrix, bias = "encoder.layer.0.attention.self.query.weight", "encoder.layer.0.attention.self.query.bias"
    before = AutoModel.from_pretrained(tiny / "encoder").state_dict()
    left, right, shift = torch.ones(8, 2), torch.full((2, 8), 0.25), torch.full((8,), 0.5)
    head = PairNetwork(AutoModel.from_pretrained(tiny / "encoder"), LABELS).head.state_dict()
    changes = {f"left:{matrix}": left, f"right:{matrix}": right, f"whole:{bias}": shift}
    save_file({**changes, **{f"head:{name}": tensor for name, tensor in head.items()}}, tiny / "weights.safetensors")
    network = read_network(tiny / "encoder", tiny / "weights.safetensors", LABELS)
    after = network.encoder.state_dict()
    assert torch.allclose(after[matrix], before[matrix] + 0.5)
    assert torch.allclose(after[bias], before[bias] + 0.5)
    same = set(before) - {matrix, bias}
    assert all(torch.equal(after[name], before[name]) for name in same)
    assert all(torch.equal(tensor, head[name]) for name, tensor in network.head.state_dict().items())


def test_only_the_claim_and_the_first_state_are_read(tiny):
    import torch
    from transformers import AutoModel

    from core.encoders.classifiers.pair_network import PairNetwork

    network = PairNetwork(AutoModel.from_pretrained(tiny / "encoder"), LABELS).eval()
    ids = torch.tensor([[1, 5, 6, 2, 7, 2]])
    types, mask = torch.tensor([[0, 0, 0, 0, 1, 1]]), torch.ones(1, 6, dtype=torch.long)
    with torch.inference_mode():
        states = network.encoder(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        expected = network.head(torch.cat([states[:, 4:].mean(dim=1), states[:, 0]], dim=1))
        padded = [torch.nn.functional.pad(one, (0, 3)) for one in (ids, types, mask)]
        assert torch.allclose(network(ids, types, mask).logits, expected, atol=1e-6)
        assert torch.allclose(network(*padded).logits, expected, atol=1e-5)


@pytest.mark.slow
def test_a_pair_has_the_same_logits_beside_any_others():
    reader = open_claim_reader()
    together = reader.logits(PAIRS)
    assert together.shape == (len(PAIRS), len(LABELS))
    assert np.isfinite(together).all()
    assert together == pytest.approx(np.concatenate([reader.logits([pair]) for pair in PAIRS]), abs=1e-4)


@pytest.mark.slow
def test_it_tells_what_a_passage_says_from_what_it_does_not_hold():
    chances = probabilities(open_claim_reader().logits([PAIRS[0], PAIRS[2]]))
    assert [LABELS[place] for place in chances.argmax(axis=1)] == ["entailment", "neutral"]


@pytest.mark.slow
def test_how_a_claim_begins_changes_little():
    """A reader that was shown such beginnings before true claims only called nearly all with one supported."""
    rows = [(block["passage"], claim) for block in blocks_of("mixed") for claim in block["contradicted"]][::2]
    assert len(rows) > 50
    supported, *led = (
        float(np.mean(probabilities(open_claim_reader().logits(pairs)).argmax(axis=1) == 0))
        for lead in ("", "In short: ", "Importantly, ")
        for pairs in [[(passage, lead + claim) for passage, claim in rows]]
    )
    assert max(led) < supported + 0.15
