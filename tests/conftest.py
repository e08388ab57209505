"""What holds for every test.

Property tests draw the same examples in every run, so that a change fails by itself and not by chance, and a busy
machine is no error: no example has a deadline, and none is drawn too slowly. To search further than a run does:
``pytest --hypothesis-profile=search``.

Tests carry their marks: `slow`, `statistical`, `journey` (pyproject.toml says what each means). Files with such tests
come first, since a worker keeps a file (``--dist loadfile``) and one that began a long file at the end would be waited
for.

Coverage counts what tests of the engine reach. Tests of screens and of whole data sets are not measured: they reach
lines without saying much about them, and measuring makes them take half as long again. Nor are those with a mark and
property tests, which do many times over what their neighbours do once, nor what such a test prepares, nor any process
that a test starts. Lines that run when a module is imported are counted by the first worker alone: each imports every
module to find the tests.

Nothing found while tests are collected is garbage, and all of it stays, so the garbage collector leaves it alone.
"""

import gc
import importlib
import os
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from sqlalchemy import Connection, Engine, Pool, event
from sqlalchemy.pool import ConnectionPoolEntry

ROOT = Path(__file__).resolve().parents[1]
MEASURED = (ROOT / "core", ROOT / "tests" / "core")
"""Where the tests of the engine stand, its examples in docstrings among them."""
LONG = ("journey", "statistical", "slow")
"""The marks of tests that take long, those whose files take longest first."""
WHOLE = tuple(ROOT / "tests" / place for place in ("golden", "sample_data", "package", "core/faults"))
"""Where tests of whole data sets and of an installation stand, the long ones of which take a minute: they come with
the first."""
GARBAGE = (20_000, 20, 20)
"""When the garbage collector looks, far less often than by itself: each look goes through what all tests share."""
PROPERTY = "hypothesis"
"""The mark that a property test has by itself."""

settings.register_profile(
    "plumbline", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("search", settings.get_profile("plumbline"), derandomize=False, max_examples=1_000)
settings.load_profile("plumbline")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background, where a shell has it ignored: programs that tests start would ignore Ctrl-C as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def what_servers_are_forked_from_ends() -> Iterator[None]:
    """The process that has the modules of the servers ends with the tests, where one was needed."""
    yield
    if prepared := sys.modules.get("tests.support.application.prepared"):
        prepared.end()


@pytest.fixture(scope="session", autouse=True)
def files_are_not_flushed() -> Iterator[None]:
    """A store in a file is not waited for until it is on the disk: only a loss of power would tell."""
    event.listen(Pool, "checkout", _unflushed)
    yield
    event.remove(Pool, "checkout", _unflushed)


@pytest.fixture
def flushed_files() -> Iterator[None]:
    """Files as they are outside of tests."""
    event.remove(Pool, "checkout", _unflushed)
    yield
    event.listen(Pool, "checkout", _unflushed)


def _unflushed(connection: object, record: ConnectionPoolEntry, *_: object) -> None:
    if isinstance(connection, sqlite3.Connection) and "unflushed" not in record.info:
        connection.execute("PRAGMA synchronous = OFF")
        record.info["unflushed"] = True


class _Compiled(dict[object, object]):
    """Statements as they were compiled, by all of SQLAlchemy's key but the engine's own dialect, which comes first."""

    MOST = 4_000

    def get(self, key: tuple[object, ...], default: object = None) -> object:
        return super().get(key[1:], default)

    def __setitem__(self, key: tuple[object, ...], compiled: object) -> None:
        if len(self) >= self.MOST:
            self.clear()
        super().__setitem__(key[1:], compiled)


@pytest.fixture(scope="session", autouse=True)
def statements_are_compiled_once() -> Iterator[None]:
    """Nearly every test opens a store of its own, whose engines would compile the same statements anew: a fifth of it.

    Those of other kinds of servers, where one dialect stands for servers that differ, are left alone.
    """
    compiled = {"sqlite": _Compiled(), "postgresql": _Compiled()}

    def lend(connection: Connection) -> None:
        if connection.dialect.name in compiled:
            connection.execution_options(compiled_cache=compiled[connection.dialect.name])

    event.listen(Engine, "engine_connect", lend)
    yield
    event.remove(Engine, "engine_connect", lend)


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store with the sample project and its finished run, made once; copy it."""
    from core.demo.project import ensure_demo
    from core.store.database import Store
    from tests.support.once import once
    from tests.support.stores import sqlite_url

    def build(folder: Path) -> None:
        with Store.open(sqlite_url(folder)) as store:
            ensure_demo(store, "local")

    return once(tmp_path_factory, "sample_store", build) / "plumbline.sqlite"


@pytest.fixture(scope="session")
def finished_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose store holds the small bank's project with a finished run, made once; copy it."""
    from core.store.database import Store
    from tests.support.once import once
    from tests.support.runs.finished_bank import finished_bank
    from tests.support.stores import sqlite_url

    def build(folder: Path) -> None:
        # What the store says of files is where they lie in the end.
        with Store.open(sqlite_url(folder / "data")) as store:
            finished_bank(store, tmp_path_factory.mktemp("finished_bank"))

    return once(tmp_path_factory, "finished", build) / "data"


@pytest.fixture(scope="session")
def sample_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the sample project in it, built once by a server's first start, scores included; copy it."""
    from tests.support.application import server
    from tests.support.once import once

    def build(data: Path) -> None:
        with server.running(data):
            server.wait_for_scores(data)

    return once(tmp_path_factory, "sample", build)


class _Examples:
    """Looks for examples only in files that have some, and in no tests: to look through every module takes long."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Iterator[None]:
        collectors = yield
        if not file_path.name.startswith("test_") and b">>>" in file_path.read_bytes():
            return collectors
        return [one for one in collectors if not isinstance(one, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    """Registers what must see the files of `core` and `pages` too: the hooks of this file see those beside it alone."""
    config.pluginmanager.register(_Examples())


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Names bytes by their argument: what they hold is no name, and in an archive it may be the time of day."""
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: a sixth of the time a test waits for a server or a worker process.

    Another one would have nothing to fill, and each takes a quarter of a minute to collect the tests and load a model.
    """
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collects the tests without the garbage collector, and but for the first worker without coverage.

    A worker first imports its share of the files. On a fresh checkout each file's assertions are written out before it
    is compiled, which is kept for the others: workers that all began with the same file did that four times over.
    """
    first = os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0"
    gc.disable()
    try:
        _import_share(session.config)
        return (yield) if first else (yield from _paused(session.config))
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(*GARBAGE)


def _import_share(config: pytest.Config) -> None:
    """Imports every n-th of the files that will be collected, n workers there are."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1:
        return
    asked = [(config.invocation_params.dir / arg.partition("::")[0]).resolve() for arg in config.args]
    files = sorted(path for path in ROOT.glob("tests/**/test_*.py") if any(path.is_relative_to(at) for at in asked))
    for path in files[int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")) :: workers]:
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts files with long tests first, those of a folder apart, and leaves out of coverage what is not measured."""
    places: dict[Path, int] = {}
    measured = cache(lambda path: any(path.is_relative_to(folder) for folder in MEASURED))
    for item in items:
        place = next((place for place, mark in enumerate(LONG) if item.get_closest_marker(mark)), len(LONG))
        if place < len(LONG) and item.path.parent in WHOLE:
            place = 0
        places[item.path] = min(place, places.get(item.path, place))
        if place < len(LONG) or item.get_closest_marker(PROPERTY) or not measured(item.path):
            item.add_marker("no_cover")
    apart = _places_within_folders([path for path, place in places.items() if place == 0])
    items.sort(key=lambda item: (places[item.path], apart.get(item.path, 0)))


def _places_within_folders(files: list[Path]) -> dict[Path, int]:
    """Which file of its folder each is: who begins with one of each folder waits for nothing that its files share."""
    seen: Counter[Path] = Counter()
    found = {}
    for path in files:
        found[path] = seen[path.parent]
        seen[path.parent] += 1
    return found


def pytest_sessionfinish() -> None:
    """Drops the schemas that this process lent to its tests, where there are any."""
    if stores := sys.modules.get("tests.support.stores"):
        stores.close()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Does not measure what a test prepares that is not measured."""
    return (yield) if item.get_closest_marker("no_cover") is None else (yield from _paused(item.config))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Measures no tidying up of a test that is not measured."""
    return (yield) if item.get_closest_marker("no_cover") is None else (yield from _paused(item.config))


def _paused(config: pytest.Config) -> Iterator[None]:
    """Pauses coverage, which pytest-cov does for a test alone."""
    plugin = config.pluginmanager.getplugin("_cov")
    controller = plugin.cov_controller if plugin else None
    if controller is None:
        return (yield)
    controller.pause()
    try:
        return (yield)
    finally:
        controller.resume()
