"""Tokens of OAuth 2.0 with client credentials (RFC 6749, 4.4): fetched once, again shortly before they end."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
from base64 import b64encode
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from core.domain.errors import CallFailed, DestinationRefused, NoReply
from core.net import loop, retry
from core.net.gate import admit, destination_of
from core.net.secrets import Mask, resolved
from core.targets.over_http.parts import OAuth

if TYPE_CHECKING:
    import httpx2

EARLY_S: Final = 30.0
"""Seconds before its end at which a token is fetched anew; half its life where that is shorter."""

SHORTEST_S: Final = 5.0
USUAL_S: Final = 3_600.0
"""How long a token counts that does not say how long it does."""

LARGEST: Final = 100_000
SHOWN: Final = 200


class Tokens:
    """The token of one client; safe to use from many threads, of which one fetches and the others wait.

    Args:
        settings: Where tokens come from.
        trust: Which certificates are believed.
        timeout_s: Seconds one request for a token may take.
        loops: Gets the loop on which its client is to be closed, once that was used.

    Raises:
        InvalidInput: A variable is not set, or the host of the tokens may not be called.
    """

    def __init__(
        self, settings: OAuth, trust: ssl.SSLContext, timeout_s: float, loops: list[asyncio.AbstractEventLoop]
    ) -> None:
        from core.net.pools import http_client

        to = destination_of(settings.token_url)
        admit(to)
        self._settings = settings
        self._timeout = timeout_s
        self._loops = loops
        self._host = urlsplit(settings.token_url).hostname or ""
        self._id = resolved(settings.client_id, "OAuth", to)
        self._secret = resolved(settings.client_secret, "OAuth", to)
        # No header of the target goes to whoever issues tokens.
        self._client = http_client(1, trust, headers={"Accept": "application/json"})
        self._lock = threading.Lock()
        self._token = ""
        self._until = 0.0

    def __repr__(self) -> str:
        return "Tokens()"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be shown: the secret and the token in use."""
        basic = b64encode(f"{quote(self._id, safe='')}:{quote(self._secret, safe='')}".encode()).decode()
        return tuple(secret for secret in (self._secret, basic, self._token) if secret)

    def header(self) -> str:
        """The value of the header Authorization.

        Raises:
            NoReply: There is no token to be had; the message shows no secret.
        """
        with self._lock:
            if not self._token or time.monotonic() >= self._until:
                try:
                    status, text = loop.call(self._fetch())
                except CallFailed as error:
                    raise NoReply(error.message, error.hint) from None
                self._keep(status, text)
            return f"Bearer {self._token}"

    def refuse(self, header: str) -> None:
        """Forgets a token that the service refused, unless another was fetched since."""
        with self._lock:
            if header == f"Bearer {self._token}":
                self._token = ""

    def client(self) -> httpx2.AsyncClient:
        """What fetches tokens, to be closed with the target."""
        return self._client

    async def _fetch(self) -> tuple[int, str]:
        import httpx2

        if not self._loops:
            self._loops.append(asyncio.get_running_loop())
        settings = self._settings
        form = {"grant_type": "client_credentials", "scope": settings.scope, "audience": settings.audience}
        headers = {}
        if settings.send == "body":
            form |= {"client_id": self._id, "client_secret": self._secret}
        else:  # both parts are written as in a form (RFC 6749, 2.3.1)
            pair = f"{quote(self._id, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        sent = {name: value for name, value in form.items() if value}
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._client.post(settings.token_url, data=sent, headers=headers)
        except TimeoutError:
            raise CallFailed(
                f"No token from {self._host} within {self._timeout:g} seconds.", "Check that the service is up."
            ) from None
        except DestinationRefused as error:
            raise CallFailed(error.message, error.hint) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            raise CallFailed(
                f"No token from {self._host}: {type(error).__name__} {Mask(self.secrets).error(str(error))}".strip()
                + ".",
                "Check token_url, and that the service is up.",
            ) from None
        return response.status_code, response.text[:LARGEST]

    def _keep(self, status: int, text: str) -> None:
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = None
        token = body.get("access_token") if isinstance(body, dict) else None
        if not (200 <= status < 300) or not isinstance(token, str) or not token:
            said = Mask(self.secrets).error(" ".join(text.split())[:SHOWN])
            raise NoReply(
                f"{self._host} issued no token (HTTP {status}{f': {said}' if said else ''}).",
                "Check client_id, client_secret and scope of oauth.",
                status=status,
                lasting=retry.lasts(status),
            )
        try:
            life = float(body.get("expires_in") or USUAL_S) if isinstance(body, dict) else USUAL_S
        except (TypeError, ValueError):
            life = USUAL_S
        self._token = token
        self._until = time.monotonic() + max(min(SHORTEST_S, life / 2), life - min(EARLY_S, life / 2))
