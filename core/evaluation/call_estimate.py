"""The model calls of a run before it starts: how many, how large, what they cost; each as a range with its grounds.

Measured where the ledger has calls of the same purpose, model and prompt; from the lengths of what will be sent
otherwise. A price that is not known gives no cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from core.domain.cases import TestCase
from core.domain.documents import Corpus
from core.domain.llm import CallState, Message, Price, Structured
from core.judging import llm_judge
from core.judging.votes import ReferenceVerdict
from core.llm import Prompt
from core.llm.addresses import split_spec
from core.llm.prices import cost
from core.llm.structured import held_to
from core.store.llm_reads import Size
from core.targets import openai_chat
from core.targets.protocol import CLOSED_BOOK, ORACLE, RETRIEVAL

CHARACTERS_A_TOKEN = (3.0, 5.0)
"""Of prose and of JSON in a European language; a tokeniser takes more tokens for others, so measure where you can."""

ANSWER_TOKENS, VERDICT_TOKENS = (10.0, 200.0), (20.0, 150.0)
"""What a reply has that was never measured: one sentence to a long paragraph; a reason of one or two sentences."""

ANSWER_CHARACTERS = (20, 1_000)
"""Of an answer that is still to be given, where it is put before a judge."""

CONTEXT_EXTRA = 60
"""Characters of number and markers around one passage."""

MEASURED_LEAST = 20
"""Past calls from which on their mean is believed rather than the lengths."""

MOST_PAST = 500
SURE = 1.96
"""Standard errors to either side of a measured mean."""

PROBES = (1, 2)
"""Calls that find out how an endpoint is held to a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """A range; both ends are possible."""

    low: float
    high: float

    def __add__(self, other: Between) -> Between:
        return Between(low=self.low + other.low, high=self.high + other.high)

    def __mul__(self, other: Between) -> Between:
        return Between(low=self.low * other.low, high=self.high * other.high)


NONE = Between(low=0.0, high=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPart:
    """The calls a run makes of one model for one purpose.

    Attributes:
        purpose: ``target`` or ``judge``.
        calls: How many; the ledger may have some of the replies already, which then cost nothing.
        prompt_tokens: Of all calls together.
        completion_tokens: Likewise.
        money: What they cost, None where the model has no price.
        currency: Of the price.
        measured: Past calls whose sizes were measured; 0 where sizes come from the lengths of texts.
        seconds: What one past call took in the middle; None where none was made.
        at_once: How many are in flight at once.
        notes: What the range rests on, a sentence each.
    """

    purpose: str
    model: str
    base_url: str
    calls: Between
    prompt_tokens: Between
    completion_tokens: Between
    money: Between | None
    currency: str
    measured: int
    seconds: float | None
    at_once: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What an estimate is made from.

    Attributes:
        prompts: Finds a prompt by its id.
        prices: By model.
        sizes: Past calls by purpose, model and prompt, newest first.
        ceiling: Calls in flight at once at an endpoint, by its address.
        probed: Whether it is known how the model is held to a form, by model and address.
        corpus: The documents of the project, where there are any.
    """

    prompts: Callable[[str], Prompt]
    prices: Mapping[str, Price]
    sizes: Callable[[str, str, str], Sequence[Size]]
    ceiling: Callable[[str], int]
    probed: Callable[[str, str], bool]
    corpus: Corpus | None = None


def parts_of(
    cases: Sequence[TestCase], *, target: str, judge: str, options: Mapping[str, object], known: Known
) -> tuple[CallPart, ...]:
    """The model calls of a run, the target's before the judge's; none for systems and judges without a model of ours.

    Args:
        cases: The cases that will be asked.
        target: Target spec; only ``openai:MODEL@BASE_URL`` asks a model through Plumbline.
        judge: Judge spec; only ``llm:MODEL@BASE_URL`` does.
        options: Of the run: ``mode``, ``k``, ``concurrency``, ``judge_repeats``, ``judge_match_first``.
        known: What the estimate is made from.

    Raises:
        InvalidInput: A model's spec cannot be read.
    """
    parts = []
    for kind, spec, estimate in (("openai", target, _target), ("llm", judge, _judge)):
        name, sign, argument = spec.partition(":")
        if sign and name.strip() == kind and argument.strip() and cases:
            parts.append(estimate(cases, argument.strip(), options, known))
    return tuple(parts)


def _target(cases: Sequence[TestCase], spec: str, options: Mapping[str, object], known: Known) -> CallPart:
    model, url = split_spec(spec)
    mode = str(options.get("mode") or RETRIEVAL)
    prompt = known.prompts(openai_chat.WITHOUT_CONTEXTS if mode == CLOSED_BOOK else openai_chat.FROM_CONTEXTS)
    empty: dict[str, object] = {"contexts": []} if "contexts" in prompt.inputs else {}
    instructions = _characters(prompt.render(question="", **empty))
    asked = sum(instructions + len(case.question) for case in cases)
    passages = _passages(cases, mode, _whole(options.get("k"), 3), known.corpus)
    return _sized(
        known, openai_chat.PURPOSE, model, url, prompt,
        calls=Between(low=len(cases), high=len(cases)),
        characters=Between(low=asked + passages.low, high=asked + passages.high),
        of=len(cases), reply=ANSWER_TOKENS, wanted_at_once=_whole(options.get("concurrency"), 0),
    )  # fmt: skip


def _judge(cases: Sequence[TestCase], spec: str, options: Mapping[str, object], known: Known) -> CallPart:
    model, url = split_spec(spec)
    repeats = max(1, _whole(options.get("judge_repeats"), 1))
    match_first = bool(options.get("judge_match_first"))
    prompt = known.prompts(llm_judge.PROMPT)
    judged = [case for case in cases if any(answer and answer.strip() for answer in case.reference_answers)]
    low = high = 0.0
    for case in judged:
        references = [answer for answer in case.reference_answers if answer and answer.strip()]
        short, long = (
            prompt.render(question=case.question, references=references, response="x" * length)
            for length in ANSWER_CHARACTERS
        )
        low += _characters(short)
        high += _characters(held_to(ReferenceVerdict, long, Structured.NONE)[0])
    probes = (0, 0) if known.probed(model, url) or not judged else PROBES
    calls = repeats * len(judged)
    part = _sized(
        known, llm_judge.PURPOSE, model, url, prompt,
        calls=Between(low=0 if match_first else calls + probes[0], high=calls + probes[1]),
        characters=Between(low=low * repeats, high=high * repeats),
        of=calls, reply=VERDICT_TOKENS, wanted_at_once=0, repairs=True,
    )  # fmt: skip
    notes = list(part.notes)
    if match_first:
        notes.append("Rules decide first; how many answers are left for the model shows only in the run.")
    if len(judged) < len(cases):
        notes.append(f"{len(cases) - len(judged):,} of {len(cases):,} cases have no reference and are not judged.")
    return replace(part, notes=tuple(notes))


def _sized(
    known: Known,
    purpose: str,
    model: str,
    url: str,
    prompt: Prompt,
    *,
    calls: Between,
    characters: Between,
    of: int,
    reply: tuple[float, float],
    wanted_at_once: int,
    repairs: bool = False,
) -> CallPart:
    """The calls with their sizes: measured where there are enough past ones, else by the characters of `of` calls."""
    past = list(known.sizes(purpose, model, prompt.id))[:MOST_PAST]
    notes = []
    if len(past) >= MEASURED_LEAST:
        sent = _mean([size.prompt_tokens for size in past])
        received = _mean([size.completion_tokens for size in past])
        notes.append(f"Sizes as measured on the last {len(past):,} calls like these.")
    else:
        each = 1 / max(1, of)
        dense, loose = CHARACTERS_A_TOKEN
        sent = Between(low=characters.low * each / loose, high=characters.high * each / dense)
        received = Between(low=reply[0], high=reply[1])
        notes.append("Sizes from the lengths of the texts: no past calls like these to measure.")
    if repairs and past:
        malformed = sum(size.state is CallState.MALFORMED for size in past) / len(past)
        calls = Between(low=calls.low, high=calls.high + math.ceil(calls.high * malformed))
    if repairs:
        notes.append("A reply that cannot be read is asked for once more, which comes on top where it happens.")
    at_once = known.ceiling(url)
    return CallPart(
        purpose=purpose,
        model=model,
        base_url=url,
        calls=calls,
        prompt_tokens=calls * sent,
        completion_tokens=calls * received,
        money=_money(known.prices, model, calls * sent, calls * received),
        currency=known.prices[model].currency if model in known.prices else "",
        measured=len(past) if len(past) >= MEASURED_LEAST else 0,
        seconds=float(np.median([size.latency_s for size in past])) if past else None,
        at_once=min(at_once, wanted_at_once) if wanted_at_once else at_once,
        notes=tuple(notes),
    )


def _passages(cases: Sequence[TestCase], mode: str, k: int, corpus: Corpus | None) -> Between:
    """Characters of the passages in all prompts together."""
    if mode == CLOSED_BOOK or corpus is None or not corpus.documents:
        return NONE
    lengths = {document.id: len(document.title) + len(document.text) + CONTEXT_EXTRA for document in corpus.documents}
    if mode == ORACLE:
        known = sum(lengths.get(name, 0) for name in chain.from_iterable(case.gold_document_ids for case in cases))
        return Between(low=known, high=known)
    # Which documents are found shows only in the run; half of all are between these lengths.
    low, high = np.quantile(list(lengths.values()), [0.25, 0.75])
    found = len(cases) * min(k, len(lengths))
    return Between(low=float(low) * found, high=float(high) * found)


def _mean(values: Sequence[int]) -> Between:
    """The mean of past calls, give or take what so few of them leave open."""
    middle = float(np.mean(values))
    error = SURE * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Between(low=max(0.0, middle - error), high=middle + error)


def _money(prices: Mapping[str, Price], model: str, sent: Between, received: Between) -> Between | None:
    low = cost(prices, model, math.floor(sent.low), math.floor(received.low))
    high = cost(prices, model, math.ceil(sent.high), math.ceil(received.high))
    return None if low is None or high is None else Between(low=low, high=high)


def _characters(messages: Sequence[Message]) -> int:
    return sum(len(message.content) for message in messages)


def _whole(value: object, default: int) -> int:
    return default if value is None or value == "" else int(str(value))
