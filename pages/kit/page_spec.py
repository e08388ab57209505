"""What a page says of itself: the one declaration in its folder, which navigation and workflow are made from.

``pages/<section>/<page>/__init__.py`` holds ``PAGE = PageSpec(__file__, ...)``, and ``page.py`` beside it draws. The
names of the two folders are the section and the key of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from core.installation import ROOT
from pages.kit.project_reads import Progress

DRAWN: Final = "page.py"
"""The script of a page, in its folder."""

_ADDRESS: Final = re.compile(r"[a-z]+(-[a-z]+)*|")


class Mark(StrEnum):
    """How far a step of the work is."""

    DONE = "done"
    READY = "ready"
    RUNNING = "running"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far a page's step of the work is.

    Attributes:
        mark: How far it is.
        note: One short sentence for the hover.
        waits_for: What it waits for, in a few words; empty unless it is waiting.
        action: The verb of its button on the Overview page.
    """

    mark: Mark
    note: str = ""
    waits_for: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class PageSpec:
    """One page.

    Attributes:
        declared: The ``__file__`` of its declaration.
        place: Where it stands among all pages; numbers have gaps, so that a page fits between two others.
        title: Its name in the sidebar.
        question: What it answers; the title on the page.
        about: One sentence for the hover.
        url_path: Its address below the app's own; empty for the page the app opens with.
        step: How far its step is, from what the project has.
        milestone: Whether nothing goes on without it, so that the Overview names it as the next step.
    """

    declared: str
    place: int
    title: str
    question: str
    about: str
    url_path: str
    step: Callable[[Progress], Step]
    milestone: bool = False

    def __post_init__(self) -> None:
        """Refuses what no page can be.

        Raises:
            ValueError: Something is missing or wrong; it names the file.
        """
        wrong = [name for name in ("title", "question", "about") if not str(getattr(self, name)).strip()]
        kinds = {"place": (int, "a whole number"), "url_path": (str, "small letters and single hyphens")}
        wrong += [
            f"{name} ({what})" for name, (kind, what) in kinds.items() if not isinstance(getattr(self, name), kind)
        ]
        if not _ADDRESS.fullmatch(str(self.url_path)):
            wrong.append("url_path (small letters and single hyphens)")
        if not self.path.is_file():
            wrong.append(f"{DRAWN} beside it")
        if wrong:
            raise ValueError(f"{self.declared} declares a page that lacks: {', '.join(wrong)}.")

    @property
    def folder(self) -> Path:
        """The folder of the page."""
        return _folder(self.declared)

    @property
    def key(self) -> str:
        """Its stable name in code: that of its folder."""
        return self.folder.name

    @property
    def section(self) -> str:
        """The part of the work it belongs to: the name of the folder around it."""
        return self.folder.parent.name.replace("_", " ").capitalize()

    @property
    def path(self) -> Path:
        """The absolute path of what draws it."""
        return self.folder / DRAWN

    @property
    def file(self) -> str:
        """The same, relative to ``app.py``."""
        return self.path.relative_to(ROOT).as_posix()


@cache
def _folder(declared: str) -> Path:
    """The folder of a file, looked up once: every draw asks it of every page."""
    return Path(declared).resolve().parent


def done(note: str, *, action: str = "") -> Step:
    """A step that is done, or that has nothing to wait for."""
    return Step(mark=Mark.DONE, note=note, action=action)


def step(*, done: bool, note: str, waits_for: str, action: str, running: bool = False) -> Step:
    """A step by what is known of it: it waits, it is going on, it is done, or it is ready.

    Args:
        done: Whether it is done.
        note: For the hover once it is done or going on.
        waits_for: What it waits for, in a few words; empty when it need not wait.
        action: The verb of its button.
        running: Whether it is going on.
    """
    if waits_for:
        return Step(mark=Mark.WAITING, note=f"Waiting: {waits_for}.", waits_for=waits_for, action=action)
    if running:
        return Step(mark=Mark.RUNNING, note=note, action=action)
    if done:
        return Step(mark=Mark.DONE, note=note, action=action)
    return Step(mark=Mark.READY, note=f"Ready: {action.lower()}.", action=action)
