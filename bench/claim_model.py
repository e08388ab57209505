"""The reader of claims: what it is fitted on, and its weights.

``python -m bench.claim_model`` says how well the reader in core/encoders/classifiers does on the authors named in
``KEPT_APART``, which it is not fitted on; with ``--write`` it is fitted anew on all others of ``answers/claims``, which
takes an hour, and its weights are written. Each line of a file there is a passage with claims that it
supports, claims that it contradicts and claims that it does neither with, all written by one author. Since many of the
claims that are contradicted copy their passage but for a turn, the reader would take a copy for a contradiction; so
from the second round on it is also shown copied sentences, which are supported, and claims of other passages. Half of
all begin with words as answers have them ("In short: "), the true ones as often as the others.

The weights that are there were fitted by hand in more rounds: four on twelve of the authors, then one on the claims of
eleven more and one on everything.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from safetensors.torch import save_file
from transformers import AutoTokenizer

from bench.fitting import changes, fit
from bench.rated_answers import ABSENT, ANSWERS, KEPT_APART, KINDS, SUPPORTED, blocks_of
from core.encoders.classifiers.claim_reader import LABELS, WEIGHTS, open_claim_reader
from core.encoders.classifiers.pair_network import PairNetwork
from core.encoders.embedding import open_encoder
from core.encoders.loading import minilm_folder
from core.metrics.comparison.claim_reading import nearness, premise_of
from core.metrics.comparison.entailment import probabilities
from core.metrics.comparison.lexical import lookup_words, stems_of
from core.stats.ranks.auc import auc
from core.text.sentences import split_sentences
from core.text.words import STOP_WORDS, stem

ROUNDS_WITH_COPIES = 2
"""After one round of the claims alone."""
COPIES, OTHERS = 5, 2
"""Copied sentences, and claims of other passages, for each passage."""
LEADS = (
    *("Yes, ", "No, ", "Yes. ", "No. ", "Sure! ", "Correct: ", "Good question. ", "Unfortunately, ", "Short answer: "),
    *("In short: ", "In short, ", "In fact, ", "In other words, ", "In addition, ", "In summary, ", "That means: "),
    *("Generally, ", "Normally, ", "Specifically, ", "Additionally, ", "Overall, ", "Basically, ", "Otherwise, "),
    *("That said, ", "However, ", "Also, ", "Besides, ", "For example, ", "To be clear, ", "As stated, ", "- ", "1. "),
    *("According to the document, ", "According to the passage, ", "As the text says, ", "Please note: "),
)
LED = 0.5
"""Share of all that is shown that begins with one of these."""
JOINED = 0.2
"""Share of the copies that join two sentences."""

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Row:
    """A claim beside a passage.

    Attributes:
        premise: The sentences of the passage that are shown with it.
        claim: What is claimed.
        label: Place of its kind in `KINDS`.
    """

    premise: str
    claim: str
    label: int


def authors() -> Iterator[str]:
    """The names of the files."""
    return (path.stem for path in sorted((ANSWERS / "claims").glob("*.jsonl")))


def read_rows(author: str, tokenizer: Any) -> list[Row]:
    """The claims of an author, each with the sentences that the reader is shown."""
    return [
        row
        for block in blocks_of(author)
        for row in _rows(
            block["passage"], [(c, label) for label, kind in enumerate(KINDS) for c in block[kind]], tokenizer
        )
    ]


def read_copies(author: str, tokenizer: Any, seed: int = 0) -> list[Row]:
    """Sentences of an author's passages as they stand, and claims of his other passages."""
    generator = random.Random(seed)
    blocks = blocks_of(author)
    rows: list[Row] = []
    for block in blocks:
        sentences = [sentence.text for sentence in split_sentences(block["passage"])]
        some = generator.sample(sentences, min(COPIES, len(sentences)))
        claims = [(_joined(one, sentences, generator), KINDS.index(SUPPORTED)) for one in some]
        others = [other for other in generator.sample(blocks, OTHERS) if other is not block]
        claims += [(generator.choice(other[generator.choice(KINDS)]), KINDS.index(ABSENT)) for other in others]
        rows += _rows(block["passage"], claims, tokenizer)
    return rows


def _joined(one: str, sentences: Sequence[str], generator: random.Random) -> str:
    other = generator.choice(sentences)
    return f"{one} {other}" if generator.random() < JOINED and other != one else one


def _rows(passage: str, claims: Sequence[tuple[str, int]], tokenizer: Any) -> Iterator[Row]:
    sentences = [sentence.text for sentence in split_sentences(passage)]
    stems = [stems_of(sentence) for sentence in sentences]
    tokens = {sentence: len(tokenizer.tokenize(sentence)) for sentence in sentences}
    vectors = open_encoder().encode([*sentences, *(claim for claim, _ in claims)])
    cosines = vectors[len(sentences) :] @ vectors[: len(sentences)].T
    for (claim, label), row in zip(claims, cosines, strict=True):
        own = frozenset(stem(word) for word in lookup_words(claim) if word not in STOP_WORDS)
        near = nearness(row, own, stems)
        yield Row(premise_of(sentences, near, tokens.__getitem__), claim, label)


def fit_reader(claims: Sequence[Row], copies: Sequence[Row], tokenizer: Any, seed: int = 0) -> PairNetwork:
    """The reader, fitted on claims.

    Args:
        claims: What is shown in every round.
        copies: What is shown besides from the second round on.
        tokenizer: Of MiniLM.
        seed: Of the head's first weights, of the order and of what claims begin with.
    """
    random_words = random.Random(seed)
    rows = [
        replace(row, claim=random_words.choice(LEADS) + row.claim) if random_words.random() < LED else row
        for row in (*claims, *copies)
    ]
    tokens = tokenizer([row.premise for row in rows], [row.claim for row in rows], truncation="longest_first")
    pairs = list(zip(tokens["input_ids"], tokens["token_type_ids"], strict=True))
    return fit(pairs, [row.label for row in rows], LABELS, [len(claims), *[len(rows)] * ROUNDS_WITH_COPIES], seed)


def main() -> None:
    """Fit the reader if asked to, and print how well it does on the authors kept apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="fit it anew and write its weights")
    tokenizer = AutoTokenizer.from_pretrained(str(minilm_folder()))
    if parser.parse_args().write:
        fitted = [author for author in authors() if author not in KEPT_APART]
        claims = [row for author in fitted for row in read_rows(author, tokenizer)]
        copies = [row for author in fitted for row in read_copies(author, tokenizer)]
        print(f"fitted on {len(claims)} claims and {len(copies)} copies and claims of other passages")
        save_file(changes(fit_reader(claims, copies, tokenizer)), WEIGHTS)
    reader = open_claim_reader()
    print("| claims | n | right | supported above contradicted | supported above not there |\n|---|---|---|---|---|")
    for author in KEPT_APART:
        rows = read_rows(author, tokenizer)
        labels = np.array([row.label for row in rows])
        chances = probabilities(reader.logits([(row.premise, row.claim) for row in rows]))
        areas = [
            auc(chances[chosen, 0], labels[chosen] == 0) for chosen in ((labels == 0) | (labels == 1), labels != 1)
        ]
        right = float(np.mean(chances.argmax(axis=1) == labels))
        print(f"| {author} | {len(rows)} | {right:.3f} | {areas[0]:.3f} | {areas[1]:.3f} |")


if __name__ == "__main__":
    main()
