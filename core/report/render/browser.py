"""A browser on this machine, to print a report and to draw its charts; it is given no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.settings import child_environment, settings

NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
)
MAC: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
FLAGS: Final = (
    "--headless=new",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-default-browser-check",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--hide-scrollbars",
)
SECONDS: Final = 120
DRAWING_MS: Final = 20_000
"""Virtual milliseconds that the page gets to draw; the browser goes on as soon as it is idle."""


def find_browser() -> str | None:
    """The browser that PLUMBLINE_BROWSER names, else one that is installed; None for none.

    Raises:
        InvalidInput: The variable names a file that is not there.
    """
    named = settings().browser
    if named:
        if not Path(named).is_file():
            raise InvalidInput(
                f"PLUMBLINE_BROWSER names {named}, which is not there.", "Name a Chromium, Chrome or Edge, or unset it."
            )
        return named
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return next((path for path in MAC if sys.platform == "darwin" and Path(path).is_file()), None)


def run_browser(browser: str, arguments: Sequence[str], page: Path, made: Path) -> None:
    """Opens a page of this machine and waits for the file that the browser makes of it.

    Args:
        browser: Its executable.
        arguments: What it is to do, such as ``--print-to-pdf=FILE``.
        page: The HTML file.
        made: The file that must be there afterwards.

    Raises:
        InvalidInput: The browser failed, or took too long.
    """
    # Chromium refuses to keep its sandbox for root, as in a container; the page is ours and its policy lets nothing in.
    root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    with tempfile.TemporaryDirectory(prefix="plumbline-browser-") as profile:
        command = [
            browser,
            *FLAGS,
            *root,
            f"--user-data-dir={profile}",
            f"--virtual-time-budget={DRAWING_MS}",
            *arguments,
            page.as_uri(),
        ]
        try:
            ended = subprocess.run(
                command,
                check=False,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=SECONDS,
                env=child_environment(own=False),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InvalidInput(f"The browser {browser} could not print: {error}.", REMEDY) from error
    if not made.is_file() or not made.stat().st_size:
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        raise InvalidInput(
            f"The browser {browser} printed nothing (exit {ended.returncode}{f': {said[-1][:200]}' if said else ''}).",
            REMEDY,
        )


REMEDY: Final = "Write the report as HTML and print it from any browser, or name another browser in PLUMBLINE_BROWSER."
