"""Addresses of databases: read, checked and opened by the gate, as everything that leaves this machine."""

from core.net.gate.databases import DatabaseAddress, read_address

__all__ = ["DatabaseAddress", "read_address"]
