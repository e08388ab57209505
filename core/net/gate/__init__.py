"""The gate: everything that leaves this machine is asked here first, and connected from here.

A destination is admitted by its name (the operator's list), then by the addresses the name has at that moment (never
this machine or a cloud's metadata service under a borrowed name), and the connection is opened to those very addresses.
A variable of the environment goes along only where the operator has named it for that host.
"""

from core.net.gate.destinations import Destination, destination_of
from core.net.gate.policy import addresses, admit, admitted_hosts, open_socket, strict
from core.net.gate.resolving import Resolver, resolving_with
from core.net.gate.variables import allowed_variable, require_variable

__all__ = [
    "Destination",
    "Resolver",
    "addresses",
    "admit",
    "admitted_hosts",
    "allowed_variable",
    "destination_of",
    "open_socket",
    "require_variable",
    "resolving_with",
    "strict",
]
