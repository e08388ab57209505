"""The wheel, installed in an environment of its own outside the checkout, beside other people's `core` and `pages`.

The environment borrows the libraries of this one by a ``.pth`` file, so that nothing is downloaded; the decoys lie
before them and raise when anything imports them.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.support.application.server import free_port
from tests.support.processes.printed import next_line

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 300.0
"""How long a test waits; only a test that fails waits so long."""

EVERY_MODULE = """
import importlib, pkgutil, sys
import plumbline.core, plumbline.pages.kit.navigation as navigation
scripts = {str(spec.path) for spec in navigation.PAGES}
names = []
for package in (plumbline.core, plumbline.pages):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        path = importlib.util.find_spec(module.name).origin
        if path not in scripts and "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            names.append(module.name)
assert len(names) > 400, len(names)
assert not {"core", "pages"} & set(sys.modules)
"""

EVERY_PAGE = """
from streamlit.testing.v1 import AppTest
from plumbline.core.installation import ROOT
from plumbline.pages.kit import navigation
app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
for spec in navigation.PAGES:
    app.switch_page(spec.file).run()
    assert not app.exception, (spec.key, app.exception[0].message)
    assert app.title[0].value == spec.question, (spec.key, app.title)
"""


def build(kind: str, source: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    built = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment with the wheel that the source distribution makes, and the decoys."""
    folder = tmp_path_factory.mktemp("installed")
    build("sdist", ROOT, folder / "dist")
    (archive,) = (folder / "dist").glob("*.tar.gz")
    shutil.unpack_archive(archive, folder / "source", filter="data")
    build("wheel", folder / "source" / archive.name.removesuffix(".tar.gz"), folder / "dist")
    environment = folder / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    (packages / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    for name in ("core", "pages"):
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text(f'raise ImportError("somebody else\'s {name} was imported")\n')
    (wheel,) = (folder / "dist").glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(environment), "install", "--quiet", "--no-deps", "--no-index"]
    # Compiled once, as for whoever installs it: each of the processes below would do it anew.
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    (folder / "empty").mkdir()
    return folder


def settings(house: Path, **extra: str) -> dict[str, str]:
    """An environment that knows nothing of the checkout; the store goes where the command runs."""
    left_out = ("PLUMBLINE_", "STREAMLIT_", "PYTHON", "COVERAGE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1", "HOME": str(house), **extra}


def program(house: Path, name: str) -> str:
    return str(house / "environment" / "bin" / name)


def plumbline(house: Path, *arguments: str) -> str:
    """What the command writes to standard output."""
    done = subprocess.run(
        [program(house, "plumbline"), *arguments],
        cwd=house / "empty",
        env=settings(house),
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def python(house: Path, script: str) -> str:
    """What an isolated interpreter of the environment writes when it runs the script."""
    done = subprocess.run(
        [program(house, "python"), "-I", "-W", "ignore", "-c", script],
        cwd=house / "empty",
        env=settings(house),
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    return done.stdout


def test_the_help_names_run_beside_the_commands_of_the_engine(house):
    shown = plumbline(house, "--help")
    assert "Opens the app" in shown
    assert "evaluate" in shown


def test_the_checkout_is_out_of_reach(house):
    places = f"import sys, plumbline; print(plumbline.__file__, *sys.path); sys.exit({str(ROOT)!r} in sys.path)"
    assert python(house, places).startswith(str(house))


def test_every_module_is_imported_without_anybody_elses(house):
    python(house, EVERY_MODULE)


def test_metrics_are_found(house):
    names = {metric["name"] for metric in json.loads(plumbline(house, "metrics", "--json"))["metrics"]}
    assert {"groundedness", "token_f1", "precision@k"} & names


def test_the_demo_runs_and_every_page_shows_it(house):
    shown = json.loads(plumbline(house, "demo", "--json"))
    assert shown["cases"] == 1_134
    assert (house / "empty" / "data" / "plumbline.sqlite").is_file()
    assert "plumbline diagnose --run" in plumbline(house, "demo")
    python(house, EVERY_PAGE)


def test_run_serves_the_app_and_its_workers_work(house):
    with serving(house) as (address, log):
        with urllib.request.urlopen(f"{address}/healthz", timeout=LIMIT_S) as reply:
            assert json.load(reply)["status"] == "ok"
        with urllib.request.urlopen(f"{address}/connect", timeout=LIMIT_S) as reply:
            assert b"<!doctype html>" in reply.read().lower()
        wait_for_a_worker(house)
    assert log.read_text() == ""


def test_nothing_is_written_beside_the_code(house):
    """The last test: what was run before has left the installed package as it was."""
    (record,) = (house / "environment").rglob("plumbline-*.dist-info/RECORD")
    lines = [line.split(",")[0] for line in record.read_text().splitlines()]
    listed = {line for line in lines if line.startswith("plumbline/") and not line.endswith(".pyc")}
    packages = record.parents[1]
    files = [path for path in (packages / "plumbline").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert {path.relative_to(packages).as_posix() for path in files} == listed


def wait_for_a_worker(house: Path) -> None:
    """Waits until a worker process has scored the first cases of the sample's run; all of them take half a minute."""
    script = """
import sys, time
from plumbline.core.jobs import list_jobs
from plumbline.core.settings import settings
from plumbline.core.store.database import Store
with Store.open(settings().database_url) as store:
    for _ in range(2_400):
        jobs = [job for job in list_jobs(store) if job.kind == "score"]
        if jobs and (jobs[0].error or not jobs[0].state.active):
            sys.exit(None if jobs[0].state == "finished" else f"{jobs[0].state}: {jobs[0].error}")
        if jobs and jobs[0].progress and jobs[0].progress.done:
            sys.exit(None)
        time.sleep(0.1)
sys.exit("no worker scored the run")
"""
    python(house, script)


@contextlib.contextmanager
def serving(house: Path) -> Iterator[tuple[str, Path]]:
    """The address and the log of ``plumbline run``; waits until it says that it is there."""
    log = house / "server.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [program(house, "plumbline"), "run", "--port", str(free_port())],
            cwd=house / "empty",
            env=settings(house),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            line = next_line(process)
            assert "Plumbline is at" in line, log.read_text()
            yield line.split(" at ")[1].split(" ")[0], log
        finally:
            # Its workers would go on with the sample for minutes, with nobody to look at what comes of it.
            workers = psutil.Process(process.pid).children(recursive=True)
            process.terminate()
            process.wait(timeout=30)
            process.stdout.close()
            for worker in workers:
                with contextlib.suppress(psutil.NoSuchProcess):
                    worker.kill()
