"""What came of a call: kept as the ledger keeps it, told as a reply or as the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from core.domain.errors import CallFailed
from core.domain.llm import Call, CallState, Price
from core.domain.status import Status
from core.llm.calls.gate import Outcome
from core.llm.calls.replies import CUT_SHORT, WITHHELD
from core.llm.calls.thoughts import part
from core.llm.calls.transport import KEYLESS, Fault
from core.llm.replies.reading import Malformed
from core.llm.spending.cost import cost
from core.net.gate.variables import KEY_HOSTS_VARIABLE, KEY_VARIABLE

_HINT = "The call is on the Models page with all that was sent and received."
_KEY_HINT = (
    f"Keep the endpoint on the Models page (or by `endpoints add`) with the variable that holds its key; a model named "
    f"by its address alone gets {KEY_VARIABLE} where {KEY_HOSTS_VARIABLE} has its host."
)

_STATUS = {
    CallState.MALFORMED: Status.PARSE_FAILED,
    CallState.TRUNCATED: Status.TRUNCATED,
    CallState.TIMEOUT: Status.TIMEOUT,
    CallState.FAILED: Status.API_ERROR,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model said.

    Attributes:
        cost: In the currency of the price table; None where it is not known.
        latency_s: Seconds of the attempt that was answered, whenever that was.
        reasoning: What the model thought before; no part of the text.
        cached: Whether it was asked before and nothing was sent now.
        call_id: The ledger's row.
    """

    text: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    latency_s: float
    cached: bool
    call_id: str
    reasoning: str = ""


def ended(
    fresh: Call, outcome: Outcome, read: Callable[[str], object], prices: Mapping[str, Price], cut: str = ""
) -> Call:
    """The call with what came of it.

    Args:
        fresh: As it was sent.
        outcome: What came back.
        read: Raises `Malformed` where a reply is not of the form asked for.
        prices: By model.
        cut: How the endpoint cut the prompt; "" where it did not. What it answered then is no answer to the question.
    """
    fresh = replace(fresh, attempts=outcome.attempts, latency_s=outcome.latency_s)
    answer = outcome.result
    if isinstance(answer, Fault):
        timed_out = answer.status is Status.TIMEOUT
        return replace(fresh, state=CallState.TIMEOUT if timed_out else CallState.FAILED, error=answer.reason)
    state, error = CallState.ANSWERED, ""
    if cut:
        state, error = CallState.TRUNCATED, cut
    elif answer.finish_reason.lower() in CUT_SHORT:
        state, error = CallState.TRUNCATED, "the reply was cut off at the most tokens it may have"
        if not answer.text.strip():
            error += ", before it said anything: thoughts count among them, shown or not"
    elif answer.finish_reason.lower() in WITHHELD:
        state, error = CallState.FAILED, f"the service withheld the reply ({answer.finish_reason})"
    elif answer.reasoning and not answer.text.strip():
        state, error = CallState.FAILED, "the model thought and gave no answer"
    else:
        try:
            read(answer.text)
        except Malformed as malformed:
            state, error = CallState.MALFORMED, str(malformed)
    return replace(
        fresh,
        state=state,
        error=error,
        reply=answer.text,
        reasoning=answer.reasoning,
        finish_reason=answer.finish_reason,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        cost=cost(prices, fresh.model, answer.prompt_tokens, answer.completion_tokens),
    )


def reply_of(call: Call, cached: bool) -> Reply:
    """An answered call as its reply; the thoughts in one that was kept with them are parted from it."""
    parted = part(call.reply)
    return Reply(
        text=parted.answer,
        reasoning=call.reasoning or parted.reasoning,
        finish_reason=call.finish_reason,
        prompt_tokens=call.prompt_tokens,
        completion_tokens=call.completion_tokens,
        cost=call.cost,
        latency_s=call.latency_s,
        cached=cached,
        call_id=call.id,
    )


def failure_of(call: Call) -> CallFailed:
    """The error of a call that was not answered."""
    tries = "" if call.attempts == 1 else f" (after {call.attempts} attempts)"
    return CallFailed(
        f"The model {call.model} gave no usable reply{tries}: {call.error}.",
        _KEY_HINT if call.error.endswith(f"({KEYLESS})") else _HINT,
        status=_STATUS[call.state],
        raw=call.reply,
        call_id=call.id,
    )
