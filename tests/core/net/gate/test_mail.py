"""Mail servers are called through the gate."""

import socket
import ssl
import threading
from contextlib import contextmanager, suppress

import pytest

from core.domain.errors import DestinationRefused
from core.net.gate import Destination, resolving_with
from core.net.gate.mail import open_mail
from core.net.tls import trust


@contextmanager
def mail_server():
    """A mail server that greets, says what it can do, and says goodbye."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)
        heard = []

        def serve():
            client, _ = server.accept()
            with client, suppress(OSError), client.makefile("rwb", buffering=0) as lines:
                lines.write(b"220 mail.bank.example\r\n")
                for line in lines:
                    heard.append(line.strip().lower())
                    leaving = heard[-1] == b"quit"
                    lines.write(b"221 bye\r\n" if leaving else b"250 mail.bank.example\r\n")
                    if leaving:
                        return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1], heard
        thread.join(5)


def test_a_server_is_reached_at_the_address_that_was_checked(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "mail.bank.example,127.0.0.1")
    with (
        mail_server() as (port, heard),
        resolving_with(lambda host, port: ["127.0.0.1"]),
        open_mail(Destination("mail.bank.example", port), secure=False, trust=trust(), seconds=5) as server,
    ):
        assert server.ehlo()[0] == 250
    assert heard[0].startswith(b"ehlo")


@pytest.mark.parametrize("secure", [False, True])
def test_one_that_may_not_be_called_is_not(monkeypatch, secure):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "mail.bank.example")
    for host, address in (("evil.example", "127.0.0.1"), ("mail.bank.example", "169.254.169.254")):
        with resolving_with(lambda host, port, address=address: [address]), pytest.raises(DestinationRefused):
            open_mail(Destination(host), secure=secure, trust=trust(), seconds=5)


def test_with_tls_the_servers_name_is_proven_not_its_address(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "mail.bank.example,127.0.0.1")
    names = []

    class Watched(ssl.SSLContext):
        def wrap_socket(self, sock, *arguments, server_hostname=None, **more):
            names.append(server_hostname)
            sock.close()
            raise ssl.SSLError("seen")

    watched = Watched(ssl.PROTOCOL_TLS_CLIENT)
    with (
        mail_server() as (port, _),
        resolving_with(lambda host, port: ["127.0.0.1"]),
        pytest.raises(ssl.SSLError),
    ):
        open_mail(Destination("mail.bank.example", port), secure=True, trust=watched, seconds=5)
    assert names == ["mail.bank.example"]
