"""Where a connection goes: a host as everybody reads it the same way, and a port."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from urllib.parse import urlsplit

from core.domain.errors import DestinationRefused
from core.net.gate.ranges import Address

_NUMERIC = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
MOST_LETTERS = 253
HIGHEST_PORT = 65_535
PORTS = {"http": 80, "https": 443, "socks5": 1080}
UNSAID = frozenset({80, 443, 3306, 5432})
"""Usual ports, which messages leave out."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A host and a port.

    Attributes:
        host: A name in lower case or an address in its usual form; what was written where it has no such form (`admit`
            refuses it then). A socket of this machine is its path.
        port: None for the usual one of whatever is spoken there.
    """

    host: str
    port: int | None = None

    @property
    def is_socket(self) -> bool:
        """Whether it is a socket of this machine instead of a host."""
        return self.host.startswith("/")

    @property
    def address(self) -> Address | None:
        """The host as an address, None where it is a name."""
        return address_in(self.host)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port and self.port not in UNSAID else host


def destination_of(url: str) -> Destination:
    """The host and the port of a web address; the usual port where none is written.

    Raises:
        DestinationRefused: It names no host, or its port is no number.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise DestinationRefused("The address has no host that can be read.", "Correct it.", host="") from None
    return Destination(plain_host(parts.hostname or ""), port or PORTS.get(parts.scheme.lower()))


def plain_host(text: str) -> str:
    """A host as it is compared: in lower case and without brackets; an address in its usual form."""
    host = text.strip().lower().removeprefix("[").removesuffix("]")
    address = address_in(host)
    return str(address) if address is not None else host


def address_in(host: str) -> Address | None:
    """The address that a host is, in one of the two forms that all programs read alike; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def require_plain(destination: Destination) -> None:
    """Refuses a host that two programs may read as two different ones.

    Raises:
        DestinationRefused: It is empty, an unusual way to write an address, or has letters that no name has.
    """
    host = destination.host
    if destination.is_socket:
        return
    why, hint = _fault(host)
    if not why and destination.port is not None and not 0 < destination.port <= HIGHEST_PORT:
        why, hint = f"{destination.port} is no port", f"Give one from 1 to {HIGHEST_PORT}."
    if why:
        raise DestinationRefused(f"Plumbline may not call {host[:80]!r}: {why}.", hint, host=host[:80])


def _fault(host: str) -> tuple[str, str]:
    """What is wrong with a host, and what to do about it; two empty texts where nothing is."""
    if not host:
        return "the address names no host", "Give one such as db.bank.example."
    if "%" in host:
        return "it has a % in it", "Leave it out."
    if address_in(host) is not None:
        return "", ""
    if "," in host:
        return "these are several hosts", "Name one."
    if _NUMERIC.fullmatch(host):
        return "it is an unusual way to write an address", f"Write four decimal numbers, such as {_example(host)}."
    if not host.isascii():
        return "it has letters outside ASCII", "Write it in its ASCII form, which begins xn--."
    if host.endswith("."):
        return "it ends in a dot", "Leave the dot out."
    if len(host) > MOST_LETTERS or not _NAME.fullmatch(host):
        return "it is not the name of a host", "Correct the address."
    return "", ""


def _example(host: str) -> str:
    """The usual form of what a number would be taken for, where that can be said."""
    if host.isdecimal() and not host.startswith("0") and int(host) < 2**32:
        return str(IPv4Address(int(host)))
    return "10.0.0.4"
