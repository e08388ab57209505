"""Servers that take down all they are sent: who connects to them, and what they give away."""

from __future__ import annotations

import hashlib
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LIMIT_S = 5.0


class Listener:
    """What a server heard.

    Attributes:
        port: Where it listens, on 127.0.0.1.
        heard: The bytes of each connection.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.heard: list[bytearray] = []

    @property
    def all(self) -> bytes:
        return b"".join(self.heard)


def _postgresql(client: socket.socket, heard: bytearray) -> None:
    """A PostgreSQL server that wants the password in clear text and repeats it in its refusal."""
    while True:
        size = struct.unpack("!i", _exactly(client, 4))[0]
        body = _exactly(client, size - 4)
        heard += body
        if struct.unpack("!i", body[:4])[0] in (80877103, 80877104):  # TLS, Kerberos: no
            client.sendall(b"N")
            continue
        break
    client.sendall(b"R" + struct.pack("!ii", 8, 3))
    kind = _exactly(client, 1)
    size = struct.unpack("!i", _exactly(client, 4))[0]
    password = _exactly(client, size - 4)
    heard += kind + password
    said = b"SFATAL\x00C28P01\x00Mno entry for " + password.rstrip(b"\x00") + b"\x00\x00"
    client.sendall(b"E" + struct.pack("!i", len(said) + 4) + said)


def _mariadb(client: socket.socket, heard: bytearray) -> None:
    """A MariaDB server that asks for a file of the client's machine, and repeats the user in its refusal."""
    greeting = b"\x0a5.5.5-10.6.0-MariaDB\x00" + struct.pack("<I", 1) + b"12345678\x00"
    greeting += struct.pack("<HBHH", 0xF7FF & ~0x0800, 33, 2, 0x000F) + b"\x15" + b"\x00" * 10
    greeting += b"123456789012\x00mysql_native_password\x00"
    _packet(client, 0, greeting)
    heard += _read_packet(client)
    _packet(client, 2, b"\x00\x00\x00\x02\x00\x00\x00")  # welcome
    heard += _read_packet(client)
    _packet(client, 1, b"\xfb/etc/hostname")  # LOAD DATA LOCAL INFILE
    heard += _read_packet(client)


def _anything(client: socket.socket, heard: bytearray) -> None:
    heard += client.recv(65_536)


SCRIPTS = {"postgresql": _postgresql, "mariadb": _mariadb, "any": _anything}


@contextmanager
def listening(kind: str = "any") -> Iterator[Listener]:
    """A server of a kind in `SCRIPTS` on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        listener, done = Listener(server.getsockname()[1]), threading.Event()

        def serve() -> None:
            while not done.is_set():
                with suppress(TimeoutError):
                    client, _ = server.accept()
                    client.settimeout(LIMIT_S)
                    heard = bytearray()
                    listener.heard.append(heard)
                    with client, suppress(OSError, struct.error):
                        SCRIPTS[kind](client, heard)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listener
        finally:
            done.set()
            thread.join()


def native_password(password: str, salt: bytes = b"12345678123456789012") -> bytes:
    """What MySQL's usual sign-in sends instead of the password."""
    first = hashlib.sha1(password.encode()).digest()
    second = hashlib.sha1(salt + hashlib.sha1(first).digest()).digest()
    return bytes(a ^ b for a, b in zip(first, second, strict=True))


def _exactly(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = client.recv(size - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return data


def _packet(client: socket.socket, number: int, body: bytes) -> None:
    client.sendall(struct.pack("<I", len(body))[:3] + bytes([number]) + body)


def _read_packet(client: socket.socket) -> bytes:
    head = _exactly(client, 4)
    return _exactly(client, int.from_bytes(head[:3], "little"))
