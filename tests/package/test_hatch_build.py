"""How the wheel's package is made of the repository's folders: imports follow by syntax, everything else stays."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from hatch_build import CODE, renamed, write_package

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from core import jobs", "from plumbline.core import jobs"),
        ("from core.store.database import Store", "from plumbline.core.store.database import Store"),
        ("from pages.kit import frame as f, state", "from plumbline.pages.kit import frame as f, state"),
        ("import core", "import plumbline.core as core"),
        ("import core as engine", "import plumbline.core as engine"),
        ("import core.jobs as jobs", "import plumbline.core.jobs as jobs"),
        ("import core.jobs", "import plumbline.core.jobs, plumbline.core as core"),
        ("import os, core.jobs, sys", "import os, plumbline.core.jobs, plumbline.core as core, sys"),
        ("def late():\n    from core import a; x = 1", "def late():\n    from plumbline.core import a; x = 1"),
        ("if x: from core import a", "if x: from plumbline.core import a"),
        ("from core import (\r\n    a,\r\n)", "from plumbline.core import (\r\n    a,\r\n)"),
        ('"é"; from core import a', '"é"; from plumbline.core import a'),
    ],
)
def test_an_import_of_ours_goes_below_the_package(before, after):
    assert renamed(before.encode()).decode() == after


@pytest.mark.parametrize(
    "source",
    [
        "from . import core",
        "from .core import a",
        "from corelib import a",
        "import cores, pagesize",
        "from numpy import core",
        'text = """\nfrom core import a\n"""',
        "# from core import a",
        "core = 1; core.jobs",
        "",
    ],
)
def test_nothing_else_is_touched(source):
    assert renamed(source.encode()) == source.encode()


def test_an_import_that_is_written_in_another_way_stops_the_build():
    with pytest.raises(ValueError, match="Line 1: one blank has to stand between 'from' and core"):
        renamed(b"from  core import a")


def test_what_an_import_binds_stays_bound():
    tree = ast.parse(renamed(b"import core.jobs\nimport pages\n"))
    assert {alias.asname for node in tree.body for alias in node.names} == {None, "core", "pages"}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package") / "plumbline"
    write_package(ROOT, folder)
    return folder


@pytest.mark.slow
def test_the_package_holds_what_the_app_needs(package):
    for name in (
        "app.py",
        "core/cli/app.py",
        "prompts/claims.jinja",
        "prompts/short/claims.jinja",
        "sample_data/bank.sqlite",
    ):
        assert (package / name).is_file()
    assert (package / ".streamlit" / "config.toml").read_bytes() == (ROOT / ".streamlit" / "config.toml").read_bytes()


@pytest.mark.slow
def test_the_package_holds_no_secret_and_no_script_of_the_sample(package):
    names = {path.relative_to(package).as_posix() for path in package.rglob("*")}
    assert ".streamlit/secrets.toml" not in names
    assert not [name for name in names if name.startswith("sample_data/") and name.endswith(".py")]


def test_a_secret_beside_the_configuration_is_left_out(tmp_path):
    for name in (*CODE, "prompts", "sample_data", ".streamlit"):
        (tmp_path / "here" / name).mkdir(parents=True)
    (tmp_path / "here" / "app.py").write_text("from pages import ui\n")
    (tmp_path / "here" / ".streamlit" / "secrets.toml").write_text("[auth]\n")
    write_package(tmp_path / "here", tmp_path / "there")
    assert not (tmp_path / "there" / ".streamlit" / "secrets.toml").exists()
    assert (tmp_path / "there" / "app.py").read_text() == "from plumbline.pages import ui\n"


@pytest.mark.slow
def test_no_import_of_ours_is_left_in_the_package(package):
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").partition(".")[0] not in CODE, path
            if isinstance(node, ast.Import):
                assert not {alias.name.partition(".")[0] for alias in node.names} & set(CODE), path


OWN_NAME = re.compile(
    r"core|(core|pages|sample_data|prompts)(\.\w+)+(:\w+)?|.*(-m|from|import) (core|pages)\b.*", re.DOTALL
)
ASKED = ROOT / "core" / "installation.py"
"""The only module that may say what the engine is called."""


@pytest.mark.slow
@pytest.mark.parametrize("folder", CODE)
def test_no_string_names_a_module_of_ours(folder):
    """A string is not rewritten, so a module's own name comes from ``__name__`` or `core.installation`."""
    named = []
    for path in (path for path in (ROOT / folder).rglob("*.py") if path != ASKED):
        tree = ast.parse(path.read_bytes())
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if is_text and id(node) not in prose and OWN_NAME.fullmatch(node.value):
                named.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.value!r}")
    assert named == []
