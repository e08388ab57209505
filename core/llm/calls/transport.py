"""One attempt: a request to an endpoint through the openai client, and what became of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from core.domain.errors import DestinationRefused, InvalidInput
from core.domain.llm import Endpoint, Message
from core.domain.status import Status
from core.llm.calls.replies import (
    MOST_SHOWN,
    Completion,
    Unreadable,
    read_completion,
    read_refusal,
    refused_parameter,
)
from core.llm.calls.responses import PATH as RESPONSES
from core.llm.calls.texts import storable
from core.net.retry import OVERLOADED, RETRIED, retry_after
from core.net.secrets import Mask, header_values, key_of, proxy_of, secrets_of
from core.net.tls import trust

NEVER_AGAIN = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Codes of a 429 that waiting does not cure."""

KEYLESS = "no key was sent"
"""What is added to a refusal for want of permission, where that may be why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An attempt without a completion.

    Attributes:
        reason: What happened, for the person; never a secret.
        again: Whether the same request may succeed later.
        refused: Whether the endpoint was asked too much at once.
        retry_after: Seconds the endpoint wants to be left alone, where it says so.
        status: Why a score has no value when this was the last attempt.
        http_status: Of the response, None where there was none.
        param: The parameter that the endpoint names as refused, where it does so in a field of its own.
        code: Its word for the error.
    """

    reason: str
    again: bool
    refused: bool = False
    retry_after: float | None = None
    status: Status = Status.API_ERROR
    http_status: int | None = None
    param: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Where below its address an endpoint takes a request.

    Attributes:
        path: From the base URL on.
        api_version: Sent as ``api-version``; "" leaves it to the endpoint's settings.
        api_key: Whether the key goes in a header of that name as well, as Azure wants it.
    """

    path: str = "/chat/completions"
    api_version: str = ""
    api_key: bool = False


CHAT = Route()


class Transport(Protocol):
    """What sends one request."""

    async def send(
        self, model: str, messages: tuple[Message, ...], parameters: Mapping[str, object], route: Route = CHAT
    ) -> tuple[Completion | Fault, float]:
        """The completion or the fault, and the seconds it took."""
        ...

    async def close(self) -> None:
        """Closes the connections."""
        ...


class OpenAiTransport:
    """Requests to one endpoint through one client, whose connections are kept open between calls.

    The client's own retries are off, it follows no redirect and takes no proxy and no header from the environment. What
    comes back is kept without the secrets it was asked with.

    Args:
        endpoint: Where to.

    Raises:
        InvalidInput: A variable the endpoint refers to is not set, its certificates cannot be read, or its address or
            its proxy's is none the client takes.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        import httpx2  # a quarter of a second, only for those who call a model
        import openai

        from core.net.pools import http_client

        self._openai, self._httpx = openai, httpx2
        self._timeout = endpoint.timeout_s
        self._mask = Mask(secrets_of(endpoint))
        key, proxy = key_of(endpoint), proxy_of(endpoint)
        self._key = key
        headers = dict(header_values(endpoint))
        # A service may want its key in a header of another name, so whoever has headers is not told to add a key.
        self._keyless = not key and not headers
        keyless = not key and not any(name.lower() == "authorization" for name in headers)
        # The client wants a key, and takes these from the environment; to send none it is told so with each request.
        unsent = ["OpenAI-Organization", "OpenAI-Project", *(["Authorization"] if keyless else [])]
        self._options: Any = {"headers": {name: openai.Omit() for name in unsent if name not in headers}}
        try:
            self._client = openai.AsyncOpenAI(
                api_key=key or "none",
                base_url=endpoint.base_url,
                organization="",
                project="",
                default_query={"api-version": endpoint.api_version} if endpoint.api_version else None,
                max_retries=0,
                timeout=None,  # ours covers the whole attempt, also a reply that trickles in
                http_client=http_client(endpoint.concurrency, trust(endpoint.ca_bundle), proxy=proxy),
            )
        except ImportError:
            raise InvalidInput(
                "A SOCKS proxy needs the package socksio.", "Install it, or use an HTTP proxy."
            ) from None
        except (httpx2.InvalidURL, ValueError) as error:
            raise InvalidInput(
                f"The address {endpoint.base_url} or its proxy's cannot be used: {self._mask.error(str(error))}",
                "Correct it on the Models page.",
            ) from None
        # The client adds the headers of OPENAI_CUSTOM_HEADERS, whoever it calls; these are the endpoint's and no more.
        self._client._custom_headers = headers

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def send(
        self, model: str, messages: tuple[Message, ...], parameters: Mapping[str, object], route: Route = CHAT
    ) -> tuple[Completion | Fault, float]:
        """Sends one request; whatever goes wrong with it is a fault, never an exception."""
        started = time.perf_counter()
        outcome: Completion | Fault
        try:
            async with asyncio.timeout(self._timeout):
                # The plain request instead of `chat.completions.create`: replies are read by us, whatever their shape.
                response = await self._client.post(
                    route.path,
                    cast_to=self._httpx.Response,
                    body={
                        "model": model,
                        "input" if route.path == RESPONSES else "messages": [
                            {"role": message.role, "content": message.content} for message in messages
                        ],
                        **parameters,
                    },
                    options=self._options_of(route),
                )
                body = await response.aread()
            outcome = read_completion(body, self._mask)
        except TimeoutError:
            outcome = Fault(reason=f"no answer within {self._timeout:g} seconds", again=True, status=Status.TIMEOUT)
        except Unreadable as error:
            outcome = Fault(reason=str(error), again=True)
        except self._openai.APIStatusError as error:
            outcome = _of_status(error.status_code, error.response.headers, error.response.content, self._mask)
            if self._keyless and error.status_code in (401, 403):
                outcome = replace(outcome, reason=f"{outcome.reason} ({KEYLESS})")
        except (self._openai.APIConnectionError, self._httpx.HTTPError) as error:
            if isinstance(refused := error.__cause__, DestinationRefused):
                return Fault(reason=str(refused), again=False), time.perf_counter() - started
            outcome = Fault(reason=f"no connection ({self._error_text(error.__cause__ or error)})", again=True)
        except Exception as error:  # noqa: BLE001 - one call must not take the others down with it
            outcome = Fault(reason=self._error_text(error), again=False)
        return outcome, time.perf_counter() - started

    def _options_of(self, route: Route) -> Any:
        if not route.api_version and not route.api_key:
            return self._options
        headers = {**self._options["headers"], **({"api-key": self._key} if route.api_key and self._key else {})}
        params = {"params": {"api-version": route.api_version}} if route.api_version else {}
        return {**self._options, "headers": headers, **params}

    def _error_text(self, error: BaseException) -> str:
        return self._mask.error(storable(f"{type(error).__name__}: {error}"))[:MOST_SHOWN]


def _of_status(code: int, headers: Mapping[str, str], body: bytes, mask: Mask) -> Fault:
    message, reason = read_refusal(body, mask)
    hopeless = reason in NEVER_AGAIN
    return Fault(
        reason=f"HTTP {code}: {message}",
        again=code in RETRIED and not hopeless,
        refused=code == OVERLOADED and not hopeless,
        retry_after=retry_after(headers),
        http_status=code,
        param=mask.error(refused_parameter(body)),
        code=reason,
    )
