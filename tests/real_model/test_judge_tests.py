"""Our unit tests through a real small model: a weak judge, and the gate says so."""

from __future__ import annotations

import pytest

from core.domain.llm import PromptVariant
from core.domain.results.judge_tests import Part
from core.domain.status import Status
from core.judges.unit_tests.gate import run_figures, trust_of
from core.judges.unit_tests.running import TestPlan, begin, judge_all
from core.judges.unit_tests.suite import Suite, own_suite
from core.project.service import create_project
from core.settings import settings
from core.store.database import Store
from tests.support.stores import sqlite_url

pytestmark = pytest.mark.real_model

SITUATIONS = ("dates", "another period")
"""Few: each judgement takes such a model up to half a minute on one core."""


def test_a_weak_judge_is_not_trusted_and_each_failure_has_its_reason(real_spec, tmp_path):
    suite = Suite(name="few", tests=tuple(test for test in own_suite().tests if test.situation in SITUATIONS))
    with Store.open(sqlite_url(tmp_path)) as store:
        project = create_project(store, "Weak judge", settings().actor).id
        plan = TestPlan(judge=f"grouse:{real_spec}", part=Part.ALL, variant=PromptVariant.SHORT)
        run = begin(store, project, suite, plan, actor=settings().actor)
        assert judge_all(store, run.id, actor=settings().actor)
        found = run_figures(store, run.id)
        trust = trust_of(store, project, run.judge, run.prompts, way=run.way)
    assert found.reached == len(suite.tests)
    assert trust.trusted is False
    for item in found.results:
        for check in item.checks:
            assert (check.holds is None) == (check.judged.status not in (Status.SCORED, Status.NULL_JUDGEMENT))
            assert check.holds is not None or check.judged.reason
