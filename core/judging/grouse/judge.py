"""One sample judged by GroUSE: which calls are made, in which order, and what follows from each."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.llm import PromptRef
from core.domain.status import Status
from core.judging.grouse.acceptance import acceptance, compatible_acceptance
from core.judging.grouse.contradictions import contradictions
from core.judging.grouse.replies import PROMPT_IDS, PURPOSE, Judged, analysis_of, form_of, grade_of
from core.judging.grouse.sample import GrouseSample
from core.judging.grouse.scores import JUDGED, SIX, GrouseMetric, GrouseScore, GrouseScores
from core.llm import ChatModel, Prompts, load_prompt

_NEED_PASSAGES = frozenset({GrouseMetric.COMPLETENESS, GrouseMetric.FAITHFULNESS, GrouseMetric.FAITHFULNESS_UNCITED})
_NEVER_CITES = (
    "The target never cites a passage as [1], so this would say of every answer that it cites nothing. The uncited "
    "variant says whether the passages support it."
)


class GrouseJudging:
    """One sample while it is judged: each prompt is sent when a score first needs it, and at most once.

    Args:
        sample: What is judged.
        chat: The judge's model.
        prompts: Finds a prompt by its id, such as the version that a project has edited.
        paired: Whether the judge sees the expected answer first, where there is one.
        cites: Whether the target cites passages by number at all; see `core.judging.grouse.citing.cites`.
        case_id: For the ledger.
        temperature: 0, or more for repeats that are to differ.
        draw: Tells repeats of one question apart.
    """

    def __init__(
        self,
        sample: GrouseSample,
        chat: ChatModel,
        prompts: Prompts = load_prompt,
        *,
        paired: bool = True,
        cites: bool = True,
        case_id: str = "",
        temperature: float = 0.0,
        draw: int = 0,
    ) -> None:
        self._sample, self._chat, self._prompts = sample, chat, prompts
        self._answers = sample.answers if paired else sample.answers[-1:]
        self._cites, self._case_id = cites, case_id
        self._temperature, self._draw = temperature, draw
        self._scores: dict[GrouseMetric, GrouseScore] = {}

    def score(self, metric: GrouseMetric) -> GrouseScore:
        """The score of a metric, with the calls that it needs and that were not made yet.

        Raises:
            BudgetSpent: Nothing more may be asked.
        """
        if metric not in self._scores:
            self._scores[metric] = self._found(metric)
        return self._scores[metric]

    def compatible(self, metric: GrouseMetric) -> GrouseScore:
        """Positive acceptance or negative rejection as the published package has it.

        Raises:
            BudgetSpent: Nothing more may be asked.
        """
        of = compatible_acceptance(self.score(GrouseMetric.ANSWER_RELEVANCY), self.score(GrouseMetric.COMPLETENESS))
        return of[0] if metric is GrouseMetric.POSITIVE_ACCEPTANCE else of[1]

    def _found(self, metric: GrouseMetric) -> GrouseScore:
        if metric in PROMPT_IDS:
            return self._without_asking(metric) or self._asked(metric)
        of = acceptance(self.score(GrouseMetric.ANSWER_RELEVANCY), self.score(GrouseMetric.COMPLETENESS))
        return of[0] if metric is GrouseMetric.POSITIVE_ACCEPTANCE else of[1]

    def _without_asking(self, metric: GrouseMetric) -> GrouseScore | None:
        """What follows without a call: missing inputs, and the nulls of the order of the calls."""
        sample = self._sample
        if sample.actual_answer is None:
            return _unscored(metric, Status.MISSING_INPUT, "There is no answer: the target failed.")
        if not sample.actual_answer.strip():
            return _unscored(metric, Status.MISSING_INPUT, "The answer is empty: there is nothing to judge.")
        if metric in _NEED_PASSAGES and sample.references is None:
            return _unscored(metric, Status.MISSING_INPUT, "It is not known what was retrieved.")
        if metric is GrouseMetric.COMPLETENESS and not sample.references:
            return _unscored(metric, Status.NULL_JUDGEMENT, "There is no passage, so none answers the question.")
        if metric is GrouseMetric.FAITHFULNESS and not self._cites:
            return _unscored(metric, Status.NOT_APPLICABLE, _NEVER_CITES)
        if metric is GrouseMetric.USEFULNESS:
            return self._usefulness_without_asking()
        if metric in (GrouseMetric.FAITHFULNESS, GrouseMetric.FAITHFULNESS_UNCITED):
            return self._faithfulness_without_asking(metric)
        return None

    def _usefulness_without_asking(self) -> GrouseScore | None:
        relevancy = self.score(GrouseMetric.ANSWER_RELEVANCY)
        if relevancy.status is Status.SCORED:
            return _unscored(
                GrouseMetric.USEFULNESS,
                Status.NULL_JUDGEMENT,
                "The answer responds (answer relevancy is not null), so usefulness is not asked of it.",
            )
        if not relevancy.judged:
            return _unscored(
                GrouseMetric.USEFULNESS,
                Status.NOT_JUDGED,
                f"It is not known whether the answer responds; there is no answer relevancy: {relevancy.reason}",
            )
        return None

    def _faithfulness_without_asking(self, metric: GrouseMetric) -> GrouseScore | None:
        if self.score(GrouseMetric.ANSWER_RELEVANCY).status is not Status.NULL_JUDGEMENT:
            return None
        if self.score(GrouseMetric.USEFULNESS).status is not Status.NULL_JUDGEMENT:
            return None
        return _unscored(
            metric,
            Status.NULL_JUDGEMENT,
            "The answer says that no passage answers and adds nothing (answer relevancy and usefulness are null).",
        )

    def _asked(self, metric: GrouseMetric) -> GrouseScore:
        prompt = self._prompts(PROMPT_IDS[metric], variant=self._chat.prompts)
        inputs: dict[str, object] = {"question": self._sample.question, "answers": list(self._answers)}
        if metric in _NEED_PASSAGES:
            inputs["contexts"] = list(self._sample.references or ())
        try:
            read, reply = self._chat.ask_for(
                form_of(metric, len(self._answers)),
                prompt.render(**inputs),
                purpose=PURPOSE,
                case_id=self._case_id,
                prompt=prompt.ref,
                temperature=self._temperature,
                sample=self._draw,
            )
        except BudgetSpent:
            raise
        except CallFailed as error:
            return _unscored(metric, error.status, error.message, call_id=error.call_id, prompt=prompt.ref)
        return self._read(metric, read, reply.call_id, prompt.ref)

    def _read(self, metric: GrouseMetric, read: Any, call_id: str, prompt: PromptRef) -> GrouseScore:
        judged: Judged = getattr(read, f"answer_{len(self._answers)}")
        value, reason = grade_of(metric, judged)
        expected = grade_of(metric, read.answer_1)[0] if len(self._answers) > 1 else None
        return GrouseScore(
            metric=metric,
            value=value,
            status=Status.NULL_JUDGEMENT if value is None else Status.SCORED,
            reason=reason or "The judge gave no reason.",
            call_id=call_id,
            prompt=prompt,
            expected=expected,
            flags=contradictions(metric, value, judged, self._sample, self._scores),
            analysis=analysis_of(judged),
        )


def judge_sample(
    sample: GrouseSample,
    chat: ChatModel,
    prompts: Prompts = load_prompt,
    *,
    metrics: Collection[GrouseMetric] | None = None,
    paired: bool = True,
    cites: bool = True,
    case_id: str = "",
    temperature: float = 0.0,
    draw: int = 0,
) -> GrouseScores:
    """Judges one sample: answer relevancy, completeness, usefulness, faithfulness, and what follows from them.

    Usefulness is asked only where answer relevancy is null; faithfulness unless usefulness is null as well. A call that
    fails is the reason of its own metric; what does not need it is judged all the same.

    Args:
        sample: What is judged.
        chat: The judge's model.
        prompts: Finds a prompt by its id and variant: `load_prompt`, or a project's own versions.
        metrics: Which scores are wanted, with the calls they need; by default the six, and the uncited faithfulness
            where the target never cites.
        paired: Whether the judge sees the expected answer as answer 1 where there is one; the score is answer 2's.
        cites: False for a target that never cites, whose cited faithfulness is ``not_applicable``. A unit test of a
            judge leaves it at True: there a missing citation is what is tested.
        case_id: For the ledger.
        temperature: 0, or more for repeats that are to differ.
        draw: Tells repeats of one question apart.

    Returns:
        A value, ``null_judgement`` or a reason for each metric.

    Raises:
        BudgetSpent: Nothing more may be asked.

    Reference:
        Muller et al. (2024), GroUSE; `acceptance` says where we differ.
    """
    judging = GrouseJudging(
        sample,
        chat,
        prompts,
        paired=paired,
        cites=cites,
        case_id=case_id,
        temperature=temperature,
        draw=draw,
    )
    wanted = metrics if metrics is not None else (*SIX, *(() if cites else (GrouseMetric.FAITHFULNESS_UNCITED,)))
    for metric in JUDGED:
        if metric in wanted:
            judging.score(metric)
    derived = {GrouseMetric.POSITIVE_ACCEPTANCE, GrouseMetric.NEGATIVE_REJECTION} & set(wanted)
    return GrouseScores(
        model=chat.spec,
        scores={metric: judging.score(metric) for metric in GrouseMetric if metric in wanted},
        compatible={metric: judging.compatible(metric) for metric in GrouseMetric if metric in derived},
    )


def _unscored(
    metric: GrouseMetric, status: Status, reason: str, *, call_id: str = "", prompt: PromptRef | None = None
) -> GrouseScore:
    return GrouseScore(metric=metric, value=None, status=status, reason=reason, call_id=call_id, prompt=prompt)
