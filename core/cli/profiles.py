"""Commands about language models: the endpoints of a project, what models take, and the calls of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, emit, one_of
from core.cli.projects import ProjectNamed, project_named
from core.domain.errors import InvalidInput, NotFound
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.llm import Endpoint
    from core.domain.model_profiles import Profile
    from core.llm.calls.log import Totals

FORMS = ("auto", "schema", "grammar", "json", "none")
ENDINGS = (".jsonl", ".csv")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    endpoints = typer.Typer(no_args_is_help=True, help="The OpenAI-compatible services of a project.")
    endpoints.command("list")(list_endpoints)
    endpoints.command("add")(add_endpoint)
    endpoints.command("remove")(remove_endpoint)
    app.add_typer(endpoints, name="endpoints")
    models = typer.Typer(no_args_is_help=True, help="What models take: found out by calls, or set by hand.")
    models.command("probe")(probe_model)
    models.command("list")(list_models)
    models.command("set")(set_model)
    app.add_typer(models, name="models")
    app.command("calls")(calls)


def list_endpoints(project: ProjectNamed, as_json: AsJson = False) -> None:
    """Lists the endpoints of a project; a key is shown only by its variable's name and whether it is set."""
    from core.store.database import Store
    from core.store.models import endpoints

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        with store.read() as connection:
            listed = endpoints.all(connection, project)
    lines = [_line(endpoint) for endpoint in listed] or ["No endpoint is set up."]
    emit({"endpoints": [_document(endpoint) for endpoint in listed]}, as_json=as_json, lines=lines, fail_under=None)


def add_endpoint(
    project: ProjectNamed,
    name: Annotated[str, typer.Option(metavar="NAME", help="Display name of the endpoint.")],
    base_url: Annotated[str, typer.Option(metavar="URL", help="Base URL, without /chat/completions.")],
    key_env: Annotated[str, typer.Option(metavar="NAME", help="Environment variable that holds the key.")] = "",
    header: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="HTTP header, a secret as ${NAME}; repeatable.")
    ] = None,
    api_version: Annotated[str, typer.Option(metavar="V", help="Only if the service requires one.")] = "",
    ca_bundle: Annotated[str, typer.Option(metavar="F", help="Certificates to trust instead of the system's.")] = "",
    proxy: Annotated[str, typer.Option(metavar="URL", help="Proxy address, a password as ${NAME}.")] = "",
    timeout: Annotated[float, typer.Option(help="Time limit of one attempt in seconds.")] = 60.0,
    deadline: Annotated[float, typer.Option(help="Time limit of a call with all its attempts.")] = 300.0,
    concurrency: Annotated[int, typer.Option(help="Largest number of calls at the same time.")] = 8,
    structured: Annotated[str, typer.Option(metavar="WAY", help="auto, schema, grammar, json or none.")] = "auto",
    as_json: AsJson = False,
) -> None:
    """Adds an endpoint to a project; no secret is stored."""
    from core.domain.llm import Endpoint, Structured
    from core.llm import endpoint_settings
    from core.store.database import Store

    endpoint = Endpoint(
        id="",
        project_id="",
        name=name,
        base_url=base_url,
        key_env=key_env,
        headers=endpoint_settings.read_headers("\n".join(header or [])),
        api_version=api_version,
        ca_bundle=ca_bundle,
        proxy=proxy,
        timeout_s=timeout,
        deadline_s=deadline,
        concurrency=concurrency,
        structured=Structured(one_of("--structured", structured, FORMS)),
    )
    with Store.open(settings().database_url) as store:
        project_endpoint = replace(endpoint, project_id=project_named(store, project))
        saved = endpoint_settings.save(store, project_endpoint, actor=settings().actor)
    emit(_document(saved), as_json=as_json, lines=[f"Added {_line(saved)}"], fail_under=None)


def remove_endpoint(
    project: ProjectNamed,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name or id of the endpoint.")],
    as_json: AsJson = False,
) -> None:
    """Removes an endpoint; the calls made to it stay."""
    from core.llm import endpoint_settings
    from core.store.database import Store
    from core.store.models import endpoints

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        with store.read() as connection:
            existing = endpoints.all(connection, project)
        endpoint_named = next((endpoint for endpoint in existing if name in (endpoint.id, endpoint.name)), None)
        if endpoint_named is None:
            names = ", ".join(endpoint.name for endpoint in existing) or "none"
            raise NotFound(f"Project {project} has no endpoint {name!r}.", f"It has: {names}.")
        endpoint_settings.remove(store, project, endpoint_named.id, actor=settings().actor)
    emit({"removed": endpoint_named.id}, as_json=as_json, lines=[f"Removed {endpoint_named.name}."], fail_under=None)


ModelSpec = Annotated[str, typer.Argument(metavar="SPEC", help="MODEL@BASE_URL.")]
OfProject = Annotated[
    str, typer.Option("--project", metavar="NAME", help="Name or id of the project; none without it.")
]


def probe_model(spec: ModelSpec, project: OfProject = "", as_json: AsJson = False) -> None:
    """Finds out what a model takes: about fifteen calls, of fifteen thousand tokens together."""
    from core.llm import profile_settings
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project) if project else ""
        profile = profile_settings.probe(
            store,
            project_id,
            spec,
            actor=settings().actor,
            progress=lambda stage: typer.echo(f"Asking about {stage}", err=True),
        )
    emit(profile_settings.as_json(profile), as_json=as_json, lines=_profile(profile), fail_under=None)


def list_models(project: OfProject = "", as_json: AsJson = False) -> None:
    """Lists the models of which something is known, with what they take."""
    from core.llm import profile_settings
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        profiles = profile_settings.of_endpoint(store, project_named(store, project) if project else "", "")
    lines = [line for profile in profiles for line in _profile(profile)] or ["Nothing is known of any model yet."]
    document = {"models": [profile_settings.as_json(profile) for profile in profiles]}
    emit(document, as_json=as_json, lines=lines, fail_under=None)


def set_model(
    spec: ModelSpec,
    values: Annotated[
        list[str], typer.Argument(metavar="NAME=VALUE...", help="Capabilities; NAME= takes a value back.")
    ],
    project: OfProject = "",
    as_json: AsJson = False,
) -> None:
    """Sets what a model takes by hand; that stands above what was found."""
    from core.llm import profile_settings
    from core.store.database import Store

    pairs = [value.partition("=") for value in values]
    if wrong := [name for name, sign, _ in pairs if not sign]:
        raise InvalidInput(f"{wrong[0]!r} is not NAME=VALUE.", "Write prompts=short, or temperature=no.")
    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project) if project else ""
        changes = {name: value or None for name, _, value in pairs}
        profile = profile_settings.set_of(store, project_id, spec, changes, actor=settings().actor)
    emit(profile_settings.as_json(profile), as_json=as_json, lines=_profile(profile), fail_under=None)


def calls(
    run: Annotated[str, typer.Option(metavar="RUN", help="A run's id, or its --out folder.")],
    out: Annotated[
        Path | None, typer.Option(metavar="F", help="File for all calls with messages and replies, .jsonl or .csv.")
    ] = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Adds up the model calls of a run by purpose: calls, replies from the ledger, tokens, cost, failures."""
    from core.cli import workspace
    from core.llm.calls import log
    from core.llm.calls.log import CallFilter
    from core.safety.calls import shown_calls

    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InvalidInput(f"{out} is neither .jsonl nor .csv.", "Give a file with one of these endings.")
    with workspace.opened(run) as (store, stored):
        call_filter = CallFilter(run_id=stored.id)
        by_purpose = log.totals(store, stored.project_id, call_filter)
        together = log.of_run(store, stored.project_id, stored.id)
        currency = log.currency(store, stored.project_id)
        if out is not None:
            write = log.as_csv if out.suffix.lower() == ".csv" else log.as_jsonl
            out.write_bytes(write(store, stored.project_id, call_filter, shown_calls(store, stored.project_id)))
    document = {
        "run": stored.id,
        "currency": currency,
        **together.as_json(),
        "purposes": {row.name: row.as_json() for row in by_purpose},
    }
    del document["name"]
    lines = [_totals(row, currency) for row in by_purpose] or ["This run called no model."]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def _document(endpoint: Endpoint) -> dict[str, object]:
    from core.llm import endpoint_settings

    return {
        "id": endpoint.id,
        "name": endpoint.name,
        "base_url": endpoint.base_url,
        "key_env": endpoint.key_env,
        "headers": dict(endpoint.headers),
        "api_version": endpoint.api_version,
        "ca_bundle": endpoint.ca_bundle,
        "proxy": endpoint.proxy,
        "timeout_s": endpoint.timeout_s,
        "deadline_s": endpoint.deadline_s,
        "concurrency": endpoint.concurrency,
        "structured": endpoint.structured.value,
        "variables_set": endpoint_settings.variables(endpoint),
    }


def _line(endpoint: Endpoint) -> str:
    from core.llm import endpoint_settings

    variables = endpoint_settings.variables(endpoint).items()
    keys = ", ".join(f"{name} {'set' if here else 'not set here'}" for name, here in variables) or "no key"
    return f"{endpoint.name} ({endpoint.id}): {endpoint.base_url}, {keys}, {endpoint.concurrency} at once"


def _profile(profile: Profile) -> list[str]:
    from core.llm import profile_settings

    lines = [f"{profile.model} at {profile.base_url}"]
    return lines + [f"  {line.title}: {line.value} ({line.why})" for line in profile_settings.lines(profile)]


def _totals(row: Totals, currency: str) -> str:
    cost = "cost unknown" if row.cost is None else f"{row.cost:.6g} {currency}".strip()
    failures = "".join(f", {count:,} {name}" for name, count in row.failures.items())
    return (
        f"{row.name}: {row.calls:,} {'call' if row.calls == 1 else 'calls'}, {row.cached:,} more from the ledger, "
        f"{row.prompt_tokens:,} + {row.completion_tokens:,} tokens, {cost} ({row.priced:,} of {row.calls:,} priced)"
        f"{failures}"
    )
