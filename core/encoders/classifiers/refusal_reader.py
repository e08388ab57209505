"""The reader of refusals that comes with Plumbline: MiniLM, taught to tell whether a reply gives what was asked.

The packaged MiniLM reads question and reply together. What was learned lies beside this module as
`core.encoders.classifiers.changes` has it, with a head of two layers over the mean of the reply's states and the first
state. ``python -m bench.refusal_model`` fits it and says on which replies, and how well it does on authors left out. It
is computed with numpy, since every verdict asks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.encoders.classifiers.changes import applied, head_of
from core.encoders.loading import minilm_folder, minilm_installed
from core.encoders.numpy_bert import NumpyBert, read_tokenizer, read_weights
from core.encoders.opened import opened_once
from core.encoders.protocols import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS: Final = Path(__file__).with_name("refusal_reader.safetensors")
MOST_TOKENS: Final = 256
"""Of question and reply, with three special ones."""
MOST_OF_QUESTION: Final = 64
"""The last ones are read: what is asked stands at the end."""
FIRST_OF_REPLY: Final = 170
"""A reply that is too long is read by so many of its first tokens, and by its last."""
DIGITS: Final = 3
"""Decimals of log odds: machines differ in the sixth."""
KEPT: Final = 5_000
"""Replies whose log odds are remembered."""
FIRST_CHARACTERS, LAST_CHARACTERS = 2_000, 1_000
"""Of a text, which hold more tokens than are read: a reply of megabytes is neither cut into all its tokens nor kept."""
LABELS: Final = ("answers", "declines")
LEAST_KNOWN: Final = 0.7
"""Share of a reply's words that the vocabulary has whole, below which it is of another language."""
FEWEST_WORDS: Final = 3
"""A reply of fewer words in small letters may be of any language."""
_MARKS = ".,;:!?()\"'"
_CLS, _SEP = 101, 102
"""The special tokens of MiniLM's vocabulary."""


class RefusalReader:
    """Tells how likely a reply leaves its question open; threads may share it.

    Args:
        encoder: MiniLM with its changes.
        head: ``0.weight``, ``0.bias``, ``2.weight`` and ``2.bias`` of the two layers; the second gives a logit for
            "answers" and one for "declines".
        tokenizer: Of MiniLM.
    """

    def __init__(self, encoder: NumpyBert, head: Mapping[str, Floats], tokenizer: Tokenizer) -> None:
        self._encoder = encoder
        self._head = head
        self._tokenizer = tokenizer

    def log_odds(self, question: str, reply: str) -> float:
        """Log odds that a reply declines.

        Args:
            question: What was asked.
            reply: What the target said.
        """
        ids, kinds = self.tokens(question, reply)
        states = self._encoder.states(ids, kinds)
        seen = np.concatenate([states[np.array(kinds) == 1].mean(axis=0), states[0]])
        hidden = np.tanh(self._head["0.weight"] @ seen + self._head["0.bias"])
        answers, declines = self._head["2.weight"] @ hidden + self._head["2.bias"]
        return round(float(declines - answers), DIGITS)

    def knows(self, reply: str) -> bool:
        """Whether most words of a text in small letters are whole in the vocabulary, or there are few."""
        bare = (word.strip(_MARKS) for word in reply.split())
        words = [word for word in bare if word.isalpha() and word.islower()]
        known = sum(self._tokenizer.token_to_id(word) is not None for word in words)
        return len(words) < FEWEST_WORDS or known >= LEAST_KNOWN * len(words)

    def tokens(self, question: str, reply: str) -> tuple[list[int], list[int]]:
        """The tokens that are read, and 0 for those of the question and 1 for those of the reply.

        Args:
            question: What was asked.
            reply: What the target said.
        """
        asked = self._tokenizer.encode(question, add_special_tokens=False).ids[-MOST_OF_QUESTION:]
        said = self._tokenizer.encode(reply, add_special_tokens=False).ids
        room = MOST_TOKENS - 3 - len(asked)
        if len(said) > room:
            said = [*said[:FIRST_OF_REPLY], *said[FIRST_OF_REPLY - room :]]
        return [_CLS, *asked, _SEP, *said, _SEP], [0] * (len(asked) + 2) + [1] * (len(said) + 1)


def reads_as_english(reply: str) -> bool:
    """Whether the reader knows the language of a reply: most of its words are whole in the vocabulary.

    Args:
        reply: What the target said.
    """
    return open_refusal_reader().knows(ends_of(reply))


def refusal_reader_there() -> bool:
    """Whether there is a MiniLM that the reader can be opened from."""
    return minilm_installed()


def refusal_odds(question: str, reply: str) -> float:
    """Log odds that a reply declines.

    Args:
        question: What was asked.
        reply: What the target said.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    return _odds(question[-LAST_CHARACTERS:], ends_of(reply))


@lru_cache(maxsize=KEPT)
def _odds(question: str, reply: str) -> float:
    return open_refusal_reader().log_odds(question, reply)


def ends_of(text: str) -> str:
    """What is read of a text: of a long one its beginning and its end.

    Args:
        text: A reply.
    """
    if len(text) <= FIRST_CHARACTERS + LAST_CHARACTERS:
        return text
    return f"{text[:FIRST_CHARACTERS]} {text[-LAST_CHARACTERS:]}"


@opened_once
def open_refusal_reader() -> RefusalReader:
    """The reader of refusals, opened once in a process.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    return read_refusal_reader()


def read_refusal_reader() -> RefusalReader:
    """The reader of the weights beside this module, opened anew.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    from safetensors.numpy import load_file

    folder = minilm_folder()
    learned = load_file(WEIGHTS)
    encoder = NumpyBert(applied(read_weights(folder), learned))
    return RefusalReader(encoder, head_of(learned), read_tokenizer(folder))
