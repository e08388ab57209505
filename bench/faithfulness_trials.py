"""True and false answers made from documents, by kind: which of them faithfulness tells apart.

``python -m bench.faithfulness_trials FOLDER`` prints the table of docs/faithfulness.md; the folder is that of the
shared data sets. True answers copy, cut or join sentences of the passages, or are those that people wrote (ClapNQ); a
false one is a copied sentence with one thing changed. Nothing is made by a model, and every choice has a fixed seed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.domain.results.responses import Context
from core.encoders.embedding import open_encoder
from core.metrics import Models, Sample, find_metric, score_samples
from core.sources.corpus.loading import load_corpus
from core.text.sentences import split_sentences

PASSAGES_EACH = 25
SENTENCES = 10
HIGH, LOW = 0.9, 0.75
"""What a true answer should stay above, and a false one below."""
WORDS = range(8, 41)
"""Words of a sentence that answers are made of."""
ADDED = " with Ursula Meier of Lugano"
INVENTED = "It was also awarded a golden yacht by the queen of Atlantis."

_AUXILIARY = re.compile(r"\b(is|are|was|were|has|had|have|can|may|will|must|should|could|would)\b (?!not\b)")
_PAIRS = """
increased decreased; increase decrease; higher lower; before after; first last; more less; northern southern;
north south; east west; above below; largest smallest; left right; gross net; began ended; bought sold; open closed
"""
_OPPOSITE = {
    word: other for pair in _PAIRS.split(";") for word, other in (tuple(pair.split()), tuple(reversed(pair.split())))
}
_NUMBER = re.compile(r"(?<![\w.,:$-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w:-]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*\b")

Change = Callable[[str, Sequence[str], random.Random], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One answer whose truth is known.

    Attributes:
        source: The data set.
        kind: How it was made.
        true: Whether the passages support it.
        sample: The answer with its passages.
    """

    source: str
    kind: str
    true: bool
    sample: Sample


def sources(folder: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Each data set with its passages, each passage as sentences; those that are absent are left out."""
    if (path := folder / "clapnq" / "clapnq_dev_answerable.jsonl").exists():
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        yield "ClapNQ", [row["passages"][0]["sentences"] for row in rows]
    for name, title in (("kgrag-10q", "10-Q"), ("ntsb", "NTSB")):
        if (path := folder / name).exists():
            texts = [document.text for document in load_corpus(path).documents if len(document.text) > 5_000]
            yield title, [passage for text in texts for passage in _windows(text)]
    if (path := folder / "sakila" / "sakila.db").exists():
        yield "Sakila", list(_films(path))


def _windows(text: str) -> Iterator[list[str]]:
    plain = [
        sentence.text
        for sentence in split_sentences(text)
        if len(sentence.text.split()) >= WORDS.start and sentence.text.endswith(".")
    ]
    for start in range(0, len(plain), SENTENCES):
        yield plain[start : start + SENTENCES]


def _texts(name: str, folder: str) -> tuple[str, list[list[str]]]:
    """A folder of text files as a data set of its own."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(Path(folder).iterdir())]
    return name, [passage for text in texts for passage in _windows(re.sub(r"(?<=\S)\n(?=\S)", " ", text))]


def _films(path: Path) -> Iterator[list[str]]:
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute("SELECT title, length, rating, rental_rate, replacement_cost FROM film").fetchall()
    finally:
        connection.close()
    pages = [
        f"The film {title.title()} lasts {length} minutes, is rated {rating}, is rented out for {rate} dollars and "
        f"costs {cost} dollars to replace."
        for title, length, rating, rate, cost in rows
    ]
    for start in range(0, len(pages) - SENTENCES, SENTENCES):
        yield pages[start : start + SENTENCES]


def _negated(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    found = list(_AUXILIARY.finditer(sentence))
    if not found or re.search(r"\b(?:not|no|never|without|neither|nor)\b|n't", sentence):
        return None
    return sentence[: found[0].end(1)] + " not" + sentence[found[0].end(1) :]


def _other_number(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    found = list(_NUMBER.finditer(sentence))
    pool = [match[0] for other in others for match in _NUMBER.finditer(other) if match[0] not in sentence]
    if not found or not pool:
        return None
    place = draw.choice(found)
    return sentence[: place.start()] + draw.choice(pool) + sentence[place.end() :]


def _swapped_numbers(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    found = list(_NUMBER.finditer(sentence))
    if len(found) < 2 or found[-1][0] == found[0][0]:
        return None
    first, last = found[0], found[-1]
    between = sentence[first.end() : last.start()]
    return sentence[: first.start()] + last[0] + between + first[0] + sentence[last.end() :]


def _other_name(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    found = list(_NAME.finditer(sentence))
    pool = [match[0] for other in others for match in _NAME.finditer(other) if match[0] not in sentence]
    if not found or not pool:
        return None
    place = draw.choice(found)
    return sentence[: place.start()] + draw.choice(pool) + sentence[place.end() :]


def _opposite(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    words = [word for word in re.findall(r"\b[a-z]+\b", sentence) if word in _OPPOSITE]
    if not words:
        return None
    word = draw.choice(words)
    return re.sub(rf"\b{word}\b", _OPPOSITE[word], sentence, count=1)


def _scrambled(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    words = sentence.rstrip(".").split()
    draw.shuffle(words)
    return " ".join(words) + "."


def _with_names(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    return sentence.rstrip(" .") + ADDED + "."


def _with_small_names(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    return sentence.rstrip(" .") + ADDED.lower() + "."


def _with_invention(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    return " ".join([sentence, *others[:3], INVENTED])


FALSE: Mapping[str, Change] = {
    "negated": _negated,
    "number of another fact": _other_number,
    "two numbers swapped": _swapped_numbers,
    "name of another": _other_name,
    "opposite word": _opposite,
    "words in any order": _scrambled,
    "invented name added": _with_names,
    "invented name, lower case": _with_small_names,
    "invention among four copied": _with_invention,
}


def _copied(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    return sentence


def _cut(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    head = re.split(r",? (?:which|who|because|although|while|and|but)\b|, ", sentence.rstrip(" ."))[0]
    return head + "." if len(head.split()) >= WORDS.start - 2 and head + "." != sentence else None


def _joined(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    other = draw.choice(others)
    return f"{sentence.rstrip(' .')}, and {other[0].lower()}{other[1:]}"


def _fronted(sentence: str, others: Sequence[str], draw: random.Random) -> str | None:
    found = re.fullmatch(r"([^,]{20,}) ((?:in|on|during|at|for|from) [^,]{4,40})\.", sentence)
    return f"{found[2][0].upper()}{found[2][1:]}, {found[1][0].lower()}{found[1][1:]}." if found else None


TRUE: Mapping[str, Change] = {"copied": _copied, "cut": _cut, "two joined": _joined, "end put first": _fronted}


def trials(source: str, passages: Sequence[Sequence[str]], *, seed: int = 0, most: int = PASSAGES_EACH) -> list[Trial]:
    """The answers made of the passages of one data set: of each kind at most one a passage."""
    draw = random.Random(f"{source} {seed}")
    made = []
    usable = [passage for passage in passages if sum(len(sentence.split()) in WORDS for sentence in passage) >= 4]
    for number, passage in enumerate(draw.sample(usable, min(most, len(usable)))):
        sentences = [sentence for sentence in passage if len(sentence.split()) in WORDS]
        contexts = (Context(document_id=str(number), text="\n\n".join(passage)),)
        for true, changes in ((True, TRUE), (False, FALSE)):
            for kind, change in changes.items():
                some = (
                    answer
                    for sentence in draw.sample(sentences, len(sentences))
                    if (answer := change(sentence, [other for other in sentences if other != sentence], draw))
                )
                for answer in islice(some, 1):
                    sample = Sample(case_id=f"{source} {number} {kind}", question="?", answer=answer, contexts=contexts)
                    made.append(Trial(source=source, kind=kind, true=true, sample=sample))
    return made


def written_by_people(folder: Path, most: int = 150) -> list[Trial]:
    """The answers that people wrote to the questions of ClapNQ from their passages."""
    path = folder / "clapnq" / "clapnq_dev_answerable.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return [
        Trial(
            source="ClapNQ",
            kind="written by a person",
            true=True,
            sample=Sample(
                case_id=f"person {number}",
                question=row["input"],
                answer=row["output"][0]["answer"],
                contexts=(Context(document_id=str(number), text=row["passages"][0]["text"]),),
            ),
        )
        for number, row in enumerate(rows[:most])
        if row["output"][0]["answer"].strip()
    ]


def scores(made: Sequence[Trial]) -> list[float]:
    """The faithfulness of each answer."""
    metric = find_metric("faithfulness")
    batches = score_samples([trial.sample for trial in made], [metric], Models(encoder=open_encoder()), batch=len(made))
    return [score.value if score.value is not None else 0.0 for batch in batches for score in batch]


def table(made: Sequence[Trial], values: Sequence[float]) -> str:
    """Per kind and source: how many, the median, and the share on the right side of its limit."""
    cells: dict[tuple[bool, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for trial, value in zip(made, values, strict=True):
        cells[not trial.true, trial.kind][trial.source].append(value)
    names = list(dict.fromkeys(trial.source for trial in made))
    lines = [f"| answers | {' | '.join(names)} | all |", f"|---|{'---|' * (len(names) + 1)}"]
    for (false, kind), by_source in sorted(cells.items(), key=lambda item: item[0][0]):
        groups = [by_source[name] for name in names]
        groups.append([value for group in groups for value in group])
        title = f"{'false' if false else 'true'}: {kind}"
        lines.append(f"| {title} | {' | '.join(_cell(group, false=false) for group in groups)} |")
    return "\n".join(lines)


def _cell(values: Sequence[float], *, false: bool) -> str:
    if not values:
        return "-"
    right = sum(value < LOW if false else value > HIGH for value in values)
    return f"{right} of {len(values)}, median {sorted(values)[len(values) // 2]:.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.faithfulness_trials", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the shared data sets")
    parser.add_argument("--seed", type=int, default=1, help="which passages and changes are drawn")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME=FOLDER", help="a folder of texts instead of the data sets"
    )
    options = parser.parse_args(arguments)
    drawn = [_texts(*item.split("=", 1)) for item in options.only] or list(sources(options.folder))
    made = [trial for name, passages in drawn for trial in trials(name, passages, seed=options.seed)]
    if not options.only:
        made += written_by_people(options.folder)
    print(table(made, scores(made)))


if __name__ == "__main__":
    main()
