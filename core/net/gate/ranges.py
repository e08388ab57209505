"""Kinds of IP addresses: which are called, which only where the operator names them, which never."""

from __future__ import annotations

from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address


class Kind(StrEnum):
    """What an address is.

    - PUBLIC, PRIVATE: hosts of the internet and of an organisation's network.
    - LOOPBACK: this machine.
    - LINK_LOCAL: the next cable; machines of clouds tell secrets there.
    - METADATA: a cloud's service that hands credentials to whoever asks from this machine.
    - UNUSABLE: no host: unspecified, multicast, broadcast, reserved.
    """

    PUBLIC = "public"
    PRIVATE = "private"
    LOOPBACK = "loopback"
    LINK_LOCAL = "link-local"
    METADATA = "metadata"
    UNUSABLE = "unusable"


METADATA = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",  # AWS, Azure, Google, Oracle, DigitalOcean, OpenStack
        "169.254.170.2",  # AWS, containers
        "169.254.170.23",  # AWS, pods
        "168.63.129.16",  # Azure, a public address with a private meaning
        "100.100.100.200",  # Alibaba
        "192.0.0.192",  # Oracle, older machines
        "fd00:ec2::254",  # AWS
        "fd00:ec2::23",  # AWS, pods
        "fd20:ce::254",  # Google
    )
)
"""Services of clouds that hand out credentials; never called, whatever the settings say."""

_PRIVATE = tuple(ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"))
_PRIVATE_6 = tuple(ip_network(text) for text in ("fc00::/7", "fec0::/10"))
_NAT64 = tuple(ip_network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48"))
_COMPATIBLE = ip_network("::/96")
_UNUSABLE = tuple(ip_network(text) for text in ("0.0.0.0/8", "240.0.0.0/4", "224.0.0.0/4", "192.0.0.0/24"))
_UNUSABLE_6 = tuple(ip_network(text) for text in ("ff00::/8", "::/128", "100::/64"))
_MOST_INNER = 2**32


def kind_of(address: Address) -> Kind:
    """What an address is; one that carries an IPv4 address inside is what that one is.

    >>> kind_of(ip_address("::ffff:169.254.169.254")), kind_of(ip_address("10.1.2.3"))
    (<Kind.METADATA: 'metadata'>, <Kind.PRIVATE: 'private'>)
    """
    if address in METADATA:
        return Kind.METADATA
    if isinstance(address, IPv6Address) and (inner := _inner(address)) is not None:
        return kind_of(inner)
    if address.is_loopback:
        return Kind.LOOPBACK
    if address.is_link_local:
        return Kind.LINK_LOCAL
    private, unusable = (_PRIVATE, _UNUSABLE) if address.version == 4 else (_PRIVATE_6, _UNUSABLE_6)
    if any(address in network for network in unusable):
        return Kind.UNUSABLE
    return Kind.PRIVATE if any(address in network for network in private) else Kind.PUBLIC


def _inner(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that a packet to this one ends at, None where there is none."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    tail = IPv4Address(int(address) % _MOST_INNER)
    if any(address in network for network in _NAT64):
        return tail
    # The deprecated form ::a.b.c.d; :: and ::1 are addresses of their own.
    return tail if address in _COMPATIBLE and int(address) > 1 else None
