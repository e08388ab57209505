"""One server a data folder; a server that was killed leaves nothing behind that is in the way."""

import os
import signal
import subprocess
import sys

import pytest

from core.domain.errors import Conflict
from core.project.service import create_project
from core.store import projects
from core.store.database import Store
from pages.server import one_server
from tests.support.application.server import ROOT, environment
from tests.support.processes.printed import next_line

HOLD = """
import sys
from pages.server.one_server import claim
claim()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    yield tmp_path
    one_server.release()


def holding(data):
    return subprocess.Popen(
        [sys.executable, "-c", HOLD],
        cwd=ROOT,
        env=environment(data),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_second_server_is_refused_and_a_killed_one_is_not_in_the_way(data):
    process = holding(data)
    try:
        assert next_line(process) == "held\n"
        with pytest.raises(Conflict, match=f"is served already by process {process.pid} on ") as caught:
            one_server.claim()
        assert "PLUMBLINE_DATA" in caught.value.hint
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    one_server.claim()
    one_server.claim()  # the same server, asked twice


def test_a_second_server_ends_with_a_sentence(data):
    one_server.claim()
    ended = subprocess.run(
        [sys.executable, "-m", "pages.server.serve", "--no-sample"],
        cwd=ROOT,
        env=environment(data),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"error: The data folder {data} is served already by process {os.getpid()}")
    assert "Traceback" not in ended.stderr


WRITE = """
import sys
from core.project.service import create_project
from core.store.database import Store
with Store.open(sys.argv[1]) as store:
    number = 0
    while True:
        create_project(store, f"Project {number}", "local")
        print(number, flush=True)
        number += 1
"""


@pytest.mark.slow
def test_what_was_said_to_be_stored_outlives_a_kill(data):
    url = f"sqlite:///{data / 'plumbline.sqlite'}"
    Store.open(url).dispose()
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, url], cwd=ROOT, env=environment(data), stdout=subprocess.PIPE, text=True
    )
    try:
        said = [next_line(process) for _ in range(20)]
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
    finally:
        process.kill()
    stored_at_least = len(said) + len(rest.splitlines())
    with Store.open(url) as store:
        with store.read() as connection:
            names = [project.name for project in projects.all(connection)]
        assert names == [f"Project {number}" for number in range(len(names))]
        assert stored_at_least <= len(names) <= stored_at_least + 1
        create_project(store, "After", "local")
