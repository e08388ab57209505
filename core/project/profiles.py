"""The profile of a project: what is validated, for what use, and which risks come with it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime

from core.domain.errors import InvalidInput
from core.domain.sources.profiles import Materiality, ProjectProfile, Risk, SystemUnderTest
from core.domain.sources.projects import Role
from core.project.service import require
from core.store import acceptance as stored
from core.store.database import Store

LONGEST_TEXT = 4_000
LONGEST_LINE = 300
MOST_RISKS = 50


def project_profile(store: Store, project_id: str) -> ProjectProfile:
    """The profile of a project; an empty one where nobody wrote any."""
    with store.read() as connection:
        return stored.profile(connection, project_id)


def save_profile(store: Store, project_id: str, profile: ProjectProfile, *, actor: str) -> ProjectProfile:
    """Stores the profile of a project; what changed goes to the audit trail, old and new.

    Args:
        store: Where the project is.
        project_id: The project.
        profile: Its profile from now on; who changed it and when is filled in.
        actor: Who.

    Returns:
        The profile as it is now; nothing is written where nothing changes.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is no validator of the project.
        InvalidInput: A text is too long, a risk has no name, or two have the same.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    wanted = _checked(profile)
    detail: dict[str, object] = {}
    if _said(project_profile(store, project_id)) == _said(wanted):
        return project_profile(store, project_id)
    with store.write(actor, "profile.change", project_id=project_id, subject=project_id, detail=detail) as connection:
        before, after = _said(stored.profile(connection, project_id)), _said(wanted)
        detail |= {
            name: {"before": before[name], "after": after[name]} for name in after if before[name] != after[name]
        }
        at = datetime.now(UTC).isoformat(timespec="seconds")
        wanted = replace(wanted, changed_at=at, changed_by=actor)
        stored.put_profile(connection, project_id, wanted)
    return wanted


def _said(profile: ProjectProfile) -> Mapping[str, object]:
    parts = asdict(replace(profile, changed_at="", changed_by=""))
    parts["risks"] = [{**risk, "materiality": str(risk["materiality"])} for risk in parts["risks"]]
    return parts


def _checked(profile: ProjectProfile) -> ProjectProfile:
    system = profile.system
    risks = tuple(_risk(risk) for risk in profile.risks)
    names = [risk.name.casefold() for risk in risks]
    twice = next((risk.name for risk, name in zip(risks, names, strict=True) if names.count(name) > 1), "")
    if twice:
        raise InvalidInput(f"Two risks are called {twice}.", "Give each risk a name of its own.")
    if len(risks) > MOST_RISKS:
        raise InvalidInput(f"The profile has {len(risks)} risks.", f"Name at most {MOST_RISKS}; join those alike.")
    return replace(
        profile,
        purpose=_text("purpose", profile.purpose),
        scope=_text("scope", profile.scope),
        intended_use=_text("intended use", profile.intended_use),
        users=_text("users", profile.users),
        system=SystemUnderTest(
            name=_text("name of the system", system.name, LONGEST_LINE),
            version=_text("version of the system", system.version, LONGEST_LINE),
            owner=_text("owner of the system", system.owner, LONGEST_LINE),
            model=_text("language model", system.model, LONGEST_LINE),
            description=_text("description of the system", system.description),
        ),
        risks=risks,
    )


def _risk(risk: Risk) -> Risk:
    name = _text("name of a risk", risk.name, LONGEST_LINE)
    if not name:
        told = textwrap.shorten(risk.description, 60, placeholder=" ...")
        which = f"The risk described as {told!r}" if told else "A risk"
        raise InvalidInput(f"{which} has no name.", "Name it in a few words, or take the line away.")
    try:
        materiality = Materiality(risk.materiality)
    except ValueError:
        listed = ", ".join(item.value for item in Materiality)
        raise InvalidInput(
            f"{str(risk.materiality)!r} is no materiality of the risk {name}.", f"Use one of: {listed}."
        ) from None
    return Risk(name=name, materiality=materiality, description=_text(f"description of {name}", risk.description))


def _text(what: str, value: str, longest: int = LONGEST_TEXT) -> str:
    text = value.strip()
    if len(text) > longest:
        raise InvalidInput(f"The {what} has {len(text):,} characters.", f"Use at most {longest:,}.")
    return text
