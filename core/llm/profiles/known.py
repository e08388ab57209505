"""What is known of one model, shared by all who ask it in this process, and stored as it is learnt."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

from core.domain.llm import Endpoint, Structured
from core.domain.model_profiles import Capabilities, Ground, Profile
from core.store.database import Store
from core.store.models import profiles

LONGEST_GROUND = 300


class Known:
    """The profile of one model as this process sees it.

    What is learnt is stored at once and serves the next process; what a person sets meanwhile is read when the model is
    opened again.

    Args:
        store: Where it is stored.
        profile: As it is stored, or an empty one.

    Attributes:
        turn: Held by whoever finds out why a request was refused; the others wait and share what comes of it.
    """

    def __init__(self, store: Store, profile: Profile) -> None:
        self.turn = threading.RLock()
        self._store = store
        self._profile = profile
        self._wanted = Structured.AUTO
        self._read = (profile, self._wanted, profile.now)
        self._proven: set[frozenset[str]] = set()
        self._innocent: set[str] = set()
        self._kept = False
        self._lock = threading.Lock()

    @property
    def profile(self) -> Profile:
        """The profile."""
        return self._profile

    def now(self) -> Capabilities:
        """What calls go by: a person's word for this model, the endpoint's setting, what was found."""
        profile, wanted = self._profile, self._wanted
        read_from, read_by, now = self._read
        if read_from is not profile or read_by is not wanted:  # every call asks, and it seldom changes
            now = profile.now
            if "structured" not in profile.edits and wanted is not Structured.AUTO:
                now = replace(now, structured=wanted)
            self._read = (profile, wanted, now)
        return now

    def read(self, store: Store, endpoint: Endpoint) -> None:
        """Reads what others have stored meanwhile."""
        self._store = store
        self._wanted = endpoint.structured
        stored = _stored(self._store, self._profile)
        if stored is None and self._kept:  # somebody had it forgotten
            stored = replace(self._profile, found=Capabilities(), edits={}, grounds=(), probed_at="")
        if stored is not None and stored != self._profile:
            with self._lock:
                self._profile, self._kept = stored, True
                self._proven = set()

    def learn(self, changes: Mapping[str, object], grounds: Sequence[Ground]) -> None:
        """Takes what was found and stores it where it is new.

        Args:
            changes: The capabilities that are known now, by name.
            grounds: Why.
        """
        with self._lock:
            found = replace(self._profile.found, **_merged(self._profile.found, changes))
            if found == self._profile.found:
                return
            kept = self._profile.grounds
            self._profile = replace(self._profile, found=found, grounds=_with(kept, grounds))
        self._store_it()

    def replace_all(self, found: Capabilities, grounds: Sequence[Ground]) -> None:
        """Takes what a probe of everything has shown; of what was found before nothing stands."""
        with self._lock:
            set_by_people = [ground for ground in self._profile.grounds if ground.by]
            self._profile = replace(self._profile, found=found, grounds=_with(set_by_people, grounds), probed_at=_now())
            self._proven, self._innocent = set(), set()
        self._store_it()

    def restore(self, profile: Profile) -> None:
        """Takes back what was known before."""
        with self._lock:
            self._profile = profile
        self._store_it()

    def forget(self) -> None:
        """Takes the model for one of which nothing was found; what a person has set stays."""
        with self._lock:
            kept = tuple(ground for ground in self._profile.grounds if ground.by)
            self._profile = replace(self._profile, found=Capabilities(), grounds=kept, probed_at="")
            self._proven, self._innocent = set(), set()

    def _store_it(self) -> None:
        with self._store.pulse(self._profile.project_id) as connection:
            profiles.put(connection, self._profile)
        self._kept = True

    def unattributed(self) -> tuple[str, ...]:
        """What was learnt whose call is not kept yet, by name."""
        return tuple(ground.name for ground in self._profile.grounds if not ground.by and not ground.call_id)

    def attribute(self, names: Collection[str], call_id: str) -> None:
        """Names the call that showed some of what was learnt, once it is kept."""
        with self._lock:
            grounds = tuple(
                replace(ground, call_id=call_id)
                if ground.name in names and not ground.by and not ground.call_id
                else ground
                for ground in self._profile.grounds
            )
            if grounds == self._profile.grounds:
                return
            self._profile = replace(self._profile, grounds=grounds)
        self._store_it()

    def proven(self, options: frozenset[str]) -> bool:
        """Whether a request with at least these options was answered in this process."""
        return any(options <= proven for proven in self._proven)

    def prove(self, options: frozenset[str]) -> None:
        """Notes that a request with these options was answered."""
        if options not in self._proven:
            with self._lock:
                self._proven = {*self._proven, options}

    def innocent(self, kind: str) -> bool:
        """Whether a refusal of this kind was found to be about no parameter."""
        return kind in self._innocent

    def acquit(self, kind: str) -> None:
        """Notes that a refusal is about no parameter."""
        with self._lock:
            self._innocent = {*self._innocent, kind}


_known: weakref.WeakValueDictionary[tuple[object, ...], Known] = weakref.WeakValueDictionary()
_known_lock = threading.Lock()


def known_of(store: Store, project_id: str, model: str, endpoint: Endpoint) -> Known:
    """What is known of a model; one for all who ask it in this process."""
    key = (os.getpid(), store.url, project_id, endpoint.base_url, model, endpoint.api_version)
    with _known_lock:
        known = _known.get(key)
        if known is None:
            known = Known(store, blank(project_id, endpoint, model))
            _known[key] = known
    known.read(store, endpoint)
    return known


def blank(project_id: str, endpoint: Endpoint, model: str) -> Profile:
    """The profile of a model of which nothing is known."""
    return Profile(
        id=profiles.id_of(project_id, endpoint.base_url, model, endpoint.api_version),
        project_id=project_id,
        base_url=endpoint.base_url,
        model=model,
        api_version=endpoint.api_version,
    )


def changed(before: Capabilities, after: Capabilities) -> dict[str, object]:
    """The capabilities that differ, by name, as they are after."""
    names = [item.name for item in fields(Capabilities)]
    return {name: getattr(after, name) for name in names if getattr(before, name) != getattr(after, name)}


def _merged(found: Capabilities, changes: Mapping[str, object]) -> dict[str, Any]:
    """The changes; what several have found refused adds up."""
    refused = changes.get("refused")
    if not isinstance(refused, tuple):
        return dict(changes)
    return {**changes, "refused": tuple(sorted({*found.refused, *refused}))}


def _with(kept: Iterable[Ground], grounds: Iterable[Ground]) -> tuple[Ground, ...]:
    """Grounds with newer ones; a person's stay behind those of calls, since they stand above them."""
    dated = {
        ground.name: replace(ground, at=ground.at or _now(), text=ground.text[:LONGEST_GROUND]) for ground in grounds
    }
    calls = [ground for ground in kept if not ground.by and ground.name not in dated]
    return (*calls, *dated.values(), *(ground for ground in kept if ground.by))


def _stored(store: Store, profile: Profile) -> Profile | None:
    with store.read() as connection:
        return profiles.of_model(connection, profile.project_id, profile.base_url, profile.model, profile.api_version)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
