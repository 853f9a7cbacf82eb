"""
Which network addresses may be connected to.

Whoever sets an endpoint's address makes this server send requests to it, so an address must be
public, or listed by those who run the installation. Addresses that serve credentials to cloud
machines are never allowed, listed or not.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def _networks(*texts: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


NEVER = _networks(
    "0.0.0.0/8",  # connects to this very machine
    "::/128",
    "169.254.0.0/16",  # link-local: most clouds' metadata
    "fe80::/10",
    "168.63.129.16/32",  # Azure's
    "192.0.0.192/32",  # Oracle's
    "100.100.100.200/32",  # Alibaba's
    "fd00:ec2::/32",  # Amazon's
    "fd20:ce::254/128",  # Google's
    "224.0.0.0/4",  # multicast
    "ff00::/8",
    "255.255.255.255/32",
)
"""Refused even where a list allows them."""

_NOT_PUBLIC = _networks(
    # What Python calls global, depending on its version, and is not.
    "192.0.0.0/24",
    "192.88.99.0/24",
    "100.64.0.0/10",
    "2001::/23",
    "2001:db8::/32",
    "3fff::/20",
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_ISATAP = (0x00005EFE, 0x02005EFE)


@dataclass(frozen=True, slots=True)
class Egress:
    """
    The addresses that this installation lists besides the public ones.

    >>> Egress.parse("10.1.0.0/16, 127.0.0.1").explain_refusal("10.1.2.3", encrypted=False)
    ''
    >>> Egress().explain_refusal("127.0.0.1", encrypted=True)
    '127.0.0.1 is neither public nor listed.'
    """

    listed: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Egress:
        """Read networks, separated by commas or spaces; raises `ValueError` naming a wrong one."""
        return cls(tuple(ipaddress.ip_network(part) for part in text.replace(",", " ").split()))

    def explain_refusal(self, address: str, *, encrypted: bool) -> str:
        """Say why an IP address won't do; nothing if it will. Without TLS only listed ones do."""
        try:
            ip = _unmap(ipaddress.ip_address(address))
        except ValueError:
            return f"{address} is not an IP address."
        if _is_in(ip, NEVER):
            return f"{address} is never connected to."
        if _is_in(ip, self.listed):
            return ""
        if not _is_public(ip):
            return f"{address} is neither public nor listed."
        if not encrypted:
            return f"{address} is not listed, so it must be reached by https."
        return ""


def _unmap(ip: Address) -> Address:
    """Return the IPv4 address that `::ffff:…` is another spelling of."""
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    return ip


def _is_public(ip: Address) -> bool:
    if _is_in(ip, NEVER) or _is_in(ip, _NOT_PUBLIC):
        return False
    if isinstance(ip, IPv4Address):
        return ip.is_global
    inner = _find_inner(ip)
    if inner is not None and not _is_public(inner):
        return False
    # All that is handed out lies here; IPv4-compatible, site-local and local NAT64 do not.
    return ip in _NAT64 or (ip in _GLOBAL_UNICAST and ip.is_global)


def _find_inner(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address to which a gateway would take this IPv6 address."""
    bits = int(ip)
    if ip in _SIX_TO_FOUR:
        return IPv4Address(bits >> 80 & 0xFFFFFFFF)
    if ip in _NAT64 or bits >> 32 & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(bits & 0xFFFFFFFF)
    return None


def _is_in(ip: Address, networks: tuple[Network, ...]) -> bool:
    # An address is in no network of the other family.
    return any(ip in network for network in networks)
