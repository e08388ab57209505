"""The packaged encoder, computed without torch."""

import numpy as np
import pytest
from scipy.special import ndtr

from core.encoders.loading import minilm_folder
from core.encoders.numpy_bert import DIMENSION, PACKED, NumpyBert, activated, read_tokenizer, read_weights

PAIRS = [
    ("How long is the interval?", "The leaflet keeps mum about it."),
    ("", "Seven to ten."),
    ("Who?", "word " * 200),
]


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=["a pair", "one text", "a long one"])
def test_the_states_are_those_of_the_model(pair):
    import torch
    from transformers import AutoModel

    folder = minilm_folder()
    encoded = read_tokenizer(folder).encode(*pair)
    states = NumpyBert(read_weights(folder)).states(encoded.ids, encoded.type_ids)
    model = AutoModel.from_pretrained(str(folder), dtype=torch.float32).eval()
    with torch.inference_mode():
        expected = model(torch.tensor([encoded.ids]), token_type_ids=torch.tensor([encoded.type_ids])).last_hidden_state
    assert states.shape == (len(encoded.ids), DIMENSION)
    assert states.dtype == np.float32
    assert np.allclose(states, expected[0].numpy(), atol=1e-4)


def test_texts_computed_together_have_the_states_that_each_has_alone():
    folder = minilm_folder()
    tokenizer, bert = read_tokenizer(folder), NumpyBert(read_weights(folder))
    encoded = [tokenizer.encode(*pair) for pair in [*PAIRS, ("Why?", "because " * (PACKED // 2)), *PAIRS]]
    texts = [(text.ids, text.type_ids) for text in encoded]
    assert PACKED < sum(len(ids) for ids, _ in texts) < 3 * PACKED
    together = list(bert.states_of(texts))
    for states, (ids, kinds) in zip(together, texts, strict=True):
        assert np.allclose(states, bert.states(ids, kinds), atol=1e-5)
    assert list(bert.states_of([])) == []


def test_the_activation_is_the_gaussian_error_linear_unit():
    values = np.linspace(-12, 12, 24_001, dtype=np.float32).reshape(-1, 1)
    expected = values * ndtr(values.astype(np.float64))
    found = activated(values)
    assert found.dtype == np.float32
    assert np.abs(found - expected).max() < 1e-6
    assert np.isfinite(activated(np.array([[-3e38, 0.0, 3e38]], dtype=np.float32))).all()
