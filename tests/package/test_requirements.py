"""The package's ranges and the pinned requirements name the same packages, and each pin lies in its range."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {"postgresql": "requirements-postgresql.txt", "mysql": "requirements-mysql.txt"}


def pins(file: str) -> dict[str, str]:
    """Version by package."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    texts = [text for line in lines if (text := line.partition("#")[0].strip()) and not text.startswith("-r")]
    specifiers = {name: next(iter(allowed)) for name, allowed in ranges(texts).items()}
    assert all(specifier.operator == "==" for specifier in specifiers.values()), file
    return {name: specifier.version for name, specifier in specifiers.items()}


def ranges(texts: list[str]) -> dict[str, SpecifierSet]:
    requirements = [Requirement(text) for text in texts]
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in requirements}


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_each_pin_lies_in_its_range(extra):
    pinned = pins(EXTRAS.get(extra, "requirements.txt"))
    allowed = ranges(PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"])
    assert pinned.keys() == allowed.keys()
    assert {name: version for name, version in pinned.items() if version not in allowed[name]} == {}


def test_each_range_ends_before_a_release_that_may_break():
    for name, allowed in ranges(PROJECT["dependencies"]).items():
        assert {specifier.operator for specifier in allowed} == {">=", "<"}, name


def test_the_extras_are_those_of_the_documentation():
    assert set(PROJECT["optional-dependencies"]) == {"postgresql", "mysql", "pdf", "auth", "cluster"}


def test_the_versions_of_python_agree():
    allowed = SpecifierSet(PROJECT["requires-python"])
    named = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if ":: Python :: 3." in text]
    assert named == ["3.11", "3.12", "3.13"]
    assert [minor for minor in range(8, 20) if f"3.{minor}.0" in allowed] == [11, 12, 13]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == named
