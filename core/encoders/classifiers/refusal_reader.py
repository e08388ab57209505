"""The reader of refusals that comes with Plumbline: MiniLM, taught to tell whether a reply gives what was asked.

The packaged MiniLM reads question and reply together (`core.encoders.classifiers.pair_reader`). ``python -m
bench.refusal_model`` fits it and says on which replies, and how well it does on authors left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from core.encoders.classifiers.pair_reader import LAST_CHARACTERS, PairReader, ends_of, learned_parts
from core.encoders.loading import minilm_installed
from core.encoders.opened import opened_once

WEIGHTS: Final = Path(__file__).with_name("refusal_reader.safetensors")
LABELS: Final = ("answers", "declines")
KEPT: Final = 5_000
"""Replies whose log odds are remembered, the latest."""
LEAST_KNOWN: Final = 0.7
"""Share of a reply's words that the vocabulary has whole, below which it is of another language."""
FEWEST_WORDS: Final = 3
"""A reply of fewer words in small letters may be of any language."""
_MARKS = ".,;:!?()\"'"


class RefusalReader(PairReader):
    """Tells how likely a reply leaves its question open; threads may share it."""

    def knows(self, reply: str) -> bool:
        """Whether most words of a text in small letters are whole in the vocabulary, or there are few."""
        bare = (word.strip(_MARKS) for word in reply.split())
        words = [word for word in bare if word.isalpha() and word.islower()]
        known = sum(self._tokenizer.token_to_id(word) is not None for word in words)
        return len(words) < FEWEST_WORDS or known >= LEAST_KNOWN * len(words)


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
    return refusal_odds_of([(question, reply)])[0]


def refusal_odds_of(replies: Sequence[tuple[str, str]]) -> list[float]:
    """The same of several; together they take half the time that they take one after the other.

    Args:
        replies: The question and what the target said, of each.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    read = [(question[-LAST_CHARACTERS:], ends_of(reply)) for question, reply in replies]
    found = {pair: odds for pair in read if (odds := _remembered.get(pair)) is not None}
    if missing := [pair for pair in dict.fromkeys(read) if pair not in found]:
        new = dict(zip(missing, open_refusal_reader().log_odds_of(missing), strict=True))
        found |= new
        with _remembering:
            _remembered.update(new)
            for pair in list(_remembered)[:-KEPT]:
                del _remembered[pair]
    return [found[pair] for pair in read]


_remembered: dict[tuple[str, str], float] = {}
_remembering = Lock()


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
    return RefusalReader(*learned_parts(WEIGHTS))
