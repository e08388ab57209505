"""Requests of an HTTP target: one client, a deadline for the whole reply, a bound on its size, patience with 429."""

from __future__ import annotations

import asyncio
import ssl
import time
import weakref
import zlib
from contextlib import suppress
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

from core.domain.errors import CallFailed, DestinationRefused, InvalidInput, NoReply
from core.net import loop, retry
from core.net.addresses import redirected_to
from core.net.gate import admit
from core.net.pacing import Pace
from core.net.secrets import Mask, resolved, values_of
from core.net.tls import trust
from core.targets.over_http.config import HttpConfig, filled

if TYPE_CHECKING:
    import httpx2
    from pydantic import JsonValue

WHO = "the target"
"""Who needs a secret, for messages."""

SHOWN = 300
_HINTS = {
    400: "Compare the request with what the service expects.",
    401: "Check the header that signs in, and the environment variable it names.",
    403: "Check the header that signs in, and what it allows.",
    404: "Check the URL.",
    405: "Check the method.",
    413: "The service takes no request of this size.",
    415: "Check the header Content-Type.",
    422: "Compare the request with what the service expects.",
    429: "Lower rate or concurrency.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """What came back.

    Attributes:
        text: The body, with the secrets that were sent taken out of it.
        seconds: Of the last request, from the first to the last byte.
        attempts: How often the question was sent.
    """

    status: int
    text: str
    seconds: float
    attempts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    """A request without a reply that can be read."""

    message: str
    hint: str
    again: bool = False
    retry_after: float | None = None
    status: int | None = None
    text: str = ""


class HttpClient:
    """Sends questions as the settings say; safe to use from many threads.

    It follows no redirect, trusts no proxy of the environment, keeps no cookie (the next question must not be answered
    in the light of this one), and never shows a secret.

    Args:
        config: The settings.
        retries: How often a request is sent again; None for what the settings say.
        timeout_s: Seconds one request may take; None for what the settings say.

    Raises:
        InvalidInput: A variable is not set, a certificate cannot be read, or the host may not be called.
    """

    def __init__(self, config: HttpConfig, *, retries: int | None = None, timeout_s: float | None = None) -> None:
        import httpx2  # a quarter of a second, only for those who call a service

        from core.net.pools import http_client

        to = config.destination
        admit(to)
        self._config = config
        self._retries = config.retries if retries is None else retries
        self._timeout = config.timeout_s if timeout_s is None else timeout_s
        self._mask = Mask(values_of(config.headers.values(), WHO, to))
        try:
            headers = {name: resolved(value, WHO, to) for name, value in config.headers.items()}
            self._client = http_client(
                config.concurrency,
                trust(config.ca_bundle, verify=config.verify),
                headers={"Accept": "application/json", **headers, "Accept-Encoding": "identity"},
                cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
            )
        except (ValueError, TypeError):
            raise InvalidInput(
                "A header cannot be sent as it is.", "Check the environment variables it names."
            ) from None
        self._httpx = httpx2
        self._url = httpx2.URL(config.url)
        self._request = config.request
        self._loops: list[asyncio.AbstractEventLoop] = []
        weakref.finalize(self, _close, self._client, self._loops).atexit = False

    def send(self, question: str, case_id: str, pace: Pace) -> RawReply:
        """Puts one question, again where that may help.

        Args:
            question: As it is; it arrives as it is.
            case_id: For services that want to know.
            pace: Lets requests through, repeated ones as well.

        Raises:
            NoReply: There is none, it is too large or too slow, or its status is not one of success.
        """
        body = filled(self._request, {"question": question, "case_id": case_id})
        attempt = 0
        while True:
            attempt += 1
            pace.wait()
            started = time.perf_counter()
            try:
                outcome = loop.call(self._attempt(body))
            except CallFailed as error:
                raise NoReply(error.message, error.hint) from None
            seconds = time.perf_counter() - started
            if not isinstance(outcome, _Fault):
                return RawReply(status=outcome[0], text=self._mask.reply(outcome[1]), seconds=seconds, attempts=attempt)
            # Unlike a call of a model a question has no deadline of all its attempts that would end a longer wait.
            too_long = (outcome.retry_after or 0.0) > retry.LONGEST_PAUSE
            if not outcome.again or attempt > self._retries or too_long:
                tries = f" It was asked {attempt} times." if attempt > 1 else ""
                raise NoReply(
                    f"{self._mask.error(outcome.message)}{tries}",
                    outcome.hint,
                    status=outcome.status,
                    text=self._mask.error(outcome.text),
                )
            if outcome.retry_after is not None:
                pace.hold(outcome.retry_after)
            time.sleep(retry.pause(attempt, outcome.retry_after))

    async def _attempt(self, body: JsonValue) -> tuple[int, str] | _Fault:
        config, httpx = self._config, self._httpx
        if not self._loops:
            self._loops.append(asyncio.get_running_loop())
        if config.method == "GET" and isinstance(body, dict):
            flat = {name: value for name, value in body.items() if not isinstance(value, (dict, list))}
            url, sent = self._url.copy_merge_params(flat), None
        else:
            url, sent = self._url, body
        try:
            async with asyncio.timeout(self._timeout):
                async with self._client.stream(config.method, url, json=sent) as response:
                    data = await self._read(response)
                    return data if isinstance(data, _Fault) else _judged(response, data)
        except TimeoutError:
            return _Fault(
                message=f"No whole reply from {config.host} within {self._timeout:g} seconds.",
                hint="Raise timeout_s, or lower concurrency if the service is busy.",
            )
        except DestinationRefused as error:
            return _Fault(message=error.message, hint=error.hint)
        except httpx.UnsupportedProtocol as error:
            return _Fault(message=f"{config.host} cannot be called ({error}).", hint="Check the URL.")
        except httpx.TransportError as error:
            if isinstance(error.__cause__, ssl.SSLError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
                return _Fault(
                    message=f"The certificate of {config.host} is not trusted ({error}).",
                    hint="Give the certificates of your organisation as ca_bundle.",
                )
            return _Fault(
                message=f"No reply from {config.host}: {type(error).__name__} {error}".strip() + ".",
                hint="Check that the service is up and can be reached from here.",
                again=True,
            )
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, ValueError) as error:
            return _Fault(message=f"{config.host} cannot be asked ({type(error).__name__}).", hint="Check the URL.")

    async def _read(self, response: httpx2.Response) -> bytes | _Fault:
        most = self._config.max_bytes
        too_large = _Fault(
            message=f"The reply of {self._config.host} has more than {most:,} bytes.",
            hint="Ask the service for less, or raise max_bytes.",
        )
        if int(response.headers.get("content-length", "0")) > most:
            return too_large
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > most:
                return too_large
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding in ("gzip", "deflate"):  # it was asked for none
            unpacker = zlib.decompressobj(wbits=47 if coding == "gzip" else 15)
            with suppress(zlib.error):
                data = unpacker.decompress(bytes(body), most + 1)
                return too_large if len(data) > most else data
        if coding != "identity":
            return _Fault(
                message=f"The reply of {self._config.host} is compressed as {coding[:20]}, which was not requested.",
                hint="Turn off compression at the service.",
            )
        return bytes(body)


def _judged(response: httpx2.Response, data: bytes) -> tuple[int, str] | _Fault:
    """The text of a reply of success, or what its status means."""
    code = response.status_code
    if 300 <= code < 400:
        to = redirected_to(response.headers.get("location", ""))
        return _Fault(
            message=f"HTTP {code}: the service answers with a redirect{to and f' to {to}'}, which is not followed.",
            hint="Give the final address.",
            status=code,
        )
    text = data.decode("utf-8", "replace")
    if 200 <= code < 300:
        try:
            return code, data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return _Fault(message="The reply is not UTF-8 text.", hint="JSON is sent as UTF-8.")
    excerpt = " ".join(text.split())[:SHOWN]
    return _Fault(
        message=f"HTTP {code}{f': {excerpt}' if excerpt else ''}.".replace("..", "."),
        hint=_HINTS.get(code, "The service failed; its own log says why." if code >= 500 else "Check URL and request."),
        again=code in retry.RETRIED,
        retry_after=retry.retry_after(response.headers),
        status=code,
        text=text,
    )


def _close(client: httpx2.AsyncClient, loops: list[asyncio.AbstractEventLoop]) -> None:
    # Whatever thread collects the garbage must not wait for the one that closes connections.
    for running in loops:
        if running.is_running():
            asyncio.run_coroutine_threadsafe(client.aclose(), running)
