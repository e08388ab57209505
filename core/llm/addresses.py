"""Where a model is: the spec ``MODEL@BASE_URL``, and the endpoint behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from core.domain.errors import InvalidInput
from core.domain.llm import Endpoint
from core.net.addresses import shown, split_address
from core.net.gate import admit, destination_of, require_variable
from core.net.gate.variables import KEY_VARIABLE, OPENAI_KEY_VARIABLE, granted
from core.net.secrets import REFERENCE, SET_BY_US, holds_secret, referred_to
from core.net.tls import require_readable
from core.settings import environment_value

MOST_CONCURRENT = 1_000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def split_spec(spec: str) -> tuple[str, str]:
    """Model and base URL of ``MODEL@BASE_URL``; the last ``@`` before the scheme parts them.

    >>> split_spec("org/model@2@http://localhost:8000/v1/")
    ('org/model@2', 'http://localhost:8000/v1')

    Raises:
        InvalidInput: One of them is missing, or the address is not one of HTTP.
    """
    match = re.fullmatch(r"(.+)@(https?://.+)", spec.strip(), flags=re.IGNORECASE)
    if match is None:
        raise InvalidInput(
            f"The model {shown(spec)!r} does not say where it is.",
            "Write MODEL@BASE_URL, such as gpt@https://llm.bank.example/v1.",
        )
    return match[1].strip(), checked_url(match[2])


def checked_url(url: str) -> str:
    """A base URL without what does not belong to it.

    Raises:
        InvalidInput: It has no host, is not HTTP, carries a password or a query.
        DestinationRefused: Its host may not be called.
    """
    plain = url.strip().rstrip("/")
    try:
        parts = split_address(plain)
    except ValueError as error:
        raise InvalidInput(
            f"The address {shown(plain)!r} {error}.",
            "Give one such as https://llm.bank.example/v1.",
        ) from None
    host = parts.hostname or ""
    if parts.username or parts.password:
        raise InvalidInput(
            f"The address of {host} carries a user or a password.",
            "Name an environment variable that holds the key instead.",
        )
    if parts.query or parts.fragment:
        raise InvalidInput(
            f"The address {shown(plain)!r} has parts after its path.",
            "Leave out ? and #; an API version has a field of its own.",
        )
    admit(destination_of(plain))
    return plain.removesuffix("/chat/completions").rstrip("/")


def check(endpoint: Endpoint) -> None:
    """Refuses an endpoint that cannot be used as it is stored; no secret needs to be set for that.

    Raises:
        InvalidInput: A field is out of range or would hold a secret itself.
    """
    checked_url(endpoint.base_url)
    if not endpoint.name.strip():
        raise InvalidInput("The endpoint has no name.", "Give it one, such as Bank LLM.")
    if endpoint.key_env and not _NAME.fullmatch(endpoint.key_env):
        raise InvalidInput(
            "The key is not the name of an environment variable.",
            "Give the name of the variable that holds the key, such as BANK_LLM_KEY; never the key itself.",
        )
    _check_headers(endpoint.headers)
    if not 1 <= endpoint.concurrency <= MOST_CONCURRENT:
        raise InvalidInput(
            f"{endpoint.concurrency} calls at once is out of range.",
            f"Give a whole number from 1 to {MOST_CONCURRENT}.",
        )
    if not 0 < endpoint.timeout_s <= endpoint.deadline_s:
        raise InvalidInput(
            f"A timeout of {endpoint.timeout_s:g} s does not fit a deadline of {endpoint.deadline_s:g} s.",
            "Give seconds above 0, the timeout of one attempt not above the deadline of all.",
        )
    if endpoint.ca_bundle:
        require_readable(endpoint.ca_bundle)
    if endpoint.ca_bundle and not Path(endpoint.ca_bundle).is_file():
        raise InvalidInput(f"There is no file {endpoint.ca_bundle}.", "Give the file of certificates to trust.")
    if endpoint.proxy:
        _check_proxy(endpoint.proxy)
    _check_variables(endpoint)


STAGES = 2
"""That may call one address at once: who answers and who judges."""


def nameless(base_url: str, at_once: int | None = None) -> Endpoint:
    """The endpoint of a person who named only its address.

    A key goes there only where whoever set the key also named the host: an address can be mistyped, or come with
    somebody else's file. The port does not count.

    Args:
        base_url: The address.
        at_once: The most calls of one stage in flight, where somebody says so.
    """
    named = granted(destination_of(base_url))
    usual = [KEY_VARIABLE] if KEY_VARIABLE in named else []
    if OPENAI_KEY_VARIABLE in named and urlsplit(base_url).scheme.lower() == "https":
        usual.append(OPENAI_KEY_VARIABLE)
    key = next((name for name in usual if environment_value(name)), "")
    endpoint = Endpoint(id="", project_id="", name=base_url, base_url=base_url, key_env=key)
    return replace(endpoint, concurrency=min(MOST_CONCURRENT, STAGES * at_once)) if at_once else endpoint


def _check_variables(endpoint: Endpoint) -> None:
    for name, to in referred_to(endpoint):
        require_variable(name, to)


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not re.fullmatch(r"[A-Za-z0-9-]+", name):
            raise InvalidInput(f"{name!r} is not a valid header name.", "Use letters, digits and hyphens.")
        if name.lower() in SET_BY_US:
            raise InvalidInput(f"The header {name} is set by Plumbline itself.", "Leave it out.")
        if "\n" in value or "\r" in value:
            raise InvalidInput(f"The header {name} has a line break.", "Give one line.")
        if holds_secret(name, value, ids=True):
            raise InvalidInput(
                f"The header {name} would keep a secret in the store.",
                "Refer to an environment variable, alone or after a word such as Bearer: ${NAME}.",
            )


def _check_proxy(proxy: str) -> None:
    try:
        parts = urlsplit(proxy)
        usable = parts.scheme in ("http", "https", "socks5") and bool(parts.hostname) and parts.port != 0
        usable = usable and not REFERENCE.search(f"{parts.hostname}{parts.path}{parts.query}{parts.fragment}")
    except ValueError:
        usable = False
    if not usable or not parts.hostname:
        raise InvalidInput("The proxy is not an address.", "Give one such as http://proxy.bank.example:3128.")
    if parts.password and not REFERENCE.fullmatch(parts.password):
        raise InvalidInput("The proxy's address carries a password.", "Write ${NAME} in its place.")
    admit(destination_of(REFERENCE.sub("", proxy)))
