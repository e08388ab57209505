"""Kinds of jobs are found by themselves: a worker knows each that stands in the source, whoever imports it."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.domain.errors import InvalidInput
from core.jobs.registry import function_of, kinds
from core.runs.service import EVIDENCE

SOURCE = Path(core.__file__).parent


def registered():
    """Modules of the engine with a function that is decorated as a job, and how many, however it is written."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        decorators = [
            decorator.func
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for decorator in node.decorator_list
            if isinstance(decorator, ast.Call)
        ]
        names = [getattr(function, "id", getattr(function, "attr", "")) for function in decorators]
        if number := names.count("job"):
            found[".".join(("core", *path.relative_to(SOURCE).with_suffix("").parts))] = number
    return found


@pytest.mark.slow
def test_a_worker_knows_every_kind_of_the_source():
    code = (
        "from core.jobs.registry import function_of, kinds; print([function_of(kind).__module__ for kind in kinds()])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    modules = ast.literal_eval(shown)
    assert {module: modules.count(module) for module in modules} == registered()
    assert len(modules) > 5


def test_a_kind_is_found_by_name_alone():
    assert function_of("score").__name__ == "score_job"
    assert {"evaluate", "score", "calibrate"} <= set(kinds())


def test_a_worker_imports_what_its_own_job_needs():
    code = """
import sys
from core.jobs.registry import function_of
print(function_of("build_test_set").__module__, "core.calibration.service.job" in sys.modules)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["core.testset.building", "False"]


def test_the_name_of_each_kind_stands_in_its_module():
    """A worker would else import the modules of all kinds to find it."""
    functions = {kind: function_of(kind) for kind in kinds()}
    for kind, function in functions.items():
        assert f'"{kind}"' in Path(inspect.getsourcefile(function)).read_text(encoding="utf-8"), kind
    assert functions["find_evidence"].__name__ == "evidence_job"
    assert EVIDENCE == "find_evidence"


def test_a_kind_of_another_version_is_refused_with_those_there_are():
    with pytest.raises(InvalidInput, match=r"no job of the kind nonsense; it knows .*calibrate.*evaluate"):
        function_of("nonsense")
