"""The profiles of a project for people: asked for, read in plain words, set by hand, forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from core.domain.errors import InvalidInput, NotFound
from core.domain.model_profiles import EDITABLE, Capabilities, Ground, Profile, Support
from core.domain.sources.projects import Role
from core.llm.chat import open_chat
from core.net.gate.refusals import recorded
from core.project.service import require
from core.store.database import Store
from core.store.models import profiles

TITLES: Mapping[str, str] = {
    "api": "Interface",
    "api_version": "API version sent",
    "stream": "Answers only in a stream",
    "temperature": "Temperature",
    "token_limit": "Limit of a reply",
    "reply_tokens": "Longest reply",
    "system": "System message",
    "reasoning_effort": "Reasoning effort sent",
    "extra_body": "Further parameters sent",
    "structured": "Form of a reply enforced by",
    "thoughts": "Reasoning beside the answer",
    "content": "Content of a reply",
    "usage": "Tokens reported",
    "effort": "reasoning_effort",
    "several": "n (several answers)",
    "seed": "seed",
    "logprobs": "logprobs",
    "context_tokens": "Context",
    "context_cut": "A longer prompt is",
    "prompts": "Prompts",
    "refused": "Refused besides",
}
"""Of the capabilities, in the order in which they are shown."""

_WORDS: Mapping[tuple[str, str], str] = {
    ("api", "chat"): "Chat Completions",
    ("api", "responses"): "Responses",
    ("api", "azure"): "Chat Completions at a deployment (Azure)",
    ("token_limit", "none"): "not sent",
    ("structured", "auto"): "not asked yet",
    ("structured", "schema"): "a JSON schema",
    ("structured", "grammar"): "JSON mode with a schema",
    ("structured", "json"): "JSON mode",
    ("structured", "none"): "words only",
    ("thoughts", ""): "not known",
    ("thoughts", "none"): "none",
    ("thoughts", "field"): "in a field of its own",
    ("thoughts", "parts"): "as parts of the content",
    ("thoughts", "think"): "between <think> and </think>",
    ("thoughts", "bare"): "before a bare </think>",
    ("thoughts", "harmony"): "in harmony's channels",
    ("effort", "yes"): "taken",
    ("usage", "ignored"): "no",
    ("content", ""): "not known",
}
_SUPPORT: Mapping[str, str] = {"": "not known", "yes": "yes", "ignored": "ignored", "refused": "refused"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One capability for people.

    Attributes:
        value: What calls go by, in words.
        why: By which call it was found, or who set it.
        edited: Whether a person set it.
    """

    name: str
    title: str
    value: str
    why: str
    call_id: str
    at: str
    edited: bool


def probe(
    store: Store,
    project_id: str,
    spec: str,
    *,
    actor: str,
    progress: Callable[[str], None] = lambda stage: None,
) -> Profile:
    """Finds out all that a model takes, by a dozen calls that cost about fifteen thousand tokens.

    Args:
        store: Where it is kept.
        project_id: Whose; "" for work outside any project.
        spec: ``MODEL@BASE_URL``.
        actor: Who asks.
        progress: Called with what is asked next.

    Raises:
        InvalidInput: The spec or the endpoint cannot be used.
        CallFailed: The endpoint does not answer; what was known before stands.
        Forbidden: The actor may not spend the project's money.
    """
    if project_id:
        require(store, project_id, actor, Role.VALIDATOR)
    with recorded(store, project_id, actor):
        chat = open_chat(store, project_id, spec)
    return chat.discover(progress)


def of_endpoint(store: Store, project_id: str, base_url: str) -> list[Profile]:
    """The profiles of the models at an endpoint, by name; of all endpoints where no address is given."""
    with store.read() as connection:
        return profiles.all(connection, project_id, base_url)


def edit(store: Store, project_id: str, profile_id: str, changes: Mapping[str, object], *, actor: str) -> Profile:
    """Sets capabilities by hand; what was found stays below, and stands again where a value is taken back.

    Args:
        store: The store.
        project_id: Whose profile.
        profile_id: Which.
        changes: Values by name, as text, number or plain JSON; None takes a value back.
        actor: Who sets them.

    Raises:
        InvalidInput: A name or a value is none of a profile.
        NotFound: The project has no such profile.
        Forbidden: The actor may not change the project.
    """
    if project_id:
        require(store, project_id, actor, Role.VALIDATOR)
    set_now = {name: _checked(name, value) for name, value in changes.items() if value is not None}
    unknown = [name for name in changes if name not in EDITABLE]
    if unknown:
        raise _no_name(unknown[0])
    detail = {"set": json.loads(json.dumps(set_now)), "taken_back": [name for name in changes if changes[name] is None]}
    with store.write(actor, "profile.change", project_id=project_id, subject=profile_id, detail=detail) as connection:
        profile = next((one for one in profiles.all(connection, project_id) if one.id == profile_id), None)
        if profile is None:
            raise NotFound(f"There is no profile {profile_id}.", "Detect what the model takes first.")
        edits = {name: value for name, value in profile.edits.items() if name not in changes} | set_now
        at = datetime.now(UTC).isoformat(timespec="seconds")
        grounds = [ground for ground in profile.grounds if not ground.by or ground.name not in changes]
        grounds += [Ground(name=name, text="", at=at, by=actor) for name in set_now]
        edited = replace(profile, edits=edits, grounds=tuple(grounds))
        profiles.put(connection, edited)
    return edited


def set_of(store: Store, project_id: str, spec: str, changes: Mapping[str, object], *, actor: str) -> Profile:
    """Sets capabilities of a model by hand, also of one that was not asked yet.

    Raises:
        InvalidInput: The spec, a name or a value cannot be used.
        Forbidden: The actor may not change the project.
    """
    profile = open_chat(store, project_id, spec).profile
    with store.read() as connection:
        known = any(one.id == profile.id for one in profiles.all(connection, project_id))
    if not known:
        for name, value in changes.items():
            if value is not None:
                _checked(name, value)
        with store.pulse(project_id) as connection:
            profiles.put(connection, profile)
    return edit(store, project_id, profile.id, changes, actor=actor)


def forget(store: Store, project_id: str, profile_id: str, *, actor: str) -> None:
    """Forgets what is known of a model; the next call finds out anew.

    Raises:
        Forbidden: The actor may not change the project.
    """
    if project_id:
        require(store, project_id, actor, Role.VALIDATOR)
    with store.write(actor, "profile.forget", project_id=project_id, subject=profile_id) as connection:
        profiles.remove(connection, profile_id)


def lines(profile: Profile) -> list[Line]:
    """A profile in plain words, one line for each capability."""
    now = profile.now
    listed = []
    for name, title in TITLES.items():
        ground = profile.ground(name)
        edited = name in profile.edits
        why = "" if ground is None else f"set by {ground.by}" if ground.by else ground.text
        listed.append(
            Line(
                name=name,
                title=title,
                value=in_words(name, getattr(now, name)),
                why=why or "as most endpoints do",
                call_id=ground.call_id if ground else "",
                at=ground.at if ground else "",
                edited=edited,
            )
        )
    return listed


def in_words(name: str, value: object) -> str:
    """A value of a capability as a person reads it."""
    if name == "context_tokens":
        return "not known" if value is None else f"{value:,} tokens"
    if name == "reply_tokens":
        return "as the endpoint limits it" if value is None else f"{value:,} tokens"
    if name == "context_cut":
        return "cut without a word" if value else "refused or read"
    if name in ("temperature", "system"):
        refused = "not sent: the model draws at its own" if name == "temperature" else "put before the user's words"
        return "sent" if value else refused
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and (name, str(value)) in _WORDS:
        return _WORDS[name, str(value)]
    if isinstance(value, Support):
        return _SUPPORT[value.value]
    if isinstance(value, Mapping):
        return json.dumps(dict(value)) if value else "none"
    return ", ".join(value) if isinstance(value, tuple) and value else str(value) if value else "none"


def as_json(profile: Profile) -> dict[str, object]:
    """A profile as plain JSON, with where each capability comes from."""
    now = profile.now
    return {
        "id": profile.id,
        "model": profile.model,
        "base_url": profile.base_url,
        "api_version": profile.api_version,
        "probed_at": profile.probed_at,
        "capabilities": {item.name: _plain(getattr(now, item.name)) for item in fields(Capabilities)},
        "grounds": {
            line.name: {"why": line.why, "call": line.call_id, "at": line.at, "edited": line.edited}
            for line in lines(profile)
            if line.at
        },
    }


def _plain(value: Any) -> object:
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


def _checked(name: str, value: object) -> object:
    """A value as it is stored."""
    if name not in EDITABLE:
        raise _no_name(name)
    kind = EDITABLE[name]
    try:
        if kind is bool:
            return _truth(value)
        if kind is dict:
            document = json.loads(value) if isinstance(value, str) else value
            if not isinstance(document, dict) or RESERVED & document.keys():
                raise ValueError
            return document
        if kind is int:
            number = int(str(value).replace(",", ""))
            if number < 1:
                raise ValueError
            return number
        return kind(str(value)) if kind is str else kind(str(value)).value
    except ValueError:
        raise InvalidInput(f"{name} cannot be {str(value)[:60]!r}.", f"Give {_values(name)}.") from None


RESERVED = frozenset({"model", "messages", "input", "stream"})
"""Parameters that a person may not set for every request: they are the question itself."""


def _truth(value: object) -> bool:
    truths = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if isinstance(value, bool):
        return value
    if str(value).lower() not in truths:
        raise ValueError
    return truths[str(value).lower()]


def _values(name: str) -> str:
    kind = EDITABLE[name]
    if issubclass(kind, Enum):
        return "one of " + ", ".join(str(member.value) for member in kind)
    named = {bool: "yes or no", int: "a whole number above 0", dict: "a JSON object without the question itself"}
    return named.get(kind, "a text")


def _no_name(name: str) -> InvalidInput:
    return InvalidInput(f"A profile has no {name!r} that can be set.", f"Set one of {', '.join(EDITABLE)}.")
