"""Who may be called: the operator's list, and rules for addresses that hold whatever it says."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Final

from core.domain.errors import DestinationRefused, SourceUnavailable
from core.net.gate.destinations import Destination, require_plain
from core.net.gate.listed import ALLOWED, Entry, entries
from core.net.gate.ranges import Address, Kind, kind_of
from core.net.gate.resolving import addresses_of
from core.settings import settings

LOCAL_NAMES = ("localhost", ".localhost")
"""The names that mean this machine; a name that only leads here is somebody's trick."""


_watchers: Final[list[Callable[[DestinationRefused], object]]] = []

RULES = ("PLUMBLINE_REQUIRE_LOGIN", ALLOWED, "PLUMBLINE_HOST_VARIABLES", "PLUMBLINE_DATA")
"""The settings by which it is decided what may go out, for a process that has no others."""


def strict() -> bool:
    """Whether the operator's word is needed for each variable: with sign-in, or once variables are named for hosts."""
    config = settings()
    return config.require_login or bool(config.host_variables)


def admitted_hosts() -> tuple[str, ...]:
    """The only hosts the settings allow; empty where they allow every host a person names."""
    return settings().allowed_hosts


def admit(destination: Destination) -> None:
    """Refuses a destination that may not be called, by its name; nothing is resolved.

    Raises:
        DestinationRefused: The host is written in an unusual way, the operator's list does not have it, there is no
            list on a server with sign-in, or it is an address that is never called.
        InvalidInput: The list has an entry that cannot be read.
    """
    require_plain(destination)
    config = settings()
    listed = entries(config.allowed_hosts)
    if config.require_login and not listed:
        raise DestinationRefused(
            f"Plumbline may not call {destination}: this server has sign-in and names no host that may be called.",
            f"The operator sets {ALLOWED}; otherwise users could send its variables anywhere.",
            host=str(destination),
        )
    if listed and not any(entry.names(destination) for entry in listed):
        raise DestinationRefused(
            f"Plumbline may not call {destination}.",
            f"The operator can add it to {ALLOWED}, which has {', '.join(config.allowed_hosts)}.",
            host=str(destination),
        )
    if (address := destination.address) is not None:
        _check(destination, address, listed)


def addresses(destination: Destination, port: int) -> list[str]:
    """The addresses to connect to: those the name has now, each checked. Connect to these and to nothing else.

    Args:
        destination: A host; it is admitted here as well.
        port: The port that is connected to.

    Raises:
        DestinationRefused: It may not be called, or its name leads to an address that is not called.
        SourceUnavailable: The name has no address.
    """
    admit(destination)
    listed = entries(settings().allowed_hosts)
    if destination.address is not None:
        return [str(destination.address)]
    try:
        found = [ip_address(text) for text in addresses_of(destination.host, port)]
    except (OSError, UnicodeError):
        found = []
    if not found:
        raise SourceUnavailable(f"There is no host {destination.host}.", "Check its name, and this machine's network.")
    for address in found:
        try:
            _check(destination, address, listed)
        except DestinationRefused as error:
            # Whoever calls may keep it as the reason of a case and go on; whoever watches hears of it all the same.
            for hear in _watchers:
                hear(error)
            raise
    return [str(address) for address in found]


@contextmanager
def watching(hear: Callable[[DestinationRefused], object]) -> Iterator[None]:
    """Tells of every refusal at the moment of a connection, in whichever thread of this process it is."""
    _watchers.append(hear)
    try:
        yield
    finally:
        _watchers.remove(hear)


def open_socket(destination: Destination, port: int, seconds: float) -> socket.socket:
    """A connection to a destination, at the first of its addresses that answers.

    Args:
        destination: Where to.
        port: The port.
        seconds: How long each address may take.

    Raises:
        DestinationRefused: It may not be called.
        SourceUnavailable: The name has no address.
        OSError: Nothing answers there.
    """
    failure: OSError | None = None
    for address in addresses(destination, port):
        try:
            return socket.create_connection((address, port), timeout=seconds)
        except OSError as error:
            failure = error
    raise failure or OSError(f"{destination} does not answer")


def _check(destination: Destination, address: Address, listed: tuple[Entry, ...]) -> None:
    kind = kind_of(address)
    if kind in (Kind.PUBLIC, Kind.PRIVATE):
        return
    leads = "" if destination.address is not None else f", which leads to {address}"
    if kind is Kind.METADATA:
        what, hint = "a cloud's metadata service, which is never called", "Give the address of the service itself."
    elif kind is Kind.UNUSABLE:
        what, hint = "no address of a host", "To call this machine write 127.0.0.1."
    elif any(entry.holds(address) for entry in listed) or (kind is Kind.LOOPBACK and _is_local(destination)):
        return
    elif kind is Kind.LOOPBACK:
        what, hint = "this machine under another name", "To call this machine write localhost."
    else:
        what, hint = "a link-local address", f"The operator can name the address itself in {ALLOWED}."
    raise DestinationRefused(f"Plumbline may not call {destination}{leads}: it is {what}.", hint, host=str(destination))


def _is_local(destination: Destination) -> bool:
    """Whether a host says openly that it is this machine."""
    return (
        destination.address is not None
        or destination.host == LOCAL_NAMES[0]
        or destination.host.endswith(LOCAL_NAMES[1])
    )
