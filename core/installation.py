"""Where Plumbline's own files lie and how it is started, in a checkout and as an installed package.

In a checkout the engine is the package ``core`` beside ``prompts`` and ``sample_data``. Installed, all of them lie in
one package ``plumbline``, so that nobody else's ``core`` is in the way; `hatch_build.py` makes that tree. Whatever
names a file, a module or a command of our own asks here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

ENGINE: Final = __name__.rpartition(".")[0]
"""The engine as it is imported here: ``core``, or ``plumbline.core`` where it is installed."""

INSTALLED: Final = ENGINE != "core"
"""Whether this is the installed package and not a checkout."""

ROOT: Final = Path(__file__).resolve().parents[1]
"""The folder of ``app.py``, ``prompts`` and ``sample_data``: of a checkout, or of the package ``plumbline``."""

PROMPTS: Final = ROOT / "prompts"
"""The prompts that come with Plumbline."""

SAMPLE_DATA: Final = ROOT / "sample_data"
"""The sample bank: its database, its documents, its templates."""

# Started with -P, an installed engine never takes a module of the folder it runs in for one of its own.
_FLAGS: Final = ("-P",) if INSTALLED else ()
COMMAND: Final = (sys.executable, *_FLAGS, "-m", ENGINE)
"""What starts the command line in a process of its own."""

WORKING_FOLDER: Final = None if INSTALLED else ROOT
"""Where such a process runs: in the folder that has the package, or, installed, wherever its parent runs."""


def typed(command: str) -> str:
    """A command as a person types it.

    >>> typed("resume run_1")
    'python -m core resume run_1'
    """
    return f"{'plumbline' if INSTALLED else 'python -m core'} {command}"
