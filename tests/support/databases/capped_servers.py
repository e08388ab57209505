"""Database servers of a test's own, with a limit on their memory: what is run against them ends them, not the machine.

Each has its own data folder and port and is stopped by its process. Where the server's programs or `prlimit` are not
installed, the test is skipped with the reason.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import sqlalchemy as sa

ADDRESS_SPACE = 2_000_000_000
"""Bytes of address space of each process of a server."""


@dataclass(frozen=True)
class CappedServer:
    """A server that runs.

    Attributes:
        address: Of its one database, with every right.
        process: Its first process.
    """

    address: str
    process: subprocess.Popen[bytes]

    def memory(self) -> int:
        """Bytes of all its processes that are theirs alone, and shared ones once for each."""
        total = 0
        for process in (psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)):
            try:
                total += process.memory_info().rss - process.memory_info().shared
            except psutil.NoSuchProcess:
                continue
        return total


@contextmanager
def capped_server(kind: str, folder: Path) -> Iterator[CappedServer]:
    """A ``postgresql`` or ``mariadb`` server with an empty database."""
    start = {"postgresql": _postgresql, "mariadb": _mariadb}[kind]
    if shutil.which("prlimit") is None:
        pytest.skip("prlimit is not installed, so no server's memory can be limited")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process, address = start(folder, port)
    try:
        _wait(process, address, kind)
        yield CappedServer(address, process)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _postgresql(folder: Path, port: int) -> tuple[subprocess.Popen[bytes], str]:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (str(programs[-1]) if programs else None)
    if found is None:
        pytest.skip("initdb is not installed, so no PostgreSQL of the test's own can be started")
    data = _owned(folder / "pg", "postgres")
    run = _as("postgres")
    command = [found, "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"]
    subprocess.run(command, check=True, capture_output=True, cwd=data, **run)
    options = {
        "listen_addresses": "127.0.0.1",
        "port": str(port),
        "unix_socket_directories": "",
        "fsync": "off",
        "shared_buffers": "16MB",
        "max_connections": "20",
    }
    server = [str(Path(found).with_name("postgres")), "-D", str(data)]
    for name, value in options.items():
        server += ["-c", f"{name}={value}"]
    return _capped(server, data, **run), f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"


def _mariadb(folder: Path, port: int) -> tuple[subprocess.Popen[bytes], str]:
    pytest.importorskip("pymysql", reason="PyMySQL is not installed")
    install, server = shutil.which("mariadb-install-db"), shutil.which("mariadbd") or shutil.which("mysqld")
    if install is None or server is None:
        pytest.skip("mariadbd is not installed, so no MariaDB of the test's own can be started")
    data = _owned(folder / "maria", "mysql")
    run = _as("mysql")
    command = [install, "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal"]
    subprocess.run([*command, "--skip-test-db"], check=True, capture_output=True, cwd=data, **run)
    options = [
        "--no-defaults",
        f"--datadir={data}",
        f"--socket={data}/s",
        f"--pid-file={data}/p",
        f"--port={port}",
        "--bind-address=127.0.0.1",
        "--innodb-buffer-pool-size=16M",
        "--innodb-flush-log-at-trx-commit=0",
        "--secure-file-priv=",
    ]
    return _capped([server, *options], data, **run), f"mariadb+pymysql://root@127.0.0.1:{port}/mysql"


def _capped(command: list[str], folder: Path, **run: object) -> subprocess.Popen[bytes]:
    with (folder / "server.log").open("ab") as log:
        return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
            ["prlimit", f"--as={ADDRESS_SPACE}", "--", *command], cwd=folder, stdout=log, stderr=log, **run
        )


def _owned(folder: Path, user: str) -> Path:
    """A folder that belongs to the user the server runs as; those above it can be entered."""
    folder.mkdir()
    if os.geteuid() == 0:
        _as(user)
        shutil.chown(folder, user)
        for above in folder.parents:
            if not above.stat().st_mode & 0o001:
                above.chmod(above.stat().st_mode | 0o001)
    return folder


def _as(user: str) -> dict[str, object]:
    """How a server is started: never as root."""
    if os.geteuid() != 0:
        return {}
    try:
        entry = pwd.getpwnam(user)
    except KeyError:
        pytest.skip(f"there is no user {user} to run the server as")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _wait(process: subprocess.Popen[bytes], address: str, kind: str) -> None:
    engine = sa.create_engine(address)
    try:
        for _ in range(600):
            if process.poll() is not None:
                raise RuntimeError(f"the {kind} server ended with code {process.returncode}")
            try:
                with engine.connect():
                    return
            except sa.exc.SQLAlchemyError:
                time.sleep(0.1)
        raise RuntimeError(f"the {kind} server does not answer")
    finally:
        engine.dispose()
