"""Which Python the Makefile takes for its environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make on this machine")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with the Makefile, and a folder ``bin`` as the only place where programs are found."""
    for name in ("Makefile", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for name in ("make", "sh", "test", "touch"):
        if found := shutil.which(name):
            (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path


def in_range(machine: Path, name: str) -> None:
    (machine / "bin" / name).write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (machine / "bin" / name).chmod(0o755)


def out_of_range(machine: Path, name: str) -> None:
    """One that says it is out of range, as an older Python and a shim without a Python behind it do."""
    (machine / "bin" / name).write_text("#!/bin/sh\nexit 1\n")
    (machine / "bin" / name).chmod(0o755)


def make(machine: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "PYTHON", "MFLAGS"))}
    return subprocess.run(
        [str(machine / "bin" / "make"), *arguments],
        cwd=machine,
        env={**kept, "PATH": str(machine / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_usual_python_is_taken_where_it_is_in_range(machine):
    in_range(machine, "python3")
    in_range(machine, "python3.12")
    assert "python3 -m venv .venv" in make(machine, "-n", "install").stdout


def test_another_is_taken_where_the_usual_one_is_too_old(machine):
    out_of_range(machine, "python3")
    out_of_range(machine, "python3.13")
    in_range(machine, "python3.12")
    in_range(machine, "python3.11")
    assert "python3.12 -m venv .venv" in make(machine, "-n", "install").stdout


def test_a_person_may_name_one(machine):
    in_range(machine, "python3")
    assert "mine -m venv .venv" in make(machine, "-n", "install", "PYTHON=mine").stdout


def test_no_python_in_range_is_told(machine):
    out_of_range(machine, "python3")
    done = make(machine, "install")
    assert done.returncode != 0
    assert "Plumbline needs Python 3.11, 3.12 or 3.13, and none of python3 python3.13" in done.stderr


def test_a_named_python_out_of_range_is_told(machine):
    in_range(machine, "python3")
    out_of_range(machine, "old")
    done = make(machine, "install", "PYTHON=old")
    assert done.returncode != 0
    assert "Plumbline needs Python 3.11, 3.12 or 3.13; old is another or does not run." in done.stderr
