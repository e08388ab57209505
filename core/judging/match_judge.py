"""The match judge under its name."""

from __future__ import annotations

from dataclasses import replace

from core.domain.results.responses import Judgement, Response, Verdict
from core.domain.testset.cases import TestCase
from core.judging.match.judge import judge_match
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.protocol import Judge, JudgeRequest, JudgeSpec
from core.judging.quotations import as_written
from core.judging.registry import register


class MatchJudge:
    """Judges by rules: the reference in any usual format, and not denied, hedged or taken back.

    Args:
        settings: The tolerance for figures and what coarser dates count for.
    """

    name = "match"
    concurrency = 1

    def __init__(self, settings: MatchSettings = DEFAULT) -> None:
        self.settings = settings

    def judge(self, case: TestCase, response: Response) -> Judgement:
        """The verdict of :func:`core.judging.match.judge.judge_match`; a failed response is not judged."""
        answer = None if response.error else response.answer
        passages = [context.text for context in response.contexts if context.text]
        judgement = judge_match(case.question, case.reference_answers, answer, self.settings, passages=passages)
        if judgement.rule == "no answer" and response.error:
            return Judgement(
                verdict=Verdict.NOT_JUDGED,
                rule="no answer",
                reason=f"The target failed, so there is no answer to judge: {response.error}",
                detail=judgement.detail,
            )
        quoted = as_written(judgement.reason, answer or "", case.question, *case.reference_answers)
        return replace(judgement, reason=quoted)


@register(
    JudgeSpec(
        name="match",
        title="Match",
        question="Does the answer state the reference, in any usual format, without denying or hedging it?",
        needs=("answer", "reference"),
    )
)
def open_match(request: JudgeRequest) -> Judge:
    """The match judge; it takes no argument."""
    return MatchJudge(request.match_settings)
