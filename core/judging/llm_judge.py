"""The reference verdict by a model: does the response give the true answer? Correct or Incorrect, with a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

from core.domain.errors import BudgetSpent, CallFailed, InvalidInput
from core.domain.results.responses import Judgement, Response, Verdict
from core.domain.testset.cases import TestCase
from core.judging.decisive import is_decisive
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.match_judge import MatchJudge
from core.judging.models.votes import ReferenceVerdict, majority
from core.judging.protocol import Judge, JudgeRequest, JudgeSpec
from core.judging.registry import register
from core.llm import ChatModel, Prompt, load_prompt

PROMPT = "reference_verdict"
PURPOSE = "judge"
ALONE, REPEATED = 0.0, 1.0
"""Temperature of a single verdict, and of repeated verdicts, which may differ where the model is not sure."""
MOST_REPEATS = 15
OFFERED_REPEATS = (1, 3, 5)
"""Odd, so that there is no tie."""

_VERDICTS = {"Correct": Verdict.CORRECT, "Incorrect": Verdict.INCORRECT}


class LlmJudge:
    """Asks a model, once or several times, and takes the verdict of the majority.

    Args:
        chat: The model.
        prompt: With the inputs `question`, `references` and `response`, each of which it fences.
        repeats: How often each answer is judged.
        match_first: Whether the match judge decides where it is decisive (`core.judging.decisive`).
        match_settings: What the match judge accepts.

    Raises:
        InvalidInput: The number of repeats is out of range.
    """

    def __init__(
        self,
        chat: ChatModel,
        prompt: Prompt,
        *,
        repeats: int = 1,
        match_first: bool = False,
        match_settings: MatchSettings = DEFAULT,
    ) -> None:
        if not 1 <= repeats <= MOST_REPEATS:
            raise InvalidInput(
                f"{repeats} is not a number of verdicts for one answer.",
                f"Ask for 1 to {MOST_REPEATS}; an odd number has no tie.",
            )
        self.name = f"llm:{chat.spec}"
        self.concurrency = chat.concurrency
        self._chat, self._prompt = chat, prompt
        self._repeats, self._match_first = repeats, match_first
        self._match = MatchJudge(match_settings)

    def judge(self, case: TestCase, response: Response) -> Judgement:
        """The verdict of the majority, with every vote; without answer or reference ``not_judged``, without a call.

        The detail also holds the match judge's verdict and says which of the two decided.

        Raises:
            BudgetSpent: Nothing more may be asked; the run stops there and can be resumed.
        """
        askable = not response.error and any(reference and reference.strip() for reference in case.reference_answers)
        if response.answer is None or not askable:
            return self._match.judge(case, response)
        if not self._match_first:
            # The rules speak while other answers are waited for: what they compile first would hold up every call.
            return self._ask(case, response.answer, lambda: self._match.judge(case, response))
        by_rules = self._match.judge(case, response)
        if is_decisive(by_rules, case.question, response.answer):
            return Judgement(
                verdict=by_rules.verdict,
                rule=by_rules.rule,
                reason=by_rules.reason,
                detail={**by_rules.detail, **_said_by_rules(by_rules), "decided_by": "match"},
            )
        return self._ask(case, response.answer, lambda: by_rules)

    def _ask(self, case: TestCase, answer: str, by_rules: Callable[[], Judgement]) -> Judgement:
        references = [reference for reference in case.reference_answers if reference and reference.strip()]
        messages = self._prompt.render(question=case.question, references=references, response=answer)
        temperature = ALONE if self._repeats == 1 else REPEATED
        votes: list[dict[str, object]] = []
        verdicts: list[str] = []
        reasons: dict[str, str] = {}
        failure: CallFailed | None = None
        for sample in range(self._repeats):
            try:
                vote, reply = self._chat.ask_for(
                    ReferenceVerdict,
                    messages,
                    purpose=PURPOSE,
                    case_id=case.case_id,
                    prompt=self._prompt.ref,
                    temperature=temperature,
                    sample=sample,
                )
            except BudgetSpent:
                raise
            except CallFailed as error:
                failure = failure or error
                votes.append({"failure": error.status.value, "why": error.message, "call_id": error.call_id})
                continue
            verdicts.append(vote.verdict)
            reasons.setdefault(vote.verdict, vote.reason.strip())
            votes.append({"verdict": vote.verdict, "reason": vote.reason.strip(), "call_id": reply.call_id})
        detail = {
            **_said_by_rules(by_rules()),
            "decided_by": "llm",
            "model": self._chat.model,
            "endpoint": self._chat.base_url,
            "prompt": asdict(self._prompt.ref),
            "temperature": temperature,
            "repeats": self._repeats,
            "votes": votes,
            "call_ids": [str(vote["call_id"]) for vote in votes],
        }
        return self._decided(verdicts, reasons, failure, detail)

    def _decided(
        self, verdicts: list[str], reasons: Mapping[str, str], failure: CallFailed | None, detail: Mapping[str, object]
    ) -> Judgement:
        verdict = majority(verdicts, self._repeats)
        if verdict:
            alone = self._repeats == 1
            for_it = "" if alone else f"{verdicts.count(verdict)} of {self._repeats} verdicts say {verdict}: "
            return Judgement(
                verdict=_VERDICTS[verdict],
                rule="llm" if alone else "llm majority",
                reason=f"{for_it}{reasons[verdict]}",
                detail=detail,
            )
        if failure is not None:
            failed_votes = (
                f"{self._repeats - len(verdicts)} of {self._repeats} verdicts failed, and the rest have no majority. "
            )
            return Judgement(
                verdict=Verdict.NOT_JUDGED,
                rule="llm failed",
                failure=failure.status,
                reason=f"{failed_votes if self._repeats > 1 else ''}{failure.message}",
                detail=detail,
            )
        correct, incorrect = verdicts.count("Correct"), verdicts.count("Incorrect")
        return Judgement(
            verdict=Verdict.NOT_JUDGED,
            rule="tie",
            reason=f"{correct} verdicts say Correct and {incorrect} Incorrect: a tie.",
            detail=detail,
        )


@register(
    JudgeSpec(
        name="llm",
        title="Language model",
        question="Does a model find the true answer in the response, in whatever words?",
        needs=("answer", "reference", "model"),
        argument="MODEL@BASE_URL",
    )
)
def open_llm(request: JudgeRequest) -> Judge:
    """The judge that asks a model.

    Raises:
        InvalidInput: No model may be asked here, or the model or the number of repeats cannot be used.
    """
    if request.chat is None:
        raise InvalidInput(
            f"The judge llm:{request.argument} needs a model, and none can be asked here.",
            "Use it in a run of a project, or judge with match.",
        )
    prompts = request.prompts or load_prompt
    chat = request.chat(request.argument)
    return LlmJudge(
        chat,
        prompts(PROMPT, variant=chat.prompts),
        repeats=request.repeats,
        match_first=request.match_first,
        match_settings=request.match_settings,
    )


def _said_by_rules(judgement: Judgement) -> dict[str, object]:
    """The verdict of the rules as the detail of ours keeps it."""
    said = {"verdict": judgement.verdict.value, "rule": judgement.rule, "reason": judgement.reason}
    return {"match": said}
