"""A program that reads and cuts a file of one long line and prints what that took: megabytes at most, and chunks."""

from __future__ import annotations

import json
import random
import resource
import sys
from pathlib import Path

from core.encoders.tokens import open_counter
from core.sources.corpus import load_corpus
from core.sources.corpus.chunks.chunking import chunk_corpus, chunking_for

WORDS = ("the", "fee", "of", "a", "gold", "card", "is", "due", "on", "first", "day", "month", "bank", "branch", "rate")
KINDS = ("sentences", "no full stop", "one word", "wide table", "one record")


def write_line(path: Path, kind: str, size: int) -> Path:
    """A file of one line of so many characters; `kind` is one of `KINDS`."""
    draw = random.Random(0)
    words = [draw.choice(WORDS) for _ in range(size // 4)]
    text = " ".join(words)[:size]
    if kind == "sentences":
        rows = (" ".join(words[at : at + 12]).capitalize() for at in range(0, len(words), 12))
        text = ". ".join(rows)[:size]
    elif kind == "one word":
        text = "x" * size
    elif kind == "wide table":
        text = ",".join(words)[:size]
    file = path / f"line{'.csv' if kind == 'wide table' else '.jsonl' if kind == 'one record' else '.txt'}"
    file.write_text(json.dumps({"id": "1", "text": text}) if kind == "one record" else text, encoding="utf-8")
    return file


def main(place: str) -> None:
    """Reads and cuts."""
    counter = open_counter("minilm")
    corpus = load_corpus(Path(place))
    chunks = sum(1 for _ in chunk_corpus(corpus.documents, counter, chunking_for(counter)))
    print(json.dumps({"mb": most_megabytes(), "chunks": chunks}))


def most_megabytes() -> int:
    """The most memory this program has had.

    Not what it shared with the process that started it, which the system's own peak counts where it is told of none
    after the program began.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 // 1024  # bytes on macOS


if __name__ == "__main__":
    main(sys.argv[1])
