"""Mail through the gate: a connection to a mail server that may be called, at an address that was checked."""

from __future__ import annotations

import smtplib
import socket
import ssl

from core.net.gate.destinations import Destination
from core.net.gate.policy import open_socket

MailError = smtplib.SMTPException
"""What goes wrong with a mail server once it is connected."""
PORTS = {False: 25, True: 465}
"""The usual ports, without and with TLS from the first byte."""


class _Plain(smtplib.SMTP):
    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return open_socket(Destination(host, port), port, timeout)


class _Tls(smtplib.SMTP_SSL):
    def _get_socket(self, host: str, port: int, timeout: float) -> ssl.SSLSocket:
        return self.context.wrap_socket(open_socket(Destination(host, port), port, timeout), server_hostname=host)


def open_mail(to: Destination, *, secure: bool, trust: ssl.SSLContext, seconds: float) -> smtplib.SMTP:
    """A connection to a mail server, to be used in a ``with`` statement.

    Args:
        to: The server; without a port the usual one.
        secure: Whether TLS begins with the first byte; else the caller asks for it where the server offers it.
        trust: Which certificates are believed.
        seconds: How long each address and each reply may take.

    Raises:
        DestinationRefused: The server may not be called.
        SourceUnavailable: Its name has no address.
        OSError: It does not answer, or is no mail server (smtplib.SMTPException).
    """
    port = to.port or PORTS[secure]
    if secure:
        return _Tls(to.host, port, timeout=seconds, context=trust)
    return _Plain(to.host, port, timeout=seconds)
