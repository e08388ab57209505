"""Requests of an HTTP target: one client, a deadline for the whole reply, a bound on its size, patience with 429."""

from __future__ import annotations

import asyncio
import ssl
import time
import uuid
import weakref
import zlib
from contextlib import suppress
from dataclasses import dataclass, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

from core.domain.errors import CallFailed, DestinationRefused, InvalidInput, NoReply
from core.net import loop, retry
from core.net.addresses import redirected_to
from core.net.gate import admit
from core.net.pacing import Pace
from core.net.secrets import Mask, resolved, values_of
from core.net.tls import show_certificate, trust
from core.targets.over_http.config import HttpConfig, filled, filled_url
from core.targets.over_http.jobs import finished
from core.targets.over_http.tokens import Tokens

if TYPE_CHECKING:
    import httpx2
    from pydantic import JsonValue

WHO = "the target"
"""Who needs a secret, for messages."""

ACCEPTED = "application/json, text/event-stream;q=0.9, application/x-ndjson;q=0.9, */*;q=0.1"
UNAUTHORIZED = 401
LAST = 100
"""Bytes at the end of a stream in which its last event is looked for."""

_WANTED = ("CERTIFICATE_REQUIRED", "ALERT_HANDSHAKE_FAILURE", "ALERT_BAD_CERTIFICATE", "ALERT_UNKNOWN_CA")
"""What TLS says of a caller that shows no certificate, or one that is not trusted."""

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
        seconds: Of the last request, from the first to the last byte; of a job from its question to its answer.
        attempts: How often the question was sent.
        content_type: As the service says it.
    """

    status: int
    text: str
    seconds: float
    attempts: int = 1
    content_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    """A request without a reply that can be read."""

    message: str
    hint: str
    again: bool = False
    late: bool = False
    retry_after: float | None = None
    status: int | None = None
    text: str = ""

    @property
    def lasting(self) -> bool:
        """Whether every other request will end so too, until somebody corrects something."""
        return not self.again and not self.late and (self.status is None or retry.lasts(self.status))


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
        trusted = trust(config.ca_bundle, verify=config.verify)
        if config.client_certificate:
            password = resolved(config.client_key_password, "client_key", to)
            show_certificate(trusted, config.client_certificate, config.client_key, password)
        self._secrets = values_of((*config.headers.values(), config.client_key_password), WHO, to)
        self._loops: list[asyncio.AbstractEventLoop] = []
        self._tokens = Tokens(config.oauth, trusted, self._timeout, self._loops) if config.oauth else None
        try:
            headers = {name: resolved(value, WHO, to) for name, value in config.headers.items()}
            self._client = http_client(
                config.concurrency,
                trusted,
                headers={"Accept": ACCEPTED, **headers, "Accept-Encoding": "identity"},
                cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
            )
        except (ValueError, TypeError):
            raise InvalidInput(
                "A header cannot be sent as it is.", "Check the environment variables it names."
            ) from None
        self._httpx = httpx2
        opened = [self._client, *([self._tokens.client()] if self._tokens else [])]
        weakref.finalize(self, _close, opened, self._loops).atexit = False

    def send(self, question: str, case_id: str, pace: Pace) -> RawReply:
        """Puts one question, again where that may help.

        Args:
            question: As it is; it arrives as it is.
            case_id: For services that want to know.
            pace: Lets requests through, repeated ones as well.

        Raises:
            NoReply: There is none, it is too large or too slow, or its status is not one of success.
        """
        config = self._config
        # A service that remembers a conversation must not answer this question in the light of another.
        values = {"question": question, "case_id": case_id, "session_id": str(uuid.uuid4())}
        body, url = filled(config.request, values), self._httpx.URL(filled_url(config.url, values))
        if config.method == "GET" and isinstance(body, dict):
            flat = {name: value for name, value in body.items() if not isinstance(value, (dict, list))}
            url, body = url.copy_merge_params(flat), None
        reply = self._exchange(config.method, url, body, pace)
        if config.job is None:
            return reply
        started = time.perf_counter()
        text = finished(config.job, reply.text, lambda address: self._exchange("GET", self._httpx.URL(address)).text)
        return replace(reply, text=text, seconds=reply.seconds + time.perf_counter() - started, content_type="")

    def _exchange(self, method: str, url: httpx2.URL, body: JsonValue = None, pace: Pace | None = None) -> RawReply:
        """One request, again where that may help."""
        attempt, renewed = 0, False
        while True:
            attempt += 1
            if pace is not None:
                pace.wait()
            authorization = self._tokens.header() if self._tokens else ""
            mask = Mask((*self._secrets, *(self._tokens.secrets if self._tokens else ())))
            started = time.perf_counter()
            try:
                outcome = loop.call(self._attempt(method, url, body, authorization))
            except CallFailed as error:
                raise NoReply(error.message, error.hint) from None
            seconds = time.perf_counter() - started
            if not isinstance(outcome, _Fault):
                status, text, kind = outcome
                return RawReply(
                    status=status, text=mask.reply(text), seconds=seconds, attempts=attempt, content_type=kind
                )
            if self._tokens and outcome.status == UNAUTHORIZED and not renewed:
                self._tokens.refuse(authorization)
                attempt, renewed = attempt - 1, True
                continue
            # Unlike a call of a model a question has no deadline of all its attempts that would end a longer wait.
            too_long = (outcome.retry_after or 0.0) > retry.LONGEST_PAUSE
            if not outcome.again or attempt > self._retries or too_long:
                tries = f" It was asked {attempt} times." if attempt > 1 else ""
                raise NoReply(
                    f"{mask.error(outcome.message)}{tries}",
                    outcome.hint,
                    status=outcome.status,
                    text=mask.error(outcome.text),
                    lasting=outcome.lasting,
                )
            if outcome.retry_after is not None and pace is not None:
                pace.hold(outcome.retry_after)
            time.sleep(retry.pause(attempt, outcome.retry_after))

    async def _attempt(
        self, method: str, url: httpx2.URL, body: JsonValue, authorization: str
    ) -> tuple[int, str, str] | _Fault:
        config, httpx = self._config, self._httpx
        if not self._loops:
            self._loops.append(asyncio.get_running_loop())
        headers = {"Authorization": authorization} if authorization else None
        try:
            async with asyncio.timeout(self._timeout):
                async with self._client.stream(method, url, json=body, headers=headers) as response:
                    data = await self._read(response)
                    return data if isinstance(data, _Fault) else _judged(response, data)
        except TimeoutError:
            return _Fault(
                message=f"No whole reply from {config.host} within {self._timeout:g} seconds.",
                hint="Raise timeout_s, or lower concurrency if the service is busy.",
                late=True,
            )
        except DestinationRefused as error:
            return _Fault(message=error.message, hint=error.hint)
        except httpx.UnsupportedProtocol as error:
            return _Fault(message=f"{config.host} cannot be called ({error}).", hint="Check the URL.")
        except (httpx.TransportError, OSError) as error:  # a refusal while reading comes as it is
            return _unreached(error, config.host)
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
        streamed = response.headers.get("content-type", "").startswith("text/event-stream")
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > most:
                return too_large
            if streamed and bytes(body[-LAST:]).rstrip().endswith(b"data: [DONE]"):
                break  # some services leave the connection open
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


def _unreached(error: Exception, host: str) -> _Fault:
    said = str(error)
    if any(alert in said for alert in _WANTED):
        return _Fault(
            message=f"{host} wants a certificate that shows who is calling ({error}).",
            hint="Give client_certificate and client_key that it accepts.",
        )
    if isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError) or "CERTIFICATE_VERIFY" in said:
        return _Fault(
            message=f"The certificate of {host} is not trusted ({error}).",
            hint="Give the certificates of your organisation as ca_bundle.",
        )
    cut = type(error).__name__ in ("ReadError", "WriteError", "RemoteProtocolError")
    return _Fault(
        message=f"No reply from {host}: {type(error).__name__} {error}".strip() + ".",
        hint="Check that the service is up and can be reached from here"
        + ("; one that wants a client_certificate may end a connection so." if cut else "."),
        again=True,
    )


def _judged(response: httpx2.Response, data: bytes) -> tuple[int, str, str] | _Fault:
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
            return code, data.decode("utf-8-sig"), response.headers.get("content-type", "")
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


def _close(clients: list[httpx2.AsyncClient], loops: list[asyncio.AbstractEventLoop]) -> None:
    # Whatever thread collects the garbage must not wait for the one that closes connections.
    for running in loops:
        for client in clients if running.is_running() else ():
            asyncio.run_coroutine_threadsafe(client.aclose(), running)
