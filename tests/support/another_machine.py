"""A pytest plugin that collects as another machine would, on another day: ``-p tests.support.another_machine``.

It sets the clock ahead and tells of more cores than there are. What else differs between two machines is set from
outside: the hash seed, the time zone, the working directory, the folders for temporary files and of the user.
"""

from __future__ import annotations

import ctypes
import gc
import os
import time
from datetime import UTC, datetime, timedelta, tzinfo

import pytest

AHEAD = timedelta(days=400, hours=7, minutes=11, seconds=13)
MORE_CORES = 5

_time, _time_ns, _gmtime, _localtime, _strftime = time.time, time.time_ns, time.gmtime, time.localtime, time.strftime
_cores = os.cpu_count() or 1


def _now(tz: tzinfo | None = None) -> datetime:
    return datetime.fromtimestamp(time.time(), tz)


def _set_ahead() -> None:
    """Replaces the readings of the clock; `datetime` reads it in C, and its class is written to by way of its dict."""
    seconds = AHEAD.total_seconds()
    time.time = lambda: _time() + seconds
    time.time_ns = lambda: _time_ns() + int(seconds) * 10**9
    time.gmtime = lambda at=None: _gmtime(time.time() if at is None else at)
    time.localtime = lambda at=None: _localtime(time.time() if at is None else at)
    time.strftime = lambda form, at=None: _strftime(form, time.localtime() if at is None else at)
    [methods] = gc.get_referents(vars(datetime))
    methods["now"] = staticmethod(_now)
    methods["utcnow"] = staticmethod(lambda: _now(UTC).replace(tzinfo=None))
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime))


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Before anything of the tests is imported; to import this module alone changes nothing."""
    _set_ahead()
    os.cpu_count = lambda: _cores + MORE_CORES
