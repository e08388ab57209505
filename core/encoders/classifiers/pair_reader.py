"""The small readers that come with Plumbline and are asked about every answer: MiniLM, taught one yes or no.

The packaged MiniLM reads a text behind others, such as a reply behind its question. What was learned lies beside this
module as `core.encoders.classifiers.changes` has it, with a head of two layers over the mean of the last text's states
and the first state. It is computed with numpy, without torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.encoders.classifiers.changes import applied, head_of
from core.encoders.loading import minilm_folder
from core.encoders.numpy_bert import NumpyBert, read_tokenizer, read_weights
from core.encoders.protocols import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MOST_TOKENS: Final = 256
"""Of all texts, the special ones among them."""
MOST_OF_OTHERS: Final = 64
"""Of each text in front of the last one, of which the last ones are read: what is asked stands at the end."""
FIRST_PART: Final = 0.7
"""Of what is read of a last text that is too long, the part that is its beginning; the rest is its end."""
FIRST_CHARACTERS, LAST_CHARACTERS = 2_000, 1_000
"""Of a text, which hold more tokens than are read: a reply of megabytes is neither cut into all its tokens nor kept."""
DIGITS: Final = 3
"""Decimals of log odds: machines differ in the sixth."""
_CLS, _SEP = 101, 102
"""The special tokens of MiniLM's vocabulary."""


class PairReader:
    """Says how likely the second of two classes is for a text behind others; threads may share it.

    Args:
        encoder: MiniLM with its changes.
        head: ``0.weight``, ``0.bias``, ``2.weight`` and ``2.bias`` of the two layers; the second gives two logits.
        tokenizer: Of MiniLM.
    """

    def __init__(self, encoder: NumpyBert, head: Mapping[str, Floats], tokenizer: Tokenizer) -> None:
        self._encoder = encoder
        self._head = head
        self._tokenizer = tokenizer

    def log_odds(self, *texts: str) -> float:
        """Log odds of the second class.

        Args:
            texts: What is read, the text in question last.
        """
        return self.log_odds_of([texts])[0]

    def log_odds_of(self, read: Sequence[Sequence[str]]) -> list[float]:
        """The same of several, in order; together they take half the time that they take one after the other.

        Args:
            read: The texts of each.
        """
        tokens = [self.tokens(*texts) for texts in read]
        states = self._encoder.states_of(tokens)
        return [self._odds(of_one, kinds) for of_one, (_, kinds) in zip(states, tokens, strict=True)]

    def _odds(self, states: Floats, kinds: Sequence[int]) -> float:
        seen = np.concatenate([states[np.array(kinds) == 1].mean(axis=0), states[0]])
        hidden = np.tanh(self._head["0.weight"] @ seen + self._head["0.bias"])
        first, second = self._head["2.weight"] @ hidden + self._head["2.bias"]
        return round(float(second - first), DIGITS)

    def tokens(self, *texts: str) -> tuple[list[int], list[int]]:
        """The tokens that are read, and 1 for those of the last text, else 0.

        Args:
            texts: What is read, the text in question last.
        """
        ids = [_CLS]
        for text in texts[:-1]:
            ids += [*self._ids(text)[-MOST_OF_OTHERS:], _SEP]
        said = self._ids(texts[-1])
        room = MOST_TOKENS - len(ids) - 1
        if len(said) > room:
            first = round(FIRST_PART * room)
            said = [*said[:first], *said[first - room :]]
        return [*ids, *said, _SEP], [0] * len(ids) + [1] * (len(said) + 1)

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(ends_of(text), add_special_tokens=False).ids
        return ids


def ends_of(text: str) -> str:
    """What is read of a text: of a long one its beginning and its end.

    Args:
        text: A reply.
    """
    if len(text) <= FIRST_CHARACTERS + LAST_CHARACTERS:
        return text
    return f"{text[:FIRST_CHARACTERS]} {text[-LAST_CHARACTERS:]}"


def learned_parts(weights: Path) -> tuple[NumpyBert, dict[str, Floats], Tokenizer]:
    """What a reader is made of: MiniLM with the changes of a file of weights, the head and the tokenizer.

    Args:
        weights: safetensors, as `core.encoders.classifiers.changes` has them.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    from safetensors.numpy import load_file

    folder = minilm_folder()
    learned = load_file(weights)
    return NumpyBert(applied(read_weights(folder), learned)), head_of(learned), read_tokenizer(folder)
