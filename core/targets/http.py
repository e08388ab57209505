"""Any system that answers over HTTP as the system under test; a YAML file says how."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.errors import InvalidInput, NoReply, TargetFailed
from core.domain.results.responses import Response
from core.net.pacing import Pace
from core.targets.over_http.client import HttpClient
from core.targets.over_http.config import HttpConfig, filled
from core.targets.over_http.file import read_config
from core.targets.over_http.reply import Extracted, read_text
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register

MOST_SHOWN = 20_000
"""Signs of a raw reply that a trial shows."""

TRIAL_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpTrial:
    """One question put to a system, to see whether the settings fit.

    Attributes:
        sent: The JSON that was sent, secrets as references.
        status: The reply's HTTP status, None where there was no reply.
        raw: The reply as it came, indented where it is JSON, cut, without the secrets that were sent.
        seconds: How long it took.
        extracted: What was found in it, None where it cannot be used.
        error: Why not, or empty.
        hint: What to do about it.
    """

    sent: str
    status: int | None = None
    raw: str = ""
    seconds: float | None = None
    extracted: Extracted | None = None
    error: str = ""
    hint: str = ""


class HttpTarget:
    """Puts each question to a service and reads its reply.

    Args:
        name: The spec it was opened with.
        config: The settings.
        concurrency: Questions in flight at most; None for what the settings say.
        rate: Requests a second at most; None for what the settings say.
        timeout_s: Seconds one request may take; None for what the settings say.

    Raises:
        InvalidInput: A variable is not set, a certificate cannot be read, or the host may not be called.
    """

    words_to_encode = 0

    def __init__(
        self,
        name: str,
        config: HttpConfig,
        *,
        concurrency: int | None = None,
        rate: float | None = None,
        timeout_s: float | None = None,
    ) -> None:
        self.name = name
        self.concurrency = concurrency or config.concurrency
        self._config = config
        self._client = HttpClient(config, timeout_s=timeout_s)
        self._pace = Pace(rate or config.rate)

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Nothing to do."""
        return True

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question.

        Raises:
            TargetFailed: There is no reply, or it has no answer where the settings say.
        """
        reply = self._client.send(question, case_id, self._pace)
        extracted = read_text(reply.text, self._config.response, reply.content_type)
        return Response(
            case_id=case_id,
            answer=extracted.answer,
            contexts=extracted.contexts,
            abstained=extracted.abstained,
            latency_s=reply.seconds if extracted.latency_s is None else extracted.latency_s,
            tokens=extracted.tokens,
        )


def try_http(config: HttpConfig, question: str, *, case_id: str = "test") -> HttpTrial:
    """Puts one question, once and without patience, and shows what came back and what was found in it.

    Args:
        config: The settings.
        question: Any.
        case_id: Sent where the request has a place for it.

    Returns:
        The trial; what goes wrong is told in it.
    """
    request = filled(config.request, {"question": question, "case_id": case_id})
    trial = HttpTrial(sent=json.dumps(request, ensure_ascii=False, indent=2))
    try:
        client = HttpClient(config, retries=0, timeout_s=min(config.timeout_s, TRIAL_SECONDS))
        reply = client.send(question, case_id, Pace())
        trial = replace(trial, status=reply.status, raw=_shown(reply.text), seconds=reply.seconds)
        return replace(trial, extracted=read_text(reply.text, config.response, reply.content_type))
    except NoReply as error:
        return replace(trial, status=error.status, raw=_shown(error.text), error=error.message, hint=error.hint)
    except (TargetFailed, InvalidInput) as error:
        return replace(trial, error=error.message, hint=error.hint)


def _shown(text: str) -> str:
    with suppress(ValueError, RecursionError):  # what is no JSON is shown as it came
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n... ({len(text) - MOST_SHOWN:,} more characters)"


@register(
    TargetSpec(
        name="http",
        title="A system over HTTP",
        question="How well does a deployed system answer over the interface that its users' software calls?",
        needs_corpus=False,
        argument="FILE.yaml",
        outside=True,
    )
)
def open_http(request: TargetRequest) -> Target:
    """The target that a YAML file describes."""
    config = read_config(Path(request.argument).expanduser())
    return HttpTarget(
        f"http:{request.argument}",
        config,
        concurrency=request.concurrency,
        rate=request.rate,
        timeout_s=request.timeout_s,
    )
