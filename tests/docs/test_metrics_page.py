"""docs/metrics.md says what the specs say."""

import importlib.util
from pathlib import Path

from core.metrics import list_metrics

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"


def generated():
    spec = importlib.util.spec_from_file_location("metrics_page", PAGE.with_suffix(".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.text()


def test_the_page_is_written_from_the_specs():
    assert PAGE.read_text(encoding="utf-8") == generated(), "run: python docs/metrics.py"


def test_every_metric_has_its_section():
    page = PAGE.read_text(encoding="utf-8")
    for spec in list_metrics():
        assert f"(`{spec.name}" in page
        assert spec.question in page
        assert spec.equation in page
