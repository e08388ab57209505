"""The endpoints of a project as people set them up: checked, tried with one tiny call, and which hosts that means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.llm import Endpoint, Message, Structured
from core.domain.sources.projects import Role
from core.llm.addresses import check, checked_url
from core.llm.chat import open_chat
from core.net.addresses import host_of
from core.net.gate import admitted_hosts, allowed_variable
from core.net.gate.refusals import recorded
from core.net.secrets import referred_to
from core.project.service import require
from core.settings import environment_value
from core.store.database import Store
from core.store.models import endpoints
from core.store.results import runs

PURPOSE = "endpoint_test"
QUESTION = "Reply with the one word ready."
MOST_TOKENS = 16

_SPEC_URL = re.compile(r"@(https?://\S+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of one tiny call.

    Attributes:
        reply: What the model said.
        seconds: Until it had.
        structured: How the endpoint can be held to a form of reply.
        prompt_tokens: None where the endpoint does not say; then no cost can be known either.
        call_id: The ledger's row.
    """

    reply: str
    seconds: float
    structured: Structured
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    call_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A host Plumbline may call.

    Attributes:
        name: With the port where it is not the usual one.
        why: What names it.
    """

    name: str
    why: str


def save(store: Store, endpoint: Endpoint, *, actor: str) -> Endpoint:
    """Stores a new endpoint (one without an id) or the changed settings of one.

    Raises:
        InvalidInput: It cannot be used as it is; the message says which field.
        Conflict: The project has another endpoint of that name or address.
        NotFound: The project has no endpoint of that id.
        Forbidden: The actor may not change the project.
    """
    require(store, endpoint.project_id, actor, Role.VALIDATOR)
    with recorded(store, endpoint.project_id, actor):
        endpoint = replace(endpoint, name=endpoint.name.strip(), base_url=checked_url(endpoint.base_url))
        check(endpoint)
    new = not endpoint.id
    now = datetime.now(UTC).isoformat(timespec="seconds")
    endpoint = replace(endpoint, id=new_id("endpoint"), created_at=now, created_by=actor) if new else endpoint
    with store.write(
        actor,
        "endpoint.add" if new else "endpoint.change",
        project_id=endpoint.project_id,
        subject=endpoint.id,
        detail={"name": endpoint.name, "base_url": endpoint.base_url},
    ) as connection:
        existing = {stored.id: stored for stored in endpoints.all(connection, endpoint.project_id)}
        if not new and endpoint.id not in existing:
            raise NotFound(f"This project has no endpoint {endpoint.id}.", "It may have been removed; add it again.")
        for other in existing.values():
            if other.id == endpoint.id:
                continue
            if other.name.casefold() == endpoint.name.casefold():
                raise Conflict(f"There is an endpoint {other.name} already.", "Change that one, or give another name.")
            if other.base_url == endpoint.base_url:
                raise Conflict(
                    f"The endpoint {other.name} has the address {other.base_url} already.",
                    "Change that one: the address is how a model is found.",
                )
        endpoints.put(connection, endpoint)
    return endpoint


def remove(store: Store, project_id: str, endpoint_id: str, *, actor: str) -> None:
    """Forgets an endpoint; the calls made to it stay in the ledger.

    Raises:
        NotFound: The project has no endpoint of that id.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    with store.write(actor, "endpoint.remove", project_id=project_id, subject=endpoint_id) as connection:
        if endpoints.get(connection, endpoint_id).project_id != project_id:
            raise NotFound(f"This project has no endpoint {endpoint_id}.", "Choose one in the list.")
        endpoints.remove(connection, endpoint_id)


def try_out(store: Store, project_id: str, endpoint_id: str, model: str, *, actor: str) -> Trial:
    """Makes one tiny call, and asks how the endpoint can be held to a form where that is not known yet.

    The call is never answered from the ledger: it is about the endpoint as it is now.

    Raises:
        InvalidInput: No model is named, or a variable the endpoint refers to is not set.
        NotFound: The project has no endpoint of that id.
        CallFailed: The endpoint did not answer; the message says how.
        Forbidden: The actor may not spend the project's money.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    if not model.strip():
        raise InvalidInput("No model is named.", "Give the name of a model that the endpoint offers.")
    with store.read() as connection:
        endpoint = endpoints.get(connection, endpoint_id)
    if endpoint.project_id != project_id:
        raise NotFound(f"This project has no endpoint {endpoint_id}.", "Choose one in the list.")
    with recorded(store, project_id, actor):
        chat = open_chat(store, project_id, f"{model.strip()}@{endpoint.base_url}")
    draw = int(datetime.now(UTC).timestamp() * 1_000_000)
    reply = chat.ask([Message("user", QUESTION)], purpose=PURPOSE, max_tokens=MOST_TOKENS, sample=draw)
    return Trial(
        reply=reply.text,
        seconds=reply.latency_s,
        structured=chat.structured(),
        cost=reply.cost,
        call_id=reply.call_id,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
    )


def variables(endpoint: Endpoint) -> dict[str, bool]:
    """The environment variables an endpoint refers to, and whether each is set here and may go there; never a value.

    What is not named for its host is told as not set, set or not: nobody finds out what the server's environment has.
    """
    return {name: allowed_variable(name, to) and bool(environment_value(name)) for name, to in referred_to(endpoint)}


def read_headers(text: str) -> dict[str, str]:
    r"""Headers written one a line as ``NAME=VALUE``, where a value may refer to variables as ``${NAME}``.

    >>> read_headers("X-Team=rag\nX-Key = ${BANK_KEY}")
    {'X-Team': 'rag', 'X-Key': '${BANK_KEY}'}

    Raises:
        InvalidInput: A line is not of that form, or a header is given twice.
    """
    headers: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        name, sign, value = (part.strip() for part in line.partition("="))
        # The line is not shown: somebody may have written a secret in it.
        if not sign or not name or not value:
            raise InvalidInput(f"Line {number} of the headers is not NAME=VALUE.", "Write X-Key=${NAME_OF_VARIABLE}.")
        if name.casefold() in {header.casefold() for header in headers}:
            raise InvalidInput(f"The header {name} is given twice.", "Keep one of them.")
        headers[name] = value
    return headers


def write_headers(headers: Mapping[str, str]) -> str:
    """Headers as :func:`read_headers` reads them."""
    return "\n".join(f"{name}={value}" for name, value in headers.items())


def hosts(store: Store, project_id: str) -> list[Host]:
    """The hosts that this project's endpoints, and the models of its runs, name; no other is called for a model.

    Where the settings have a list of allowed hosts, those that are not in it are refused when they are called.
    """
    with store.read() as connection:
        project_endpoints = endpoints.all(connection, project_id)
        stored_runs = runs.all(connection, project_id)
    named_hosts: dict[str, str] = {}
    for endpoint in project_endpoints:
        named_hosts.setdefault(host_of(endpoint.base_url), f"endpoint {endpoint.name}")
        if endpoint.proxy:
            named_hosts.setdefault(host_of(endpoint.proxy), f"proxy of {endpoint.name}")
    for run in stored_runs:
        for what, spec in (("target", run.target), ("judge", run.judge)):
            if match := _SPEC_URL.search(spec):
                named_hosts.setdefault(host_of(match[1]), f"{what} of a run")
    return [Host(name=name, why=why) for name, why in named_hosts.items() if name]


def allowed_hosts() -> tuple[str, ...]:
    """The only hosts the settings allow; empty where they allow every host a person names."""
    return admitted_hosts()
