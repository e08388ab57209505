"""The operator's list of hosts: names, addresses, networks and sockets, each with or without a port."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network

from core.domain.errors import InvalidInput
from core.net.gate.destinations import Destination, plain_host, require_plain
from core.net.gate.ranges import Address

ALLOWED = "PLUMBLINE_ALLOWED_HOSTS"
_PARTS = re.compile(
    r"(?P<host>\[[^\]]+\]|[^:\[\]]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)(?::(?P<port>[0-9]{1,5}))?"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list.

    Attributes:
        host: A name, an address or the path of a socket; "" for a network.
        network: A network of addresses, None for a host.
        port: The only port, None for every one.
    """

    host: str
    network: IPv4Network | IPv6Network | None
    port: int | None

    def names(self, destination: Destination) -> bool:
        """Whether it means the destination."""
        if self.port is not None and destination.port is not None and self.port != destination.port:
            return False
        if self.network is not None:
            return destination.address is not None and destination.address in self.network
        return self.host == destination.host

    def holds(self, address: Address) -> bool:
        """Whether it names the address itself, or a network with it."""
        return address in self.network if self.network is not None else self.host == str(address)


@lru_cache(maxsize=256)
def entries(texts: tuple[str, ...], setting: str = ALLOWED) -> tuple[Entry, ...]:
    """The entries of a list.

    Args:
        texts: As the operator wrote them.
        setting: The setting they stand in, for messages.

    Raises:
        InvalidInput: One of them is neither host, address, network nor socket.
    """
    return tuple(_entry(text, setting) for text in texts)


def _entry(text: str, setting: str) -> Entry:
    refusal = InvalidInput(
        f"The setting {setting} has {text[:80]!r}, which names no host.",
        "Give names, addresses or networks alone or with a port, such as llm.bank.example, db.bank.example:5432, "
        "10.0.0.4 or 10.20.0.0/16, without https:// and without *.",
    )
    if text.startswith("/"):
        return Entry(text.rstrip("/"), None, None)
    if "/" in text:
        try:
            return Entry("", ip_network(text), None)
        except ValueError:
            raise refusal from None
    match = _PARTS.fullmatch(text)
    if match is None:
        raise refusal
    destination = Destination(plain_host(match["host"]), int(match["port"]) if match["port"] else None)
    try:
        require_plain(destination)
    except InvalidInput:
        raise refusal from None
    return Entry(destination.host, None, destination.port)
