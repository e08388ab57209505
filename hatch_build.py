"""Puts the wheel together: our folders become one package ``plumbline``, and what they import of each other follows.

The repository's top level holds ``core`` and ``pages``, names that others use as well. In the wheel they lie below
``plumbline``, and each absolute import of them gets that name in front, at the place where the parser finds it. Nothing
else is rewritten: the source may not name its own modules in strings (`core/installation.py`), and a test holds that.
"""

from __future__ import annotations

import ast
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "plumbline"
CODE = ("core", "pages")
DATA = ("prompts", "sample_data", ".streamlit")
"""Copied as they are, without scripts: the sample data are built in the repository only."""

LEFT_OUT = ("__pycache__", "secrets.toml")
INIT = f'"""Plumbline, installed: the command ``{PACKAGE}``, and the engine as ``{PACKAGE}.core``."""\n'


class Hook(BuildHookInterface[Any]):
    """Adds the package to the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Writes the package to a temporary folder, from which the wheel takes it."""
        if version == "editable":
            raise NotImplementedError("Plumbline cannot be installed as editable: work in the checkout instead.")
        self._folder = Path(tempfile.mkdtemp(prefix=f"{PACKAGE}-wheel-"))
        write_package(Path(self.root), self._folder / PACKAGE)
        build_data["force_include"][str(self._folder / PACKAGE)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Deletes the temporary folder."""
        shutil.rmtree(self._folder, ignore_errors=True)


def write_package(repository: Path, package: Path) -> None:
    """Writes the package ``plumbline`` that the repository makes.

    Args:
        repository: A checkout or an unpacked source distribution.
        package: The folder to be made.
    """
    left_out = shutil.ignore_patterns(*LEFT_OUT)
    for name in CODE:
        shutil.copytree(repository / name, package / name, ignore=left_out)
    for name in DATA:
        shutil.copytree(repository / name, package / name, ignore=shutil.ignore_patterns(*LEFT_OUT, "*.py"))
    shutil.copyfile(repository / "app.py", package / "app.py")
    for path in package.rglob("*.py"):
        path.write_bytes(renamed(path.read_bytes()))
    (package / "__init__.py").write_text(INIT, encoding="utf-8")


def renamed(source: bytes) -> bytes:
    """A module with each absolute import of our code below ``plumbline``; every other byte stays.

    >>> renamed(b"from core.domain import ids")
    b'from plumbline.core.domain import ids'
    >>> renamed(b"import core.jobs")
    b'import plumbline.core.jobs, plumbline.core as core'
    """
    lines = source.splitlines(keepends=True)
    # From the end to the start, so that a change moves no place that is still to come.
    for line, start, end, text in sorted(_changes(ast.parse(source), lines), reverse=True):
        lines[line] = lines[line][:start] + text + lines[line][end:]
    return b"".join(lines)


def _changes(tree: ast.Module, lines: list[bytes]) -> Iterator[tuple[int, int, int, bytes]]:
    """Line (from 0), first and last byte, and what stands there instead."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _ours(node.module or ""):
            name = (node.module or "").encode()
            line, start = node.lineno - 1, node.col_offset + len(b"from ")
            if lines[line][start : start + len(name)] != name:
                raise ValueError(f"Line {node.lineno}: one blank has to stand between 'from' and {node.module}.")
            yield line, start, start + len(name), b"%s.%s" % (PACKAGE.encode(), name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _ours(alias.name):
                    yield alias.lineno - 1, alias.col_offset, alias.end_col_offset or 0, _imported(alias).encode()


def _ours(module: str) -> bool:
    return module.partition(".")[0] in CODE


def _imported(alias: ast.alias) -> str:
    """``import core.jobs`` binds core, so the name core has to be bound to the package as well."""
    new, top = f"{PACKAGE}.{alias.name}", alias.name.partition(".")[0]
    if alias.asname:
        return f"{new} as {alias.asname}"
    return f"{PACKAGE}.{top} as {top}" if alias.name == top else f"{new}, {PACKAGE}.{top} as {top}"
