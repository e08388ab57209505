"""Where the browser for the journeys is; run as a program it installs one when there is none.

An installed Chromium or Chrome comes first, then Playwright's own build, then the system's package manager when
we may use it, then Playwright's download. Where none can be had the journeys are skipped, and this says so loudly.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt",  # a page lives too short for its scripts to be optimised
)


def find() -> str | None:
    """The browser's executable, or None."""
    named = os.environ.get("PLUMBLINE_BROWSER")
    if named:
        return named if Path(named).exists() else None
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return _of_playwright()


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).exists() else None


def _run(*command: str) -> bool:
    print("  $", " ".join(command), flush=True)
    try:
        return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, timeout=900).returncode == 0
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  {error}", flush=True)
        return False


def install() -> str | None:
    """Installs a browser by whatever means this machine allows; its executable, or None."""
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") and (not root or shutil.which("sudo")):
        _run(*root, "apt-get", "update", "-qq")
        if _run(*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium") and (path := find()):
            return path
    if _run(sys.executable, "-m", "playwright", "install", "chromium") and (path := find()):
        return path
    return None


def main() -> None:
    """Makes sure there is a browser, or says loudly that the journeys will not run."""
    path = find()
    if path is None:
        print("No Chromium found; installing one for the browser journeys.", flush=True)
        path = install()
    if path is None:
        rule = "*" * 100
        print(
            f"{rule}\n* NO BROWSER: the journeys will be SKIPPED. Install Chromium, or set PLUMBLINE_BROWSER.\n{rule}",
            flush=True,
        )
    else:
        print(f"Journeys will use {path}", flush=True)


if __name__ == "__main__":
    main()
