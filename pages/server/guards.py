"""What every request passes first: the name it asks for, and which of Streamlit's routes are open."""

from __future__ import annotations

import socket
from functools import cache
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

CLOSED = ("/_stcore/metrics",)
"""Ends of paths that nobody is answered at: figures of the process, which nobody signs in for."""

HEALTH = "/healthz"

NOT_OURS = (
    "This server does not answer to that name.\n"
    "Its operator can name it in STREAMLIT_SERVER_ALLOWED_HOSTS, such as plumbline.bank.example.\n"
)


class Guards:
    """Refuses requests for another host, HTTP and WebSocket alike, and routes that are closed.

    A page of somebody else's that has its own name lead to this machine (DNS rebinding) would otherwise be answered as
    if it were ours.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif not answers_to(Headers(scope=scope).get("host", ""), anywhere=scope["path"] == HEALTH):
            if kind == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await PlainTextResponse(NOT_OURS, status_code=403)(scope, receive, send)
        elif kind == "http" and scope["path"].rstrip("/").endswith(CLOSED):
            await PlainTextResponse("Not found\n", status_code=404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def answers_to(host: str, *, anywhere: bool = False) -> bool:
    """Whether a Host header names this server.

    Where the operator names no host, addresses and this machine's own name do: a page of somebody else's has a name of
    its own. An address of this machine always does, as the check of a container asks for it.

    Args:
        host: The header, with or without a port.
        anywhere: Whether every address does, as those who watch over a cluster ask for health by address.
    """
    name = _name_in(host)
    if name is None:
        return False
    address = _address_in(name)
    if name == "localhost" or (address is not None and (anywhere or ip_address(address).is_loopback)):
        return True
    if config.get_option("server.allowedHosts"):
        return is_host_allowed(host)
    return address is not None or name == _own_name()


def _name_in(host: str) -> str | None:
    """The name in a Host header, in lower case; None where it is no header of one host."""
    name, sign, port = host.strip().lower().rpartition(":")
    if not sign or host.strip().endswith("]"):
        name, port = host.strip().lower(), ""
    if (sign and port and not port.isdecimal()) or not name or any(letter in name for letter in "/@?#\\, "):
        return None
    return name.removesuffix(".")


def _address_in(name: str) -> str | None:
    bare = name.removeprefix("[").removesuffix("]")
    try:
        return str(ip_address(bare))
    except ValueError:
        return None


@cache
def _own_name() -> str:
    return socket.gethostname().lower()
