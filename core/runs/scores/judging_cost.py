"""The model calls of scoring a run with judged metrics, before they are made: how many, how large, what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from core.domain.results.runs import Run
from core.judging.claims import checks, extraction
from core.judging.grouse.replies import PURPOSE as GROUSE
from core.judging.registry import split_judges
from core.llm.addresses import split_spec
from core.llm.prompts.catalogue import load_prompt
from core.llm.spending.estimates import Between, CallPart, grounds_of, sized
from core.metrics import Sample, find_metrics
from core.runs.scores.samples import RunSamples
from core.store.database import Store
from core.store.results import runs

LOOKED_AT: Final = 200
"""Answers whose lengths stand for those of all."""

REPLY_TOKENS: Final = (40.0, 400.0)
"""Of a reply that was never measured: a grade with its reason, up to a list of claims."""

NOT_ALWAYS: Final = ("grouse_usefulness", "grouse_faithfulness", "grouse_faithfulness_uncited")
"""Prompts that are asked only where an earlier judgement leaves the question open."""


COMPLETENESS: Final = "grouse_completeness"


def judging_calls(store: Store, run: Run, metrics: Sequence[str], judges: str) -> tuple[CallPart, ...]:
    """The calls of scoring a finished run, a part for each judge and prompt; none without a judged metric.

    Two metrics that ask the same of an answer are counted once, as they are paid once. The lower end of the calls holds
    where every judgement that may be left out is, the upper where none is; the sizes come from the ledger, or from the
    answers of up to `LOOKED_AT` cases, evenly drawn.

    Args:
        store: Where the run is.
        run: The run.
        metrics: Those to score, by name.
        judges: The judging models as specs with commas between.

    Raises:
        InvalidInput: A metric or a model's spec cannot be read.
    """
    prompts = _calls_of_an_answer(metrics)
    if not prompts or not judges:
        return ()
    with store.read() as connection:
        answered = sorted(runs.answered_ids(connection, run.id))
    step = max(1, len(answered) // LOOKED_AT)
    samples = list(RunSamples(store, run).read(answered[::step][:LOOKED_AT]))
    if not samples:
        return ()
    grounds = grounds_of(store, run.project_id)
    found = partial(load_prompt, store=store, project_id=run.project_id)
    parts = []
    for spec in split_judges(judges):
        model, url = split_spec(spec.partition(":")[2])
        for prompt_id, (least, most) in prompts.items():
            if prompt_id == COMPLETENESS and not all(sample.texts for sample in samples):
                least = 0  # without a passage none answers the question, and no call says so
            prompt = found(prompt_id, variant=grounds.variant(f"{model}@{url}"))
            shortest, longest = (sum(_characters(sample, whole=whole) for sample in samples) for whole in (False, True))
            instructions = len(prompt.text) * len(samples)
            parts.append(
                sized(
                    grounds,
                    _PURPOSES.get(prompt_id, GROUSE),
                    model,
                    url,
                    prompt,
                    calls=Between(low=least * len(answered), high=most * len(answered)),
                    characters=Between(low=instructions + shortest, high=instructions + longest),
                    of=len(samples),
                    reply=REPLY_TOKENS,
                    wanted_at_once=0,
                    repairs=True,
                )
            )
    return tuple(parts)


_PURPOSES: Final = {extraction.PROMPT: extraction.PURPOSE, checks.PROMPT: checks.PURPOSE}


def _calls_of_an_answer(metrics: Sequence[str]) -> dict[str, tuple[int, int]]:
    """By prompt, the fewest and the most calls that one answer costs under these metrics."""
    specs = [metric.spec for metric in find_metrics(metrics) if metric.spec.prompts]
    calls = {prompt: (0 if prompt in NOT_ALWAYS else 1, 1) for spec in specs for prompt in spec.prompts}
    checked = sum(checks.PROMPT in spec.prompts for spec in specs)
    if checked:
        # The answer is taken apart once for all, the reference answer once more for coverage; an answer without a
        # claim is not checked.
        taken_apart = len({spec.name == "claim_coverage" for spec in specs if extraction.PROMPT in spec.prompts})
        calls |= {extraction.PROMPT: (taken_apart, taken_apart), checks.PROMPT: (0, checked)}
    return calls


def _characters(sample: Sample, *, whole: bool) -> int:
    texts = [sample.question, sample.answer or ""]
    if whole:
        texts += [*sample.references, *sample.texts]
    return sum(map(len, texts))
