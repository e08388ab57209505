"""The small model of answers that decline: what it is fitted on, and its weights.

``python -m bench.abstention_model ../shared/data`` says how well it does on authors that were left out; with
``--write`` the weights go to core/judging/match/abstention. The answers are the labelled ones of the
tests, but for the batches named in ``KEPT_OUT``, those of ``bench/answers``, answers to other questions that are known
to be correct, every second answer that people wrote for ClapNQ, and sentences of its passages that deny something.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from core.encoders.first_layers import open_first_layers
from core.judging.match.abstention import Outcome, clauses_of, read_answer
from core.judging.match.abstention.by_rules import read_by_rules
from core.judging.match.abstention.empty_handed import answer_of_form
from core.judging.match.abstention.model import meaning, weighing
from core.judging.match.abstention.model.learned import CONSTANT, KNOWN, WEIGHTS, alike, chances, features, tokens
from core.judging.match.abstention.model.weighing import traits
from core.judging.match.abstention.reading import clauses_in, said_in
from core.judging.match.readers.texts.normalise import match_text
from core.text.citations import cited_sentences
from core.text.sentences import split_sentences
from core.text.words import STOP_WORDS

ANSWERS = Path(__file__).resolve().parent / "answers"
TESTS = Path(__file__).resolve().parents[1] / "tests" / "core" / "judging" / "match"
LABELLED = ("abstention/labelled.jsonl", "abstention/transfer.jsonl")
CORRECT = ("style_answers.json", "domain_answers.json", "long_answers.json", "record_answers.json", "text_cases.json")
"""Answers with a verdict; a correct one answers."""
CLAPNQ = "clapnq/clapnq_dev_answerable.jsonl"
KEPT_OUT = frozenset({"eighth"})
WRITTEN = ("refusals.txt", "related_facts.txt", "policy.txt", "reports.txt")
"""Blocks of a domain ("@"), a question ("Q") and answers: "-" declines, "?" asks back, "~" partly, "+" answers."""
DEPLOYED = tuple(f"deployed/{letter}.txt" for letter in "abcdefghijklmnopqr")
"""Replies as assistants of today give them, a file for each author."""
STRANGERS = "abstention/strangers.jsonl"
KEPT_APART = frozenset({"twentieth", "twenty-first", "twenty-second", "twenty-third"})
"""The batches of strangers' replies that the model is not fitted on: they tell how it does on new ones."""
FRAMES = "frames.txt"
"""Topics ("T": topic, source, who knows, question) and refusals with blanks for them."""
TOPICS_OF_A_FRAME = 2
OUTCOMES = {"-": Outcome.DECLINED, "?": Outcome.ASKS_BACK, "~": Outcome.PARTLY, "+": Outcome.ANSWERED}
DENYING = re.compile(r"\b(?:not|no|never|none|nobody|nothing|without|cannot|unable|unknown|neither|lack\w*|fail\w*)\b")
MOST_JOINED, LONGEST_JOINED, FEWEST_JOINED = 6, 140, 6
"""Pairs of a kind for each question, characters of an answer that is joined, words of a refusal of its own."""
MOST_DENYING = 300
"""Sentences of passages that deny something, each a claim."""
LENGTHS = (25, 200)
"""Characters of such a sentence."""
HIDDEN, RIDGE, ROUNDS, NETWORKS = 24, 3.0, 60, 3
"""Of the networks that read how a text sounds; their mean is taken."""
LEAST_DOMAINS = 2
"""A feature that fewer domains have is left out."""
SHARE_OF_A_CLAUSE = 0.3
"""Weight of one clause of several, beside the whole answer."""
STRENGTH = 1.0
"""Inverse of the ridge on the weights."""
SMALLEST = 0.02
"""Weights nearer to nothing are left out."""
FOLDS = 4
"""Parts of the domains of all other answers."""
STRENGTH_OF_TRAITS = 0.1
"""The same of the weights of traits."""
Row = tuple[dict[str, float], bool]
"""The traits of an answer, and whether it declines."""
Model = tuple[dict[str, float], meaning.Network]
Vector = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class Answer:
    """A labelled answer, as match text."""

    domain: str
    question: str
    clauses: tuple[str, ...]
    outcome: Outcome
    author: str = ""
    """Whose replies are weighed by models that saw none of them; empty for others."""
    text: str = ""
    """As given."""
    mended_on: bool = False
    """Whether the rules were mended on it, so that it does not tell how far they can be trusted."""
    whole_only: bool = False
    """Whether its clauses alone do something else than it does, so that none is fitted."""


def read_answers(folder: Path) -> list[Answer]:
    """Every answer that the model may see."""
    rows = [json.loads(line) for name in LABELLED for line in (TESTS / name).read_text(encoding="utf-8").splitlines()]
    answers = [_answer(row["domain"], row, Outcome(row["outcome"])) for row in rows if row.get("batch") not in KEPT_OUT]
    for name in CORRECT:
        correct = [
            row
            for row in json.loads((TESTS / "tables" / name).read_text(encoding="utf-8"))
            if row["verdict"] == "correct"
        ]
        seen: set[str] = set()
        for row in correct:
            domain = f"{name} {row.get('style') or row.get('domain') or row['question']}"
            if row["answer"] not in seen and not _declines(row["references"]):
                answers.append(_answer(domain, row, Outcome.ANSWERED))
            seen.add(row["answer"])
    lines = (folder / CLAPNQ).read_text(encoding="utf-8").splitlines()
    for number, row in enumerate(json.loads(line) for line in lines[::2]):
        for one in row["output"]:
            if one["answer"].strip(" .") not in {"", "NA"}:
                told_by_people = {"question": row["input"], "answer": one["answer"]}
                answers.append(_answer(f"{CLAPNQ} {number}", told_by_people, Outcome.ANSWERED))
    written = list(_written())
    joined = [replace(_answer(*row), whole_only=True) for row in _joined(written)]
    return [
        *answers,
        *_denying(lines[1::2]),
        *(replace(_answer(*row), whole_only=True) for row in written),
        *(replies for author in DEPLOYED for replies in read_deployed(author)),
        *_of_strangers(),
        *joined,
        *_framed(),
    ]


def read_deployed(author: str) -> list[Answer]:
    """The replies of one author, each of whose clauses may do something else than it does."""
    return [
        replace(_answer(f"{author} {domain}", row, outcome), author=author, whole_only=True)
        for domain, row, outcome in _written([author])
    ]


def _of_strangers() -> Iterator[Answer]:
    """Replies of further authors; the rules were mended on them, so that they are not weighed."""
    for row in map(json.loads, (TESTS / STRANGERS).read_text(encoding="utf-8").splitlines()):
        if row["batch"] not in KEPT_APART:
            outcome = Outcome.DECLINED if row["declines"] else Outcome.ANSWERED
            yield replace(_answer(f"{STRANGERS} {row['batch']}", row, outcome), whole_only=True, mended_on=True)


def _denying(lines: Sequence[str]) -> Iterator[Answer]:
    """Sentences of passages that deny something, as answers to the passage's question."""
    count = 0
    for number, row in enumerate(json.loads(line) for line in lines):
        sentences = [sentence for passage in row["passages"] for sentence in passage["sentences"]]
        denying = [one for one in sentences if DENYING.search(one) and LENGTHS[0] <= len(one) <= LENGTHS[1]]
        for sentence in denying[: 3 if count < MOST_DENYING else 0]:
            count += 1
            yield _answer(f"passage {number}", {"question": row["input"], "answer": sentence}, Outcome.ANSWERED)


def _written(names: Sequence[str] = WRITTEN) -> Iterator[tuple[str, dict[str, str], Outcome]]:
    """Domain, question with answer, and outcome of every answer of the files."""
    domain = question = ""
    for name in names:
        for line in (ANSWERS / name).read_text(encoding="utf-8").splitlines():
            mark, text = line[0], line[2:]
            if mark == "@":
                domain = text
            elif mark == "Q":
                question = text
            else:
                yield domain, {"question": question, "answer": text.replace("\\n", "\n")}, OUTCOMES[mark]


def _joined(
    written: Sequence[tuple[str, dict[str, str], Outcome]],
) -> Iterator[tuple[str, dict[str, str], Outcome]]:
    """Two answers of a domain as one.

    A refusal, with what answers the domain's other question or declines as well, declines; an answer, with a refusal
    of the other question or more of the answer, answers.
    """
    told: dict[str, dict[str, dict[bool, list[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for domain, row, outcome in written:
        if outcome in {Outcome.DECLINED, Outcome.ANSWERED} and len(row["answer"]) < LONGEST_JOINED:
            told[domain][row["question"]][outcome is Outcome.DECLINED].append(row["answer"])
    for domain, questions in told.items():
        for question, own in questions.items():
            other = next((one for asked, one in questions.items() if asked != question), {True: [], False: []})
            asked = set(match_text(question).split())
            apart = [text for text in other[True] if len(text.split()) >= FEWEST_JOINED]
            apart = [text for text in apart if not asked & set(match_text(text).split()) - STOP_WORDS]
            for first, second, outcome in (
                (own[True], own[True][3:], Outcome.DECLINED),
                (other[False], own[True], Outcome.DECLINED),
                (own[True][2:], other[False], Outcome.DECLINED),
                (own[False], apart, Outcome.ANSWERED),
                (own[False], own[False][2:], Outcome.ANSWERED),
            ):
                for one, two in list(zip(first, second, strict=False))[:MOST_JOINED]:
                    yield domain, {"question": question, "answer": f"{_ended(one)} {two}"}, outcome


def _ended(text: str) -> str:
    return text if text[-1] in ".!?" else f"{text}."


def _framed() -> Iterator[Answer]:
    """Each refusal with two topics in its blanks; a refusal is its own domain, so that none is fitted and measured."""
    lines = (ANSWERS / FRAMES).read_text(encoding="utf-8").splitlines()
    topics = [line[2:].split("|") for line in lines if line[0] == "T"]
    for number, line in enumerate(line for line in lines if line[0] in OUTCOMES):
        for turn in range(TOPICS_OF_A_FRAME):
            topic, source, who, question = topics[(number * 7 + turn * 11) % len(topics)]
            blanks = {"t": topic, "d": source, "who": who}
            blanks |= {key.capitalize(): text[0].upper() + text[1:] for key, text in blanks.items()}
            answer = re.sub(r"\{(\w+)\}", lambda blank, blanks=blanks: blanks.get(blank[1], blank[0]), line[2:])
            yield _answer(f"frame {number}", {"question": question, "answer": answer}, OUTCOMES[line[0]])


def fit(answers: Sequence[Answer]) -> dict[str, float]:
    """The weight of each feature, the constant and the known words among them."""
    examples = [example for answer in answers for example in _examples(answer)]
    seen = [tokens(text, answer.question) for answer, text, _, _ in examples]
    declining: dict[str, set[str]] = defaultdict(set)
    for (answer, _, declines, _), words in zip(examples, seen, strict=True):
        for word in words if declines else ():
            declining[word].add(answer.domain)
    found = [
        features(words, {KNOWN + word for word in words if len(declining[word] - {answer.domain}) >= LEAST_DOMAINS})
        for (answer, *_), words in zip(examples, seen, strict=True)
    ]
    domains: dict[str, set[str]] = defaultdict(set)
    for (answer, *_), some in zip(examples, found, strict=True):
        for feature in some:
            domains[feature].add(answer.domain)
    common = {feature for feature, where in domains.items() if len(where) >= LEAST_DOMAINS}
    vectors = DictVectorizer()
    table = vectors.fit_transform([dict.fromkeys(sorted(some & common), 1.0) for some in found])
    model = LogisticRegression(C=STRENGTH, max_iter=3_000)
    model.fit(table, [declines for *_, declines, _ in examples], sample_weight=[weight for *_, weight in examples])
    fitted = zip(vectors.get_feature_names_out(), model.coef_[0], strict=True)
    weights = {str(name): round(float(weight), 3) for name, weight in fitted if abs(weight) >= SMALLEST}
    known = sorted(word for word, where in declining.items() if len(where) >= LEAST_DOMAINS)
    return {CONSTANT: round(float(model.intercept_[0]), 3), **weights, **{KNOWN + word: 0.0 for word in known}}


def fit_networks(answers: Sequence[Answer], vectors: Mapping[str, Vector]) -> meaning.Network:
    """The networks that read how a text sounds."""
    examples = [example for answer in answers for example in _examples(answer)]
    texts = [alike(tokens(text, answer.question)) for answer, text, _, _ in examples]
    scale = StandardScaler()
    table = scale.fit_transform(np.array([vectors[text] for text in texts]))
    declines, weights = [declines for *_, declines, _ in examples], [weight for *_, weight in examples]
    networks = []
    for seed in range(NETWORKS):
        model = MLPClassifier((HIDDEN,), alpha=RIDGE, max_iter=ROUNDS, random_state=seed)
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            model.fit(table, declines, sample_weight=weights)
        inner = model.coefs_[0] / scale.scale_[:, None]
        networks.append(
            meaning.Network(
                inner=inner.astype(np.float32),
                inner_bias=(model.intercepts_[0] - scale.mean_ @ inner).astype(np.float32),
                outer=model.coefs_[1][:, 0].astype(np.float32),
                outer_bias=float(model.intercepts_[1][0]),
            )
        )
    return meaning.joined(networks)


def vectors_of(answers: Sequence[Answer], kept: Path | None) -> dict[str, Vector]:
    """The vector of every text, those in a file not encoded again."""
    vectors: dict[str, Vector] = {}
    if kept and kept.is_file():
        with np.load(kept, allow_pickle=False) as file:
            vectors = dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
    texts = {alike(tokens(text, answer.question)) for answer in answers for text in _read(answer)}
    if missing := sorted(texts - vectors.keys()):
        vectors |= zip(missing, open_first_layers().encode(missing), strict=True)
        if kept:
            np.savez(kept, texts=np.array(list(vectors)), vectors=np.stack(list(vectors.values())))
    return vectors


def left_out(answers: Sequence[Answer], vectors: Mapping[str, Vector]) -> Iterator[tuple[str, list[Answer], Model]]:
    """Each author's replies, and some domains of all other answers, with a model that saw none of them."""
    domains = sorted({answer.domain for answer in answers if not answer.author})
    np.random.default_rng(1).shuffle(domains)
    folds = {domain: f"fold {place % FOLDS}" for place, domain in enumerate(domains)}
    parts = [answer.author or folds[answer.domain] for answer in answers]
    for part in sorted(set(parts)):
        seen = [answer for answer, where in zip(answers, parts, strict=True) if where != part]
        own = [answer for answer, where in zip(answers, parts, strict=True) if where == part]
        yield part, own, (fit(seen), fit_networks(seen, vectors))


def weighed(answer: Answer, model: Model, vectors: Mapping[str, Vector]) -> dict[str, float] | None:
    """The traits of an answer by a model; None where the model does not say."""
    clauses = clauses_in(answer_of_form(answer.text))
    reading = read_by_rules(answer.question, clauses)
    weights, network = model

    def sound(words: str) -> float:
        return float(network.logits(vectors[words][None])[0])

    found = chances(answer.question, said_in(clauses), weights, sound=sound, surely_answers=-math.inf)
    return traits(answer.question, clauses, reading, found) if found else None


def _read(answer: Answer) -> Iterator[str]:
    """Every text of an answer that the model reads: the whole, its clauses, and where it is weighed what it says."""
    yield " ".join(answer.clauses)
    yield from answer.clauses
    said = said_in(clauses_in(answer_of_form(answer.text)))
    yield " ".join(said)
    yield from said


def fit_weights(rows: Sequence[Row]) -> dict[str, float]:
    """The weight of each trait, of a linear model over the traits in units of their spread."""
    names = list(rows[0][0])
    table = np.array([[traits[name] for name in names] for traits, _ in rows])
    spread = table.std(axis=0)
    spread[spread == 0] = 1.0
    model = LogisticRegression(C=STRENGTH_OF_TRAITS, max_iter=3_000)
    model.fit((table - table.mean(axis=0)) / spread, [declines for _, declines in rows])
    weights = model.coef_[0] / spread
    constant = float(model.intercept_[0] - table.mean(axis=0) @ weights)
    return {CONSTANT: round(constant, 4), **{name: round(float(w), 4) for name, w in zip(names, weights, strict=True)}}


def measured(rows: Sequence[Row], weights: Mapping[str, float]) -> tuple[int, int, int]:
    """How many decline and are found, are found and do not decline, and are missed."""
    found = [weights[CONSTANT] + sum(weights[name] * value for name, value in traits.items()) > 0 for traits, _ in rows]
    pairs = Counter(zip(found, (declines for _, declines in rows), strict=True))
    return pairs[True, True], pairs[True, False], pairs[False, True]


def main() -> None:
    """Measure on authors that were left out, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the shared data sets")
    parser.add_argument("--write", action="store_true", help="write the weights")
    parser.add_argument("--vectors", type=Path, help="a file (.npz) that keeps the vectors of the texts")
    options = parser.parse_args()
    answers = read_answers(options.folder)
    vectors = vectors_of(answers, options.vectors)
    rows: dict[str, list[Row]] = {}
    for part, own, model in left_out(answers, vectors):
        told = ((weighed(answer, model, vectors), answer) for answer in own if not answer.mended_on)
        rows[part] = [(found, answer.outcome.declines) for found, answer in told if found]
    for author in DEPLOYED:
        others = [row for part in rows if part != author for row in rows[part]]
        right, wrong, missed = measured(rows[author], fit_weights(others))
        print(f"{author}: precision {right / (right + wrong):.3f}, recall {right / (right + missed):.3f}")
    if options.write:
        weights, network = fit(answers), fit_networks(answers, vectors)
        _write(WEIGHTS, weights)
        _write(weighing.WEIGHTS, fit_weights([row for part in rows.values() for row in part]))
        arrays = {field.name: np.asarray(getattr(network, field.name), np.float16) for field in fields(network)}
        np.savez_compressed(meaning.WEIGHTS, **arrays)
        print(f"{len(weights)} weights written to {WEIGHTS.name}, {network.inner.size:,} to {meaning.WEIGHTS.name}")


def _write(path: Path, weights: Mapping[str, float]) -> None:
    path.write_text(json.dumps(weights, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def _answer(domain: str, row: Mapping[str, str], outcome: Outcome) -> Answer:
    sentences = [words for words, _ in cited_sentences(split_sentences(answer_of_form(row["answer"])))]
    clauses = [clause.text for sentence in sentences for clause in clauses_of(sentence)]
    return Answer(domain, match_text(row["question"]), tuple(clauses), outcome, text=row["answer"])


def _examples(answer: Answer) -> Iterator[tuple[Answer, str, bool, float]]:
    declines = answer.outcome.declines
    yield answer, " ".join(answer.clauses), declines, 1.0
    for clause in answer.clauses if len(answer.clauses) > 1 and not answer.whole_only else ():
        yield answer, clause, declines, SHARE_OF_A_CLAUSE


def _declines(references: Sequence[str]) -> bool:
    return any(read_answer("", reference, by_rules=True).outcome.declines for reference in references)


if __name__ == "__main__":
    main()
