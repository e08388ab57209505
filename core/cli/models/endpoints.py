"""Where a command's model is: the options that say so, the same for every command, and the endpoint they mean.

A named endpoint is one that a project of the default store keeps. Where none does, its settings stand on the command
line: the variable that holds the key, headers, API version, time limit. No secret is ever written here.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from core.domain.errors import InvalidInput, NotFound
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.llm import Endpoint
    from core.store.database import Store

SHARED = "access"
"""The parameter of a command that gets what the options say."""

HOW = "Write MODEL@BASE_URL, or MODEL with --endpoint NAME; `endpoints list` shows those of a project."

Names = Annotated[
    list[str] | None,
    typer.Option("--endpoint", metavar="NAME", help="Endpoint of a project, by name or id; repeatable."),
]
KeyVariable = Annotated[str, typer.Option("--key-env", metavar="NAME", help="Environment variable with the key.")]
Headers = Annotated[
    list[str] | None,
    typer.Option("--header", metavar="NAME=VALUE", help="HTTP header, a secret as ${NAME}; repeatable."),
]
ApiVersion = Annotated[str, typer.Option("--api-version", metavar="V", help="Only if the service requires one.")]
CallTimeout = Annotated[
    float | None, typer.Option("--call-timeout", help="Time limit of one model call in seconds; 60 by default.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What the options say.

    Attributes:
        names: Of endpoints, or their ids.
        key_env: Name of the variable that holds the key.
        headers: One per line, as ``NAME=VALUE``.
        api_version: Where the service wants one.
        timeout_s: Seconds of one attempt; None for the usual.
    """

    names: tuple[str, ...] = ()
    key_env: str = ""
    headers: str = ""
    api_version: str = ""
    timeout_s: float | None = None

    @property
    def described(self) -> bool:
        """Whether settings are given instead of a name."""
        return bool(self.key_env or self.headers or self.api_version or self.timeout_s)

    def named(self, store: Store) -> tuple[Endpoint, ...]:
        """The endpoints of these names.

        Args:
            store: The default store.

        Raises:
            InvalidInput: Names and settings are both given, or several projects have an endpoint of a name.
            NotFound: No project has one.
            Forbidden: The actor may not spend its project's money.
        """
        from core.domain.sources.projects import Role
        from core.project.service import require

        if self.names and self.described:
            raise InvalidInput(
                "Both --endpoint and settings of an endpoint are given.",
                "Leave one out; a kept endpoint is changed on the Models page.",
            )
        found = tuple(_named(store, name) for name in self.names)
        for endpoint in found:
            require(store, endpoint.project_id, settings().actor, Role.VALIDATOR)
        return found

    def endpoint(self, base_url: str) -> Endpoint | None:
        """The endpoint at an address by the settings that are given; None where none are."""
        if not self.described:
            return None
        from core.llm.addresses import nameless
        from core.llm.endpoint_settings import read_headers

        usual = nameless(base_url)
        timeout = self.timeout_s or usual.timeout_s
        return replace(
            usual,
            key_env=self.key_env or usual.key_env,
            headers=read_headers(self.headers),
            api_version=self.api_version,
            timeout_s=timeout,
            deadline_s=max(timeout, usual.deadline_s),
        )


def with_endpoint(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options to a command, whose parameter ``access`` gets what they say."""
    hints = get_type_hints(command, include_extras=True)
    own = inspect.signature(command).parameters.values()
    options = {
        "endpoint": (Names, None),
        "key_env": (KeyVariable, ""),
        "header": (Headers, None),
        "api_version": (ApiVersion, ""),
        "call_timeout": (CallTimeout, None),
    }

    @functools.wraps(command)
    def called(**given: Any) -> None:
        names, key_env, headers, api_version, timeout = (given.pop(name) for name in options)
        given[SHARED] = Access(
            names=tuple(names or ()),
            key_env=key_env,
            headers="\n".join(headers or ()),
            api_version=api_version,
            timeout_s=timeout,
        )
        command(**given)

    parameters = [parameter.replace(annotation=hints[parameter.name]) for parameter in own if parameter.name != SHARED]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in options.items()
    ]
    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    called.__signature__ = inspect.Signature(keyword)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in keyword}
    return called


def model_at(access: Access, store: Store, model: str) -> tuple[str, Endpoint | None]:
    """A model as ``MODEL@BASE_URL``, with the endpoint it is called by where the options say which.

    Args:
        access: What the options say.
        store: The default store.
        model: ``MODEL@BASE_URL``, or the model's name alone where one endpoint is named.

    Raises:
        InvalidInput: The address is missing, or is none of the named endpoints.
        NotFound: There is no endpoint of a name.
        Forbidden: The actor may not use it.
    """
    named = access.named(store)
    spec, endpoint = located(access, named, model)
    if named and endpoint is None:
        raise _elsewhere(named[0], [spec])
    return spec, endpoint


def located(access: Access, named: Sequence[Endpoint], model: str) -> tuple[str, Endpoint | None]:
    """A model with its address, and the endpoint there that was named or described."""
    from core.llm.addresses import split_spec

    if "@http" not in model.lower():
        if len(named) != 1:
            raise InvalidInput(f"The model {model!r} does not say where it is.", HOW)
        return f"{model.strip()}@{named[0].base_url}", named[0]
    _, base_url = split_spec(model)
    if not named:
        return model, access.endpoint(base_url)
    return model, next((endpoint for endpoint in named if endpoint.base_url == base_url), None)


def _elsewhere(endpoint: Endpoint, models: Sequence[str]) -> InvalidInput:
    return InvalidInput(
        f"The endpoint {endpoint.name} is at {endpoint.base_url}, which is not where {' and '.join(models)} is.",
        "Leave the address out, or name the endpoint of that address.",
    )


def lent_to(
    store: Store, project_id: str, access: Access, models: Sequence[str], *, at_once: int | None = None
) -> tuple[str, ...]:
    """Models as ``MODEL@BASE_URL``, whose endpoints a project in a store of its own now keeps.

    Args:
        store: The project's store, such as that of an ``--out`` folder.
        project_id: The project.
        access: What the options say.
        models: As for :func:`model_at`.
        at_once: The most calls of one stage in flight, where it is said; it stands above the endpoint's own ceiling.

    Raises:
        InvalidInput: Settings are given and the models are at several addresses, or as for :func:`model_at`.
    """
    from core.llm import endpoint_settings
    from core.llm.addresses import STAGES, split_spec
    from core.store.database import Store
    from core.store.models import endpoints

    named: tuple[Endpoint, ...] = ()
    if access.names:
        with Store.open(settings().database_url) as own:
            named = access.named(own)
    placed = [located(access, named, model) for model in models]
    if unused := [endpoint for endpoint in named if endpoint not in (at for _, at in placed)]:
        raise _elsewhere(unused[0], [spec for spec, _ in placed])
    addresses = {split_spec(spec)[1] for spec, _ in placed}
    if access.described and len(addresses) > 1:
        raise InvalidInput(
            f"One set of settings is given, and the models are at {' and '.join(sorted(addresses))}.",
            "Keep each with: endpoints add, and name both with --endpoint NAME.",
        )
    for base_url, endpoint in {split_spec(spec)[1]: endpoint for spec, endpoint in placed}.items():
        if endpoint is None:
            continue
        with store.read() as connection:
            kept = endpoints.at(connection, project_id, base_url)
        ceiling = endpoint.concurrency if at_once is None else STAGES * at_once
        lent = replace(endpoint, id=kept.id if kept else "", project_id=project_id, concurrency=ceiling)
        endpoint_settings.save(store, lent, actor=settings().actor)
    return tuple(spec for spec, _ in placed)


def model_of_project(access: Access, store: Store, project_id: str, model: str) -> str:
    """A model as ``MODEL@BASE_URL`` for work of a project, whose own endpoints lend the settings.

    Raises:
        InvalidInput: Settings are given beside the project's, the named endpoint is another project's, or as for
            :func:`model_at`.
    """
    if access.described:
        raise InvalidInput(
            "Settings of an endpoint are given, and the work is done in a project, which keeps its own.",
            "Keep them with: endpoints add, and name it with --endpoint NAME.",
        )
    spec, endpoint = model_at(access, store, model) if access.names else (model, None)
    if endpoint is not None and endpoint.project_id != project_id:
        raise InvalidInput(f"The endpoint {endpoint.name} is another project's.", "Add it to this one: endpoints add.")
    return spec


def _named(store: Store, name: str) -> Endpoint:
    from core.store import projects
    from core.store.models import endpoints

    with store.read() as connection:
        kept = [endpoint for project in projects.all(connection) for endpoint in endpoints.all(connection, project.id)]
    found = [endpoint for endpoint in kept if name == endpoint.id or name.casefold() == endpoint.name.casefold()]
    if not found:
        raise NotFound(f"No project has an endpoint {name!r}.", "Add it with: endpoints add, or write MODEL@BASE_URL.")
    if len(found) > 1:
        ids = ", ".join(endpoint.id for endpoint in found)
        raise InvalidInput(f"{len(found)} projects have an endpoint {name}.", f"Give its id: {ids}.")
    return found[0]
