"""From a name to its addresses, at one place that a test can take over."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

Resolver = Callable[[str, int], Sequence[str]]
"""Has the addresses of a host for a port, in the order in which they are tried; raises OSError where it has none."""


def system_addresses(host: str, port: int) -> list[str]:
    """What this machine's resolver says; each address once.

    Raises:
        OSError: There is no such host, or no resolver answers.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    # The zone of a link-local address says which cable it is on; it is part of the socket's address, not of ours.
    return list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))


_resolver: Resolver = system_addresses


def addresses_of(host: str, port: int) -> Sequence[str]:
    """The addresses of a host as the resolver in use has them."""
    return _resolver(host, port)


@contextmanager
def resolving_with(resolver: Resolver) -> Iterator[None]:
    """Takes names to addresses in another way for a while: in tests, which have no name server."""
    global _resolver
    before, _resolver = _resolver, resolver
    try:
        yield
    finally:
        _resolver = before
