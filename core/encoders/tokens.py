"""Tokens of texts as the sentence encoder counts them, without loading the model where its tokenizer lies beside it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.encoders.batches import cut_words
from core.encoders.opened import opened_once
from core.encoders.protocols import MINILM
from core.settings import settings

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER = "tokenizer.json"
LIMITS = "sentence_bert_config.json"
UNLIMITED = 256
"""Tokens that are taken as the capacity of a model which reads texts of any length."""
AT_ONCE = 500_000
"""Characters that the tokenizer is given together: its record of each token takes a hundred times the text."""


class TokenCounter:
    """Counts tokens; threads may share it.

    Args:
        name: The encoder's name, as the setting gives it.
        tokenizer: Of a fast kind.
        capacity: Tokens of a text that the encoder reads at once, special ones not counted.
    """

    def __init__(self, name: str, tokenizer: Tokenizer, capacity: int) -> None:
        self.name = name
        self.capacity = capacity
        self._tokenizer = tokenizer
        self._word: int | None = getattr(tokenizer.model, "max_input_chars_per_word", None)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones not counted; words that are cut for the encoder are counted as it reads."""
        counts = [0] * len(texts)
        for batch in _batches(texts):
            read = [cut_words(piece, self._word) if self._word else piece for _, piece in batch]
            encodings = self._tokenizer.encode_batch_fast(read, add_special_tokens=False)
            for (number, _), encoding in zip(batch, encodings, strict=True):
                counts[number] += len(encoding.ids)
        return counts

    def places(self, text: str) -> list[tuple[int, int]]:
        """The characters of each token of a text; each character alone of a word that the tokenizer gives up on."""
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        longest = self._word or len(text)
        return [
            place
            for start, end in offsets
            for place in ([(start, end)] if end - start <= longest else [(at, at + 1) for at in range(start, end)])
        ]


def _batches(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """Texts with their places, so many together as the tokenizer is given; longer ones in pieces, cut at blanks."""
    batch: list[tuple[int, str]] = []
    size = 0
    for number, text in enumerate(texts):
        for piece in _pieces(text):
            if batch and size + len(piece) > AT_ONCE:
                yield batch
                batch, size = [], 0
            batch.append((number, piece))
            size += len(piece)
    if batch:
        yield batch


def _pieces(text: str) -> Iterator[str]:
    at = 0
    while len(text) - at > AT_ONCE:
        end = max(text.rfind(" ", at, at + AT_ONCE), text.rfind("\n", at, at + AT_ONCE))
        end = end if end > at else at + AT_ONCE
        yield text[at:end]
        at = end
    yield text[at:] if at else text


def open_counter(spec: str = "") -> TokenCounter:
    """The counter of an encoder's tokens; opened once in a process.

    Args:
        spec: As `core.encoders.embedding.open_encoder` takes it; empty takes the setting ``PLUMBLINE_ENCODER``.

    Raises:
        InvalidInput: There is no such encoder, or its tokenizer is of another kind.
    """
    return _open(spec.strip() or settings().encoder)


@opened_once
def _open(spec: str) -> TokenCounter:
    from core.encoders.loading import load_model, minilm_folder
    from core.encoders.transformer import encoder_of

    folder = minilm_folder() if spec == MINILM else Path(spec).expanduser()
    if (folder / TOKENIZER).is_file() and (folder / LIMITS).is_file():
        limits = json.loads((folder / LIMITS).read_text(encoding="utf-8"))
        if isinstance(longest := limits.get("max_seq_length"), int):
            return _counter(spec, (folder / TOKENIZER).read_text(encoding="utf-8"), longest)
    model = load_model(spec, "float32")
    encoder_of(model, spec, "float32")  # refuses what cannot be used, with the reason
    limit = model.max_seq_length
    longest = UNLIMITED if limit is None or limit == math.inf else int(limit)
    backend = getattr(model.tokenizer, "backend_tokenizer", model.tokenizer)
    return _counter(spec, backend.to_str(), longest)


def _counter(spec: str, tokenizer: str, longest: int) -> TokenCounter:
    from tokenizers import Tokenizer

    read = Tokenizer.from_str(tokenizer)
    read.no_padding()
    read.no_truncation()
    return TokenCounter(spec, read, max(1, longest - read.num_special_tokens_to_add(False)))
