"""Requests of an HTTP target: one client, a deadline for the whole reply, a bound on its size, patience with 429."""

from __future__ import annotations

import asyncio
import random
import ssl
import time
import weakref
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.domain.errors import InvalidInput, TargetFailed
from core.llm import loop
from core.llm.addresses import require_allowed
from core.llm.failures import CallFailed
from core.llm.secrets import Mask
from core.targets.http_config import HttpConfig, filled
from core.targets.pacing import Pace
from core.targets.secret_texts import values_of, with_values

if TYPE_CHECKING:
    import httpx2
    from pydantic import JsonValue

AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""Statuses after which the same request may be answered."""

FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0
"""Seconds before the second request at most, and before any later one; drawn from half of it to all of it."""

LONGEST_PAUSE = 60.0
"""A service that wants to be left alone for longer fails the case."""

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


class NoReply(TargetFailed):
    """A question without a reply that can be read.

    Args:
        message: What happened.
        hint: What to do about it.
        status: The HTTP status, where there was one.
        text: The body, without the secrets that were sent, where there was one.
    """

    def __init__(self, message: str, hint: str, *, status: int | None = None, text: str = "") -> None:
        super().__init__(message, hint)
        self.status = status
        self.text = text


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

        require_allowed(config.host)
        self._config = config
        self._retries = config.retries if retries is None else retries
        self._timeout = config.timeout_s if timeout_s is None else timeout_s
        secrets = values_of([config.url, *config.headers.values(), *_texts(config.request)])
        self._mask = Mask(secrets.values())
        try:
            headers = {name: with_values(value, secrets) for name, value in config.headers.items()}
            self._client = httpx2.AsyncClient(
                headers={"Accept": "application/json", **headers, "Accept-Encoding": "identity"},
                verify=_trust(config),
                cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
                trust_env=False,
                follow_redirects=False,
                timeout=None,  # ours covers the whole exchange
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=config.concurrency),
            )
        except (ValueError, TypeError):
            raise InvalidInput(
                "A header cannot be sent as it is.", "Check the environment variables it names."
            ) from None
        self._httpx = httpx2
        self._url = httpx2.URL(with_values(config.url, secrets))
        self._request = _with_secrets(config.request, secrets)
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
            pause = _pause(attempt, outcome.retry_after)
            if not outcome.again or attempt > self._retries or pause > LONGEST_PAUSE:
                tries = f" It was asked {attempt} times." if attempt > 1 else ""
                raise NoReply(
                    f"{self._mask.error(outcome.message)}{tries}",
                    outcome.hint,
                    status=outcome.status,
                    text=self._mask.error(outcome.text),
                )
            if outcome.retry_after is not None:
                pace.hold(outcome.retry_after)
            time.sleep(pause)

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
        held = bytearray()
        async for chunk in response.aiter_raw():
            held += chunk
            if len(held) > most:
                return too_large
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding in ("gzip", "deflate"):  # it was asked for none
            unpacker = zlib.decompressobj(wbits=47 if coding == "gzip" else 15)
            with suppress(zlib.error):
                data = unpacker.decompress(bytes(held), most + 1)
                return too_large if len(data) > most else data
        if coding != "identity":
            return _Fault(
                message=f"The reply of {self._config.host} is packed as {coding[:20]}, which was not asked for.",
                hint="Turn compression off there.",
            )
        return bytes(held)


def _judged(response: httpx2.Response, data: bytes) -> tuple[int, str] | _Fault:
    """The text of a reply of success, or what its status means."""
    code = response.status_code
    if 300 <= code < 400:
        where = urlsplit(response.headers.get("location", ""))
        to = f" to {where.hostname or where.path[:100]}" if where.hostname or where.path else ""
        return _Fault(
            message=f"HTTP {code}: the service answers with a redirect{to}, which is not followed.",
            hint="Give the address that answers itself.",
            status=code,
        )
    text = data.decode("utf-8", "replace")
    if 200 <= code < 300:
        try:
            return code, data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return _Fault(message="The reply is not UTF-8 text.", hint="JSON is sent as UTF-8.")
    said = " ".join(text.split())[:SHOWN]
    return _Fault(
        message=f"HTTP {code}{f': {said}' if said else ''}.".replace("..", "."),
        hint=_HINTS.get(code, "The service failed; its own log says why." if code >= 500 else "Check URL and request."),
        again=code in AGAIN,
        retry_after=_retry_after(response.headers),
        status=code,
        text=text,
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the service wants to be left alone: a number, or a date."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        with suppress(ValueError, TypeError):
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    return None


def _pause(attempt: int, retry_after: float | None) -> float:
    most = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1))
    drawn = random.uniform(most / 2, most)  # noqa: S311 - spreads requests in time, decides nothing
    return drawn if retry_after is None else retry_after + min(drawn, 0.1)


def _trust(config: HttpConfig) -> ssl.SSLContext | bool:
    if not config.verify or not config.ca_bundle:
        return config.verify
    try:
        return ssl.create_default_context(cafile=config.ca_bundle)
    except (OSError, ssl.SSLError):
        raise InvalidInput(
            f"ca_bundle: the certificates in {config.ca_bundle} cannot be read.", "Give a file in PEM form."
        ) from None


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in _texts(item)]


def _with_secrets(value: JsonValue, secrets: dict[str, str]) -> JsonValue:
    if isinstance(value, str):
        return with_values(value, secrets)
    if isinstance(value, list):
        return [_with_secrets(item, secrets) for item in value]
    if isinstance(value, dict):
        return {name: _with_secrets(item, secrets) for name, item in value.items()}
    return value


def _close(client: httpx2.AsyncClient, loops: list[asyncio.AbstractEventLoop]) -> None:
    # Whatever thread collects the garbage must not wait for the one that closes connections.
    for running in loops:
        if running.is_running():
            asyncio.run_coroutine_threadsafe(client.aclose(), running)
