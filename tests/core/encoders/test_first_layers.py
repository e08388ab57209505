"""The first layers of the packaged encoder, computed without torch."""

import numpy as np
import pytest

from core.encoders.first_layers import DIMENSION, LAYERS, MAX_TOKENS, open_first_layers

TEXTS = ["the leaflet keeps mum about it.", "seven to ten.", "", "word " * (2 * MAX_TOKENS)]


def test_a_text_has_one_vector_whatever_its_neighbours():
    encoder = open_first_layers()
    together = encoder.encode(TEXTS)
    assert together.shape == (len(TEXTS), DIMENSION)
    assert together.dtype == np.float32
    assert np.isfinite(together).all()
    assert np.array_equal(together[1], encoder.encode([TEXTS[1]])[0])
    assert encoder.encode([]).shape == (0, DIMENSION)
    assert open_first_layers() is encoder


@pytest.mark.slow
def test_the_states_are_those_of_the_model():
    import torch

    from core.encoders.loading import load_model, minilm_folder

    model = load_model(str(minilm_folder()), "float32")
    inputs = model.tokenizer(TEXTS[0], return_tensors="pt")
    with torch.inference_mode():
        states = model[0].auto_model(**inputs, output_hidden_states=True).hidden_states[LAYERS]
    assert np.allclose(open_first_layers().encode(TEXTS[:1])[0], states[0].mean(0).numpy(), atol=1e-4)
