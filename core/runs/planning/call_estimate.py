"""The model calls of a run before it starts: how many, how large, what they cost; each as a range with its grounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from core.domain.llm import PromptVariant, Structured
from core.domain.sources.documents import Corpus
from core.domain.testset.cases import TestCase
from core.judging import llm_judge
from core.judging.models.votes import ReferenceVerdict
from core.llm import Prompts
from core.llm.addresses import split_spec
from core.llm.replies.structured import held_to
from core.llm.spending.estimates import NONE, Between, CallPart, Grounds, characters_of, probes_of, sized
from core.llm.variants import asked_variant
from core.runs.models import JUDGE_AT_ONCE
from core.targets import openai_chat
from core.targets.protocol import CLOSED_BOOK, ORACLE, RETRIEVAL

ANSWER_TOKENS, VERDICT_TOKENS = (10.0, 200.0), (20.0, 150.0)
"""What a reply has that was never measured: one sentence to a long paragraph; a reason of one or two sentences."""

ANSWER_CHARACTERS = (20, 1_000)
"""Of an answer that is still to be given, where it is put before a judge."""

CONTEXT_EXTRA = 60
"""Characters of number and markers around one passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGrounds(Grounds):
    """What an estimate of a run is made from.

    Attributes:
        prompts: Finds a prompt by its id.
        corpus: The documents of the project, where there are any.
    """

    prompts: Prompts
    corpus: Corpus | None = None


def parts_of(
    cases: Sequence[TestCase], *, target: str, judge: str, options: Mapping[str, object], grounds: RunGrounds
) -> tuple[CallPart, ...]:
    """The model calls of a run, the target's before the judge's; none for systems and judges without a model of ours.

    Args:
        cases: The cases that will be asked.
        target: Target spec; only ``openai:MODEL@BASE_URL`` asks a model through Plumbline.
        judge: Judge spec; only ``llm:MODEL@BASE_URL`` does.
        options: Of the run: ``mode``, ``k``, ``concurrency``, ``prompts``, and of the judge ``judge_concurrency``,
            ``judge_repeats``, ``judge_match_first``.
        grounds: What the estimate is made from.

    Raises:
        InvalidInput: A model's spec cannot be read.
    """
    parts = []
    for kind, spec, estimate in (("openai", target, _target), ("llm", judge, _judge)):
        name, sign, argument = spec.partition(":")
        if sign and name.strip() == kind and argument.strip() and cases:
            parts.append(estimate(cases, argument.strip(), options, grounds))
    return tuple(parts)


def _target(cases: Sequence[TestCase], spec: str, options: Mapping[str, object], grounds: RunGrounds) -> CallPart:
    model, url = split_spec(spec)
    mode = str(options.get("mode") or RETRIEVAL)
    prompt = grounds.prompts(
        openai_chat.WITHOUT_CONTEXTS if mode == CLOSED_BOOK else openai_chat.FROM_CONTEXTS,
        variant=_variant(spec, options, grounds),
    )
    empty: dict[str, object] = {"contexts": []} if "contexts" in prompt.inputs else {}
    instructions = characters_of(prompt.render(question="", **empty))
    characters = sum(instructions + len(case.question) for case in cases)
    passages = _passages(cases, mode, _whole(options.get("k"), 3), grounds.corpus)
    return sized(
        grounds,
        openai_chat.PURPOSE,
        model,
        url,
        prompt,
        calls=Between(low=len(cases), high=len(cases)),
        characters=Between(low=characters + passages.low, high=characters + passages.high),
        of=len(cases),
        reply=ANSWER_TOKENS,
        wanted_at_once=_whole(options.get("concurrency"), 0),
    )


def _variant(spec: str, options: Mapping[str, object], grounds: RunGrounds) -> PromptVariant:
    return asked_variant(options.get("prompts")) or grounds.variant(spec)


def _judge(cases: Sequence[TestCase], spec: str, options: Mapping[str, object], grounds: RunGrounds) -> CallPart:
    model, url = split_spec(spec)
    repeats = max(1, _whole(options.get("judge_repeats"), 1))
    match_first = bool(options.get("judge_match_first"))
    prompt = grounds.prompts(llm_judge.PROMPT, variant=_variant(spec, options, grounds))
    judged = [case for case in cases if any(answer and answer.strip() for answer in case.reference_answers)]
    low = high = 0.0
    for case in judged:
        references = [answer for answer in case.reference_answers if answer and answer.strip()]
        short, long = (
            prompt.render(question=case.question, references=references, response="x" * length)
            for length in ANSWER_CHARACTERS
        )
        low += characters_of(short)
        high += characters_of(held_to(ReferenceVerdict, long, Structured.NONE)[0])
    probes = probes_of(grounds, model, url) if judged else NONE
    calls = repeats * len(judged)
    part = sized(
        grounds,
        llm_judge.PURPOSE,
        model,
        url,
        prompt,
        calls=Between(low=0 if match_first else calls + probes.low, high=calls + probes.high),
        characters=Between(low=low * repeats, high=high * repeats),
        of=calls,
        reply=VERDICT_TOKENS,
        wanted_at_once=_whole(options.get(JUDGE_AT_ONCE), 0),
        repairs=True,
    )
    notes = list(part.notes)
    if match_first:
        notes.append("Rules decide first; the number of answers left for the model is known only during the run.")
    if len(judged) < len(cases):
        notes.append(f"{len(cases) - len(judged):,} of {len(cases):,} cases have no reference and are not judged.")
    return replace(part, notes=tuple(notes))


def _passages(cases: Sequence[TestCase], mode: str, k: int, corpus: Corpus | None) -> Between:
    """Characters of the passages in all prompts together."""
    if mode == CLOSED_BOOK or corpus is None or not corpus.documents:
        return NONE
    lengths = {document.id: len(document.title) + len(document.text) + CONTEXT_EXTRA for document in corpus.documents}
    if mode == ORACLE:
        gold = sum(lengths.get(name, 0) for name in chain.from_iterable(case.gold_document_ids for case in cases))
        return Between(low=gold, high=gold)
    # Which documents are found shows only in the run; half of all are between these lengths.
    low, high = np.quantile(list(lengths.values()), [0.25, 0.75])
    retrieved = len(cases) * min(k, len(lengths))
    return Between(low=float(low) * retrieved, high=float(high) * retrieved)


def _whole(value: object, default: int) -> int:
    return default if value is None or value == "" else int(str(value))
