"""One attempt: a request to an endpoint that speaks OpenAI's protocol, and what became of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from core import __version__
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

SENT: Final = {"Accept": "application/json", "Content-Type": "application/json"}

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

    It follows no redirect and takes no proxy and no header from the environment. What comes back is kept without the
    secrets it was asked with.

    Args:
        endpoint: Where to.

    Raises:
        InvalidInput: A variable the endpoint refers to is not set, its certificates cannot be read, or its address or
            its proxy's is none the client takes.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        import httpx2  # a tenth of a second, only for those who call a model

        from core.net.pools import http_client

        self._httpx = httpx2
        self._timeout = endpoint.timeout_s
        self._mask = Mask(secrets_of(endpoint))
        key, proxy = key_of(endpoint), proxy_of(endpoint)
        self._key, self._api_version = key, endpoint.api_version
        own = dict(header_values(endpoint))
        # A service may want its key in a header of another name, so whoever has headers is not told to add a key.
        self._keyless = not key and not own
        try:
            # Later names win, in whatever letters they are written.
            headers = httpx2.Headers({**SENT, "User-Agent": f"plumbline/{__version__}"})
            headers.update({"Authorization": f"Bearer {key}"} if key else {})
            headers.update(own)
            self._base = httpx2.URL(endpoint.base_url.rstrip("/"))
            self._client = http_client(
                endpoint.concurrency, trust(endpoint.ca_bundle), proxy=proxy, headers=dict(headers)
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

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def send(
        self, model: str, messages: tuple[Message, ...], parameters: Mapping[str, object], route: Route = CHAT
    ) -> tuple[Completion | Fault, float]:
        """Sends one request; whatever goes wrong with it is a fault, never an exception."""
        started = time.perf_counter()
        outcome: Completion | Fault
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._client.post(
                    self._base.copy_with(raw_path=self._base.raw_path.rstrip(b"/") + route.path.encode()),
                    params=self._query(route),
                    headers={"api-key": self._key} if route.api_key and self._key else None,
                    json={
                        "model": model,
                        "input" if route.path == RESPONSES else "messages": [
                            {"role": message.role, "content": message.content} for message in messages
                        ],
                        **parameters,
                    },
                )
            if response.is_success:
                outcome = read_completion(response.content, self._mask)
            else:
                outcome = _of_status(response.status_code, response.headers, response.content, self._mask)
                if self._keyless and response.status_code in (401, 403):
                    outcome = replace(outcome, reason=f"{outcome.reason} ({KEYLESS})")
        except TimeoutError:
            outcome = Fault(reason=f"no answer within {self._timeout:g} seconds", again=True, status=Status.TIMEOUT)
        except Unreadable as error:
            outcome = Fault(reason=str(error), again=True)
        except DestinationRefused as error:
            outcome = Fault(reason=str(error), again=False)
        except self._httpx.HTTPError as error:
            outcome = Fault(reason=f"no connection ({self._error_text(error)})", again=True)
        except Exception as error:  # noqa: BLE001 - one call must not take the others down with it
            outcome = Fault(reason=self._error_text(error), again=False)
        return outcome, time.perf_counter() - started

    def _query(self, route: Route) -> dict[str, str] | None:
        version = route.api_version or self._api_version
        return {"api-version": version} if version else None

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
