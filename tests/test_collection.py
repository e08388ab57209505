"""Every process sees the same tests under the same names, else the workers of a run refuse to begin."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PYTEST = (sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")


def collected_twice(root: Path, places: Sequence[str], elsewhere: Path) -> tuple[list[str], list[str]]:
    """The names of the tests below `places` of `root`, as two machines see them on two days.

    The second has another clock, time zone, hash seed, number of cores, home, folder for temporary files and working
    directory (`elsewhere`).
    """
    paths = [str(root / place) for place in places]
    command = [*PYTEST, "--rootdir", str(root), *paths]
    if (root / "pyproject.toml").exists():
        # What the settings leave out, they name from the working directory.
        command += ["-c", str(root / "pyproject.toml"), "--ignore", str(root / "core" / "store" / "migrations")]
        command += ["--ignore-glob", str(root / "pages" / "*" / "page.py")]
    here = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "1", "TZ": "Etc/GMT+12"}
    folders = {"HOME": str(elsewhere), "TMPDIR": str(elsewhere)}
    there = {**here, **folders, "PYTHONHASHSEED": "2", "TZ": "Pacific/Kiritimati"}
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen([*command, *further], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
            )
            for further, folder, env in (
                ([], root, here),
                (["-p", "tests.support.another_machine"], elsewhere, there),
            )
        ]
        outputs = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], "\n".join(outputs)[-2_000:]
    first, second = ([line for line in output.splitlines() if "::" in line] for output in outputs)
    return first, second


BAD = """
import datetime, io, os, tempfile, time, zipfile
import pytest

def archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as written:
        written.writestr("a.txt", "x")
    return buffer.getvalue()[:-30]

@pytest.mark.parametrize("data", [archive()])
def test_archive(data): ...

@pytest.mark.parametrize("name", {"one", "two", "three", "four", "five", "six"})
def test_set(name): ...

@pytest.mark.parametrize("day", [datetime.date.today().isoformat()])
def test_day(day): ...

@pytest.mark.parametrize("day", [str(datetime.datetime.now(datetime.UTC).date())])
def test_utc_day(day): ...

@pytest.mark.parametrize("cores", [os.cpu_count()])
def test_cores(cores): ...

@pytest.mark.parametrize("folder", [os.getcwd()])
def test_folder(folder): ...

@pytest.mark.parametrize("folder", [tempfile.gettempdir()])
def test_temporary(folder): ...

@pytest.mark.parametrize("folder", [os.path.expanduser("~")])
def test_home(folder): ...

@pytest.mark.parametrize("name", ["a", "b"])
def test_good(name): ...
"""


@pytest.mark.slow
def test_names_that_hang_on_time_order_path_or_machine_are_seen(tmp_path):
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    for folder in (root, elsewhere):
        folder.mkdir()
    (root / "test_bad.py").write_text(BAD)
    here, there = collected_twice(root, ["."], elsewhere)
    differ = {one.partition("::")[2].partition("[")[0] for one, other in zip(here, there, strict=True) if one != other}
    every = {line.partition("(")[0].removeprefix("def ") for line in BAD.splitlines() if line.startswith("def test_")}
    assert differ == every - {"test_good"}


@pytest.mark.slow
def test_every_process_collects_the_same_tests(tmp_path, pytestconfig):
    here, there = collected_twice(ROOT, pytestconfig.getini("testpaths"), tmp_path)
    assert len(here) > 7_000
    assert here == there
    assert [name for name in here if str(ROOT) in name] == []


@pytest.mark.parametrize("data", [b"PK\3\4", b"\xff"])
def test_bytes_are_named_by_their_argument(request, data):
    assert request.node.name.removeprefix("test_bytes_are_named_by_their_argument") in {"[data0]", "[data1]"}
