"""Tokens are counted as the encoder counts them, from its own tokenizer."""

import shutil

import pytest

from core.domain.errors import InvalidInput
from core.encoders.loading import minilm_folder
from core.encoders.tokens import open_counter


def test_minilm_reads_256_tokens_two_of_them_its_own():
    counter = open_counter("minilm")
    assert counter.capacity == 254
    assert open_counter("minilm") is counter


def test_tokens_and_their_places():
    counter = open_counter("minilm")
    assert counter.count(["", "The fee is 3.", "unaffordable"]) == [0, 5, 4]
    assert [("The fee is 3."[start:end]) for start, end in counter.places("The fee is 3.")] == [
        "The",
        "fee",
        "is",
        "3",
        ".",
    ]


def test_a_folder_is_read_without_its_weights(tmp_path):
    for name in ("tokenizer.json", "sentence_bert_config.json"):
        shutil.copy(minilm_folder() / name, tmp_path / name)
    assert open_counter(str(tmp_path)).count(["The fee is 3."]) == [5]


def test_no_such_encoder(tmp_path):
    with pytest.raises(InvalidInput, match="sentence encoder"):
        open_counter(str(tmp_path / "none"))


def test_a_word_that_the_tokenizer_gives_up_on_is_counted_as_it_is_encoded():
    counter = open_counter("minilm")
    assert counter.count(["x" * 400])[0] > 16
    assert counter.places("ab " + "x" * 150)[:3] == [(0, 2), (3, 4), (4, 5)]
