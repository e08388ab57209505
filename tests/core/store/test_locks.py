"""Work that one process at a time may do."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from core.domain.errors import Conflict
from tests.support.processes.printed import next_line

HOLD = """
import sys, time
from core.store.database import Store
with Store.open(sys.argv[1]) as store, store.exclusive("work", what="The work"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_thread_is_refused_and_another_name_is_free(store):
    with store.exclusive("work", what="The work"):
        outcomes = []

        def attempt(name):
            try:
                with store.exclusive(name, what="The work"):
                    outcomes.append("held")
            except Conflict as error:
                outcomes.append(error.message)

        for name in ("work", "other"):
            thread = threading.Thread(target=attempt, args=(name,))
            thread.start()
            thread.join()
    assert outcomes == ["The work is being worked on by another process.", "held"]
    with store.exclusive("work", what="The work"):
        pass


def test_a_waiting_one_gets_it_when_the_first_is_done(store):
    order = []

    def wait():
        with store.exclusive("work", what="The work", seconds=20):
            order.append("second")

    with store.exclusive("work", what="The work"):
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.15)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_many_threads_never_hold_it_together(store):
    inside, most = [], []

    def work():
        for _ in range(10):
            with store.exclusive("work", what="The work", seconds=60):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 60


@pytest.mark.slow
def test_a_killed_process_leaves_no_lock(store):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, store.url], stdout=subprocess.PIPE, text=True)
    try:
        assert next_line(holder) == "held\n"
        with pytest.raises(Conflict, match="being worked on"), store.exclusive("work", what="The work"):
            pass
        os.kill(holder.pid, signal.SIGKILL)
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with store.exclusive("work", what="The work", seconds=10):
        pass


def test_an_error_inside_gives_the_lock_back(store):
    with pytest.raises(ValueError, match="inside"), store.exclusive("work", what="The work"):
        raise ValueError("inside")
    with store.exclusive("work", what="The work"):
        pass
    if store.folder is not None:
        assert list((store.folder / "locks").iterdir()) == []
