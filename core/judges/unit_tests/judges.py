"""The judges that can be put to unit tests: each is opened from its spec and asked one test at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from core.domain.errors import BudgetSpent, CallFailed, InvalidInput
from core.domain.llm import PromptRef
from core.domain.results.judge_tests import Judged, UnitTest, Way
from core.domain.status import Status
from core.judges.unit_tests import claim_tests
from core.judges.unit_tests.recorded import RecordedJudgements
from core.judging.grouse import PROMPT_IDS, SIX, GrouseSample, judge_sample
from core.judging.llm_judge import PROMPT as VERDICT_PROMPT
from core.judging.llm_judge import PURPOSE
from core.judging.models.votes import ReferenceVerdict
from core.llm import ChatModel, Prompt, Prompts, load_prompt

VERDICT: Final = "verdict"
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "grouse": tuple(metric.value for metric in SIX),
    "llm": (VERDICT,),
    **claim_tests.METRICS,
    "recorded": (),
}
"""The kinds of judges and what each can be asked; of a recording that depends on its file."""

USAGE: Final = (
    "grouse:MODEL@BASE_URL, llm:MODEL@BASE_URL, claims:MODEL@BASE_URL, ragas_fact:MODEL@BASE_URL, "
    "self_check_qa:MODEL@BASE_URL or recorded:FILE"
)
PROMPTS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "grouse": tuple(dict.fromkeys(PROMPT_IDS[metric] for metric in SIX if metric in PROMPT_IDS)),
    "llm": (VERDICT_PROMPT,),
    **claim_tests.PROMPTS,
    "recorded": (),
}
"""The prompts of each kind."""

CALLS: Final[Mapping[str, int]] = {kind: len(ids) for kind, ids in PROMPTS_OF.items()} | dict(claim_tests.CALLS)
"""The most calls of a model that one test takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedJudge:
    """A judge, opened.

    Attributes:
        spec: As it is stored.
        metrics: What it can be asked.
        prompts: What it is asked with.
        judge: What it says in one test; the number tells repeats apart. May be called from `concurrency` threads.
        calls: The most calls of a model that one test takes.
    """

    __test__ = False

    spec: str
    metrics: tuple[str, ...]
    judge: Callable[[UnitTest, int], tuple[Judged, ...]]
    prompts: tuple[PromptRef, ...] = field(default_factory=tuple)
    concurrency: int = 1
    calls: int = 0


def split_judge(spec: str) -> tuple[str, str]:
    """Kind and argument of a spec.

    >>> split_judge("grouse:m@http://localhost:8000/v1")
    ('grouse', 'm@http://localhost:8000/v1')

    Raises:
        InvalidInput: There is no such kind, or its argument is missing.
    """
    kind, _, argument = spec.strip().partition(":")
    if kind not in KINDS:
        raise InvalidInput(f"There is no judge {spec!r} to test.", f"Use {USAGE}.")
    if not argument.strip():
        raise InvalidInput(f"The judge {spec!r} is incomplete.", f"Write {USAGE}.")
    return kind, argument.strip()


def open_tested(
    spec: str, *, chat: Callable[[str], ChatModel], prompts: Prompts = load_prompt, way: Way = Way.PAIRED
) -> TestedJudge:
    """Opens a judge; no model is asked yet.

    Args:
        spec: A kind, and its model or file; see `USAGE`.
        chat: Opens a model.
        prompts: Finds its prompts.
        way: Whether a GroUSE judge sees the expected answer too; the others have one way only.

    Raises:
        InvalidInput: The spec or the model cannot be used, or the recording holds no judgement.
        UnreadableFile: The recording cannot be read.
    """
    kind, argument = split_judge(spec)
    if kind == "recorded":
        recording = RecordedJudgements(Path(argument).expanduser())
        return TestedJudge(
            spec=f"recorded:{argument}", metrics=recording.metrics, judge=lambda test, draw: recording.judge(test)
        )
    model = chat(argument)
    found = tuple(prompts(prompt_id, variant=model.prompts) for prompt_id in PROMPTS_OF[kind])
    judge: Callable[[UnitTest, int], tuple[Judged, ...]]
    if kind in claim_tests.ASKED:
        judge = partial(claim_tests.ASKED[kind], chat=model, prompts=prompts)
    elif kind == "grouse":
        judge = partial(_grouse, chat=model, prompts=prompts, paired=way is Way.PAIRED)
    else:
        judge = partial(_verdict, chat=model, prompt=found[0])
    return TestedJudge(
        spec=f"{kind}:{model.spec}",
        metrics=KINDS[kind],
        judge=judge,
        prompts=tuple(prompt.ref for prompt in found),
        concurrency=model.concurrency,
        calls=CALLS[kind],
    )


def _grouse(test: UnitTest, draw: int, *, chat: ChatModel, prompts: Prompts, paired: bool) -> tuple[Judged, ...]:
    sample = GrouseSample(
        question=test.question,
        references=test.references,
        expected_answer=test.expected or None,
        actual_answer=test.actual,
    )
    wanted = [metric for metric in SIX if metric.value in test.conditions]
    scores = judge_sample(sample, chat, prompts, metrics=wanted, paired=paired, case_id=test.id, draw=draw).scores
    return tuple(
        Judged(
            metric=metric.value,
            value=scores[metric].value,
            status=scores[metric].status,
            reason=scores[metric].reason,
            call_id=scores[metric].call_id,
        )
        for metric in wanted
    )


def _verdict(test: UnitTest, draw: int, *, chat: ChatModel, prompt: Prompt) -> tuple[Judged, ...]:
    """The verdict of the judge that sees the true answer, which in a test is the expected one."""
    if VERDICT not in test.conditions:
        return ()
    if not test.expected:
        reason = "The test has no expected answer."
        return (Judged(metric=VERDICT, value=None, status=Status.MISSING_INPUT, reason=reason),)
    messages = prompt.render(question=test.question, references=[test.expected], response=test.actual)
    try:
        vote, reply = chat.ask_for(
            ReferenceVerdict, messages, purpose=PURPOSE, case_id=test.id, prompt=prompt.ref, sample=draw
        )
    except BudgetSpent:
        raise
    except CallFailed as error:
        return (Judged(metric=VERDICT, value=None, status=error.status, reason=error.message, call_id=error.call_id),)
    value = float(vote.verdict == "Correct")
    return (
        Judged(metric=VERDICT, value=value, status=Status.SCORED, reason=vote.reason.strip(), call_id=reply.call_id),
    )


def metrics_of(spec: str, judged: Sequence[Judged] = ()) -> tuple[str, ...]:
    """What a judge can be asked; of a recording, what it has said."""
    kind, _ = split_judge(spec)
    return KINDS[kind] or tuple(dict.fromkeys(item.metric for item in judged))
