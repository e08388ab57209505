"""Profiles of projects: kept whole, changed by validators alone, every change in the trail."""

import json
from dataclasses import replace

import pytest

from core.domain.errors import Forbidden, InvalidInput
from core.domain.sources.profiles import Materiality, ProjectProfile, Risk, SystemUnderTest
from core.project.profiles import project_profile, save_profile
from core.project.service import create_project
from core.store.trail import audit

FULL = ProjectProfile(
    purpose="Decide on the pilot.",
    scope="Questions on fees; no advice.",
    intended_use="Branch staff look up fees.",
    system=SystemUnderTest(name="Fee desk", version="2.1", owner="Retail", model="gpt-4.1", description="BM25, k=3."),
    users="Branch staff",
    risks=(
        Risk(name="Wrong fee quoted", materiality=Materiality.HIGH, description="A client pays too much."),
        Risk(name="<script>alert(1)</script>", materiality=Materiality.LOW),
    ),
)


def said(profile):
    return replace(profile, changed_at="", changed_by="")


def test_a_new_project_has_an_empty_profile_that_says_what_is_missing(store):
    project = create_project(store, "Bank", "local")
    profile = project_profile(store, project.id)
    assert profile == ProjectProfile()
    assert profile.missing == ("purpose", "scope", "intended use", "system under test", "users", "risks")


def test_a_profile_is_kept_whole_and_says_who_wrote_it(store):
    project = create_project(store, "Bank", "local")
    saved = save_profile(store, project.id, FULL, actor="local")
    assert project_profile(store, project.id) == saved
    assert (said(saved), saved.changed_by, bool(saved.changed_at)) == (FULL, "local", True)
    assert saved.missing == ()


def test_a_change_is_audited_with_old_and_new_and_nothing_else_is_written(store):
    project = create_project(store, "Bank", "local")
    save_profile(store, project.id, FULL, actor="local")
    with store.read() as connection:
        entries = audit.count(connection, project.id)
    assert said(save_profile(store, project.id, FULL, actor="local")) == FULL
    with store.read() as connection:
        assert audit.count(connection, project.id) == entries  # nothing changed, nothing is written
    save_profile(store, project.id, replace(FULL, scope="Fees and rates."), actor="local")
    with store.read() as connection:
        entry = audit.entries(connection, project.id)[0]
        assert audit.verify(connection)[0]
    assert entry.action == "profile.change"
    assert json.loads(entry.detail) == {
        "scope": {"before": "Questions on fees; no advice.", "after": "Fees and rates."}
    }


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        (replace(FULL, risks=(Risk(name=" "),)), "A risk has no name"),
        (replace(FULL, risks=(Risk(name="Fee"), Risk(name="fee"))), "Two risks are called"),
        (replace(FULL, purpose="x" * 4_001), "4,001 characters"),
        (replace(FULL, risks=(Risk(name="Fee", materiality="grave"),)), "'grave' is no materiality"),
    ],
    ids=["unnamed", "twice", "long", "materiality"],
)
def test_what_cannot_be_a_profile_is_refused(store, profile, message):
    project = create_project(store, "Bank", "local")
    with pytest.raises(InvalidInput, match=message):
        save_profile(store, project.id, profile, actor="local")
    assert project_profile(store, project.id) == ProjectProfile()


def test_only_validators_may_change_it(store):
    project = create_project(store, "Bank", "local")
    with pytest.raises(Forbidden, match="validator"):
        save_profile(store, project.id, FULL, actor="eve")
