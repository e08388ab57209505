"""Every host a project may call: of its database, of its endpoints, of the models and the targets of its runs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from core.domain.errors import InvalidInput, PlumblineError
from core.domain.sources.projects import SourceKind
from core.llm import endpoint_settings
from core.llm.endpoint_settings import Host
from core.net.addresses import host_of
from core.net.gate.databases import read_address
from core.store import sources
from core.store.database import Store
from core.store.results import runs
from core.targets.over_http.file import read_config

HTTP = "http:"
ASKED, TOKENS = "system under test of a run", "tokens for a system under test"


def hosts_of(store: Store, project_id: str) -> list[Host]:
    """The hosts somebody named in a project, those of language models first; each once.

    A target's settings file that is gone names nothing, and is not called either.
    """
    hosts = {host.name: host for host in endpoint_settings.hosts(store, project_id)}
    with store.read() as connection:
        database = sources.latest(connection, project_id, SourceKind.DATABASE)
        targets = [run.target for run in runs.all(connection, project_id)]
    for target in dict.fromkeys(targets):
        if not target.startswith(HTTP):
            continue
        try:
            called = read_config(Path(target.removeprefix(HTTP))).addresses
        except InvalidInput:
            continue
        for name, why in zip(map(host_of, called), (ASKED, TOKENS), strict=False):
            if name:
                hosts.setdefault(name, Host(name=name, why=why))
    # One that may not be called any more is no host that Plumbline calls.
    with suppress(PlumblineError):
        if database is not None and (to := read_address(database.location).destination) is not None:
            hosts.setdefault(str(to), Host(name=str(to), why=f"database {database.name}"))
    return list(hosts.values())
