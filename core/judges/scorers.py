"""The further judges of a run, each as a function from a case to a stored score."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from core.domain.errors import InvalidInput
from core.domain.identity import content_hash
from core.domain.llm import PromptVariant
from core.domain.results.responses import Response, Score
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase
from core.judging import list_judges, llm_judge, match, open_judge
from core.judging import self_check as checking
from core.judging.claims import extraction as claim_taking
from core.judging.claims import support as supporting
from core.judging.claims.support import ragas_fact
from core.judging.match.settings import MatchSettings
from core.judging.self_check import Draw, by_match, by_model, self_check_qa
from core.judging.stored import METRIC_PREFIX, REFERENCE_FREE
from core.llm import Budget, ChatModel, Prompt, Prompts, open_chat
from core.llm.variants import asked_variant
from core.runs.models import Chat, prompts_of
from core.runs.scores.verdict import verdict_score
from core.runs.target import is_recorded, run_target
from core.store.database import Store
from core.store.testset import testsets

LONGEST_MODEL = 40
DIGITS = 6
"""Digits of the digest in a judge's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeScorer:
    """A judge, opened.

    Attributes:
        metric: Under which its scores are stored.
        spec: As it was requested.
        options: What its scores depend on besides the texts.
        version: Of its definition.
        score: Scores one answer; may be called from as many threads as `concurrency`.
        concurrency: How many answers it may judge at once.
        contexts: Whether it reads the retrieved passages.
    """

    metric: str
    spec: str
    options: Mapping[str, object]
    score: Callable[[TestCase, Response], Score]
    concurrency: int = 1
    contexts: bool = False
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """How judges are queried.

    Attributes:
        repeats: Verdicts a model gives for each answer, for ``llm:``.
        match_first: Whether rules decide where they are decisive, for ``llm:``.
        calls: The most calls of models in all of the run's jobs; None for no limit.
        money: The most they may cost, in the currency of the price table; None for no limit.
    """

    repeats: int = 1
    match_first: bool = False
    calls: int | None = None
    money: float | None = None


def judge_metric(spec: str) -> str:
    """Under which name the scores of a judge are stored; models of one name at two addresses are two judges.

    >>> judge_metric("match"), judge_metric("llm:gpt-4o@https://a.example/v1"), judge_metric("ragas_fact:m@http://a/v1")
    ('judge_match', 'judge_llm_gpt_4o_at_8944a1', 'ragas_fact')

    Raises:
        InvalidInput: There is no such judge.
    """
    kind, _, argument = spec.strip().partition(":")
    if kind in REFERENCE_FREE:
        return kind
    verdicts = [judge.name for judge in list_judges()]
    if kind not in verdicts:
        raise InvalidInput(
            f"There is no judge {spec!r} to compare.", f"Use one of: {', '.join((*verdicts, *REFERENCE_FREE))}."
        )
    if kind != "llm":
        return f"{METRIC_PREFIX}{kind}"
    model = argument.rpartition("@")[0] or argument
    slug = re.sub(r"[^a-z0-9]+", "_", model.casefold()).strip("_")[:LONGEST_MODEL].strip("_")
    # The slug is for people; the digest of the whole spec distinguishes judges.
    return f"{METRIC_PREFIX}llm_{slug or 'model'}_at_{content_hash(argument.strip().rstrip('/'))[:DIGITS]}"


def open_scorer(
    store: Store, run: Run, spec: str, options: JudgeOptions | None = None, *, chat: Chat | None = None
) -> JudgeScorer:
    """Opens a judge for the answers of a run; no model is asked yet.

    Args:
        store: Where the run is.
        run: The run.
        spec: ``match``, ``recorded:FILE``, ``llm:MODEL@BASE_URL``, ``ragas_fact:MODEL@BASE_URL``,
            ``self_check_qa:MODEL@BASE_URL``, or ``self_check_qa`` to compare answers by rules.
        options: How models are queried.
        chat: Opens the models, so that several judges share one budget; by default each has its own.

    Raises:
        InvalidInput: There is no such judge, or it cannot be opened.
        UnreadableFile: The file of recorded verdicts cannot be read.
    """
    metric = judge_metric(spec)
    kind, _, argument = spec.strip().partition(":")
    options = options or JudgeOptions()
    chat = chat or chat_within(store, run, options)
    prompts = prompts_of(store, run.project_id)
    if kind == supporting.METRIC:
        return _ragas_fact(chat(_model(spec, argument)), prompts)
    if kind == checking.METRIC:
        return _self_check(store, run, chat, argument, prompts)
    return _verdict(metric, spec.strip(), chat, prompts, options, MatchSettings.of(run.options))


def chat_within(store: Store, run: Run, options: JudgeOptions) -> Chat:
    """Opens models for a run within the budget of the options; the run's own spending counts."""
    budget = None
    if options.calls is not None or options.money is not None:
        budget = Budget(store, run.id, money=options.money, calls=options.calls)
    prompts = asked_variant(run.options.get("prompts"))
    return partial(open_chat, store, run.project_id, run_id=run.id, budget=budget, prompts=prompts)


def _verdict(
    metric: str,
    spec: str,
    chat: Chat,
    prompts: Prompts,
    options: JudgeOptions,
    match_settings: MatchSettings,
) -> JudgeScorer:
    judge = open_judge(
        spec,
        chat=chat,
        prompts=prompts,
        repeats=options.repeats,
        match_first=options.match_first,
        match_settings=match_settings,
    )
    scorer_options: dict[str, object] = {"judge": spec}
    if spec.startswith("llm:"):
        scorer_options |= {"repeats": options.repeats, "match_first": options.match_first}
        scorer_options |= {"prompt": _prompt_id(prompts(llm_judge.PROMPT))}

    def score(case: TestCase, response: Response) -> Score:
        return replace(verdict_score(case.case_id, judge.judge(case, response)), metric=metric)

    by_rules = spec == "match" or bool(scorer_options.get("match_first"))
    return JudgeScorer(
        metric=metric,
        spec=spec,
        options=scorer_options,
        score=score,
        concurrency=judge.concurrency,
        version=match.VERSION if by_rules else 1,
    )


def _ragas_fact(chat: ChatModel, prompts: Prompts) -> JudgeScorer:
    claims, support = (prompts(name, variant=chat.prompts) for name in (claim_taking.PROMPT, supporting.PROMPT))
    return JudgeScorer(
        metric=supporting.METRIC,
        spec=f"{supporting.METRIC}:{chat.spec}",
        options={"judge": chat.spec, "claims": _prompt_id(claims), "support": _prompt_id(support)},
        score=partial(ragas_fact, chat=chat, claims_prompt=claims, support_prompt=support),
        concurrency=chat.concurrency,
        contexts=True,
        version=supporting.VERSION,
    )


def _self_check(store: Store, run: Run, chat: Chat, argument: str, prompts: Prompts) -> JudgeScorer:
    model = chat(argument) if argument else None
    prompt = prompts(checking.PROMPT, variant=model.prompts if model else PromptVariant.FULL)
    draw, at_once = _draw(store, run, chat)
    return JudgeScorer(
        metric=checking.METRIC,
        spec=f"{checking.METRIC}:{model.spec}" if model else checking.METRIC,
        options={"judge": model.spec, "prompt": _prompt_id(prompt)}
        if model
        else {"judge": "match", "rules": match.VERSION},
        score=partial(self_check_qa, draw=draw, compare=by_model(model, prompt) if model else by_match),
        concurrency=at_once,
        version=checking.VERSION,
    )


def _draw(store: Store, run: Run, chat: Chat) -> tuple[Draw | None, int]:
    """A function that queries the run's target again at another temperature, if it supports that; its concurrency."""
    if is_recorded(run):
        return None, 1
    with store.read() as connection:
        cases = testsets.cases(connection, run.test_set_id)
    target = run_target(store, run, cases, chat)
    draw_sample = getattr(target, "draw", None)
    if draw_sample is None:
        return None, 1

    def draw(case: TestCase, sample: int, temperature: float) -> str | None:
        answer = draw_sample(case.case_id, case.question, sample=sample, temperature=temperature)
        return None if answer is None else str(answer)

    return draw, target.concurrency


def _model(spec: str, argument: str) -> str:
    if not argument:
        raise InvalidInput(f"The judge {spec} names no model.", f"Write {spec}:MODEL@BASE_URL.")
    return argument


def _prompt_id(prompt: Prompt) -> str:
    return f"{prompt.id} {prompt.version} ({prompt.ref.hash[:8]})"
