"""The reader of refusals: what it is fitted on, and its weights.

``python -m bench.refusal_model ../shared/data`` says how well the reader in core/encoders/classifiers, and the rules
with it, do on the authors named in ``KEPT_APART``, whom neither has seen; with ``--write`` it is fitted anew on all
others, which takes an hour, and its weights are written. It is fitted on replies to questions: the labelled ones of the
tests, those of ``answers``, answers that are known to be correct and what people wrote for ClapNQ.

The weights that are there were not fitted in one go. Three rounds on what there was before the replies of ``STYLES``,
then three more on these, beside a part of the others, made those of version 10 of `answered`. Two fits went on from
them, each of two rounds on the styles that came since, ``TOPICS`` and the tests' replies, with one half of the others
each; half of version 10 and a quarter of each of the two are the weights of version 11.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from safetensors.torch import save_file

from bench.beside import beside
from bench.fitting import changes, fit
from core.encoders.classifiers.refusal_reader import LABELS, WEIGHTS, open_refusal_reader, read_refusal_reader
from core.judging.match.abstention import Outcome, read_ahead, read_answer
from core.text.words import STOP_WORDS

ANSWERS = Path(__file__).resolve().parent / "answers"
TESTS = Path(__file__).resolve().parents[1] / "tests" / "core" / "judging" / "match"
LABELLED = ("abstention/labelled.jsonl", "abstention/transfer.jsonl")
STRANGERS = "abstention/strangers.jsonl"
UNSEEN = frozenset({"twentieth", "twenty-first", "twenty-second"})
"""Batches of both that it is not fitted on; the rules were mended on them."""
CORRECT = (
    *("style_answers.json", "domain_answers.json", "long_answers.json", "record_answers.json", "text_cases.json"),
    "stranger_answers.json",
)
"""Answers with a verdict; a correct one answers."""
MOST_CORRECT = 3_000
CLAPNQ, MOST_OF_CLAPNQ = "clapnq/clapnq_dev_answerable.jsonl", 500
WRITTEN = ("refusals.txt", "related_facts.txt", "policy.txt", "reports.txt")
"""Blocks of a domain ("@"), a question ("Q") and replies: "-" declines, "?" asks back, "~" partly, "+" answers."""
DEPLOYED = tuple(f"deployed/{letter}.txt" for letter in "abcdefghijklmnopqr")
"""Replies as assistants of today give them, a file for each author."""
STYLES = tuple(f"styles/{path.stem}.txt" for path in sorted((ANSWERS / "styles").glob("*.txt")))
"""The same, of authors each of whom was given a style; half of what declines has no word that refusals have."""
_APART = (
    "financial records public conversations logs filings_and_records help_and_manuals figures_of_records offices"
    " industry terse_and_rows wordy helpdesk agency counter bank_reports knowledge_base"
)
KEPT_APART = tuple(f"styles/{style}.txt" for style in _APART.split())
TOPICS = tuple(f"topics/{path.stem}.txt" for path in sorted((ANSWERS / "topics").glob("*.txt")))
"""Answers to several questions about one thing, a file for each author; each is beside the other questions."""
BESIDE_IN_A_TOPIC, BESIDE_IN_A_DOMAIN, MOST_BESIDE_IN_DOMAINS = 2, 1, 1_500
MTRAG = "mtrag/reference_subset_with_human_evaluations.json"
FRAMES = "frames.txt"
"""Topics ("T": topic, source, who knows, question) and refusals with blanks for them."""
TOPICS_OF_A_FRAME = 2
MOST_JOINED, LONGEST_JOINED, FEWEST_JOINED = 6, 140, 6
"""Pairs of a kind for each question, characters of a reply that is joined, words of a refusal of its own."""
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Reply:
    """A labelled reply.

    Attributes:
        question: What was asked.
        text: The reply.
        declines: Whether it leaves the question open.
    """

    question: str
    text: str
    declines: bool


def fitted_on(folder: Path) -> list[Reply]:
    """Every reply that the reader may see.

    Args:
        folder: Of the shared data sets.
    """
    rows = [json.loads(line) for name in LABELLED for line in (TESTS / name).read_text(encoding="utf-8").splitlines()]
    replies = [
        Reply(row["question"], row["answer"], row["outcome"] in {"declined", "asks back"})
        for row in rows
        if row.get("batch") not in UNSEEN
    ]
    rows = [json.loads(line) for line in (TESTS / STRANGERS).read_text(encoding="utf-8").splitlines()]
    replies += [Reply(row["question"], row["answer"], row["declines"]) for row in rows if row["batch"] not in UNSEEN]
    written = [(domain, reply) for name in WRITTEN for domain, reply, mark in blocks_of(name) if mark in "-+"]
    for name in (*WRITTEN, *DEPLOYED, *(name for name in STYLES if name not in KEPT_APART)):
        replies += [reply for _, reply, _ in blocks_of(name)]
    generator = random.Random(0)
    correct, told = list(_correct()), list(_told_by_people(folder))
    replies += generator.sample(correct, min(MOST_CORRECT, len(correct)))
    replies += generator.sample(told, min(MOST_OF_CLAPNQ, len(told)))
    replies += _told_of_topics()
    replies += _laid_beside(TOPICS, BESIDE_IN_A_TOPIC)
    styles = [name for name in STYLES if name not in KEPT_APART]
    replies += generator.sample(list(_laid_beside(styles, BESIDE_IN_A_DOMAIN)), MOST_BESIDE_IN_DOMAINS)
    return [*replies, *_joined(written), *_framed(), *_of_conversations(folder)]


def blocks_of(name: str) -> Iterator[tuple[str, Reply, str]]:
    """The domain of every reply of a file, the reply and its mark.

    Args:
        name: Of the file below ``answers``.
    """
    domain = question = ""
    for line in (ANSWERS / name).read_text(encoding="utf-8").splitlines():
        mark, text = line[0], line[2:]
        if mark == "@":
            domain = text
        elif mark == "Q":
            question = text
        else:
            yield domain, Reply(question, text.replace("\\n", "\n"), mark in "-?"), mark


def _told_of_topics() -> Iterator[Reply]:
    """The answers of `TOPICS`, without those that say what is unknown: an author's "nobody knows" may be no answer."""
    for name in TOPICS:
        for _, reply, _ in blocks_of(name):
            if read_answer(reply.question, reply.text, by_rules=True).outcome is Outcome.ANSWERED:
                yield reply


def _laid_beside(names: Iterable[str], most: int) -> Iterator[Reply]:
    """Answers of files beside other questions of their topic."""
    for name in names:
        answers = [(domain, reply.question, reply.text) for domain, reply, mark in blocks_of(name) if mark == "+"]
        for question, text in beside(answers, most):
            yield Reply(question, text, declines=True)


def _correct() -> Iterator[Reply]:
    """Answers that are known to be correct, but for those to questions whose right answer is that there is none."""
    seen = set()
    for name in CORRECT:
        for row in json.loads((TESTS / "tables" / name).read_text(encoding="utf-8")):
            key = row["question"], row["answer"]
            if row["verdict"] == "correct" and key not in seen and not _declines(row["references"]):
                yield Reply(*key, declines=False)
            seen.add(key)


def _declines(references: Sequence[str]) -> bool:
    return any(read_answer("", reference, by_rules=True).outcome.declines for reference in references)


def _told_by_people(folder: Path) -> Iterator[Reply]:
    for row in map(json.loads, (folder / CLAPNQ).read_text(encoding="utf-8").splitlines()):
        for output in row["output"]:
            if output["answer"].strip(" .") not in {"", "NA"}:
                yield Reply(row["input"], output["answer"], declines=False)


def conversations_seen(folder: Path) -> frozenset[str]:
    """The half of MTRAG's conversations that it is fitted on; the others tell how it does on such answers.

    Args:
        folder: Of the shared data sets.
    """
    tasks = json.loads((folder / MTRAG).read_text(encoding="utf-8"))["tasks"]
    every = sorted({task["task_id"].partition("<::>")[0] for task in tasks})
    random.Random(0).shuffle(every)
    return frozenset(every[: len(every) // 2])


def _of_conversations(folder: Path) -> Iterator[Reply]:
    """The replies of MTRAG's conversations that it is fitted on; the rules, which err on none, say what declines."""
    data = json.loads((folder / MTRAG).read_text(encoding="utf-8"))
    seen = conversations_seen(folder)
    tasks = {task["task_id"]: task for task in data["tasks"] if task["task_id"].partition("<::>")[0] in seen}
    pairs = {
        (asked["text"], told["text"])
        for task in tasks.values()
        for asked, told in pairwise([*task["input"], *task["targets"]])
        if asked["speaker"] == "user"
    }
    pairs |= {
        (tasks[row["task_id"]]["input"][-1]["text"], row["model_response"])
        for row in data["evaluations"]
        if row["task_id"] in tasks
    }
    for question, text in sorted(pairs):
        yield Reply(question, text, read_answer(question, text, by_rules=True).outcome.declines)


def _joined(written: Sequence[tuple[str, Reply]]) -> Iterator[Reply]:
    """Two replies of a domain as one.

    A refusal, with what answers the domain's other question or declines as well, declines; an answer, with a refusal
    of the other question or more of the answer, answers.
    """
    told: dict[str, dict[str, dict[bool, list[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for domain, reply in written:
        if len(reply.text) < LONGEST_JOINED:
            told[domain][reply.question][reply.declines].append(reply.text)
    for questions in told.values():
        for question, own in questions.items():
            nothing: dict[bool, list[str]] = {True: [], False: []}
            other = next((one for asked, one in questions.items() if asked != question), nothing)
            asked = set(question.lower().split())
            apart = [text for text in other[True] if len(text.split()) >= FEWEST_JOINED]
            apart = [text for text in apart if not asked & set(text.lower().split()) - STOP_WORDS]
            for first, second, declines in (
                (own[True], own[True][3:], True),
                (other[False], own[True], True),
                (own[True][2:], other[False], True),
                (own[False], apart, False),
                (own[False], own[False][2:], False),
            ):
                for one, two in list(zip(first, second, strict=False))[:MOST_JOINED]:
                    yield Reply(question, f"{_ended(one)} {two}", declines)


def _ended(text: str) -> str:
    return text if text[-1] in ".!?" else f"{text}."


def _framed() -> Iterator[Reply]:
    """Each refusal with two topics in its blanks."""
    lines = (ANSWERS / FRAMES).read_text(encoding="utf-8").splitlines()
    topics = [line[2:].split("|") for line in lines if line[0] == "T"]
    for number, line in enumerate(line for line in lines if line[0] != "T"):
        for turn in range(TOPICS_OF_A_FRAME):
            topic, source, who, question = topics[(number * 7 + turn * 11) % len(topics)]
            blanks = {"t": topic, "d": source, "who": who}
            blanks |= {key.capitalize(): text[0].upper() + text[1:] for key, text in blanks.items()}
            yield Reply(question, _filled(line[2:], blanks), line[0] in "-?")


def _filled(frame: str, blanks: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda blank: blanks.get(blank[1], blank[0]), frame)


def main() -> None:
    """Fit the reader if asked to, and print how well it and the rules with it do on the authors kept apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the shared data sets")
    parser.add_argument("--write", action="store_true", help="fit it anew and write its weights")
    parser.add_argument("--onward", action="store_true", help="fit it on from the weights that are there")
    options = parser.parse_args()
    reader = open_refusal_reader()
    if options.write or options.onward:
        replies = fitted_on(options.folder)
        print(f"fitted on {len(replies)} replies, of which {sum(reply.declines for reply in replies)} decline")
        pairs = [reader.tokens(reply.question, reply.text) for reply in replies]
        labels = [int(reply.declines) for reply in replies]
        start = WEIGHTS if options.onward else None
        save_file(changes(fit(pairs, labels, LABELS, [len(pairs)] * ROUNDS, 0, start)), WEIGHTS)
        reader = read_refusal_reader()
    print("| replies | n | reader: precision, recall, F1 | with the rules |\n|---|---|---|---|")
    for name in KEPT_APART:
        replies = [reply for _, reply, _ in blocks_of(name)]
        texts = [(reply.question, reply.text) for reply in replies]
        alone = [odds > 0 for odds in reader.log_odds_of(texts)]
        read_ahead(texts)
        ruled = [read_answer(reply.question, reply.text).outcome.declines for reply in replies]
        print(f"| {name} | {len(replies)} | {_figures(alone, replies)} | {_figures(ruled, replies)} |")


def _figures(found: Sequence[bool], replies: Sequence[Reply]) -> str:
    pairs = Counter(zip(found, (reply.declines for reply in replies), strict=True))
    right = pairs[True, True]
    precision, recall = right / max(1, right + pairs[True, False]), right / max(1, right + pairs[False, True])
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return f"{precision:.3f}, {recall:.3f}, {f1:.3f}"


if __name__ == "__main__":
    main()
