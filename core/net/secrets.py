"""The secrets an endpoint is called with: taken from the environment when it is called, and kept out of all we keep."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote, unquote

from core.domain.errors import InvalidInput
from core.domain.llm import Endpoint
from core.settings import environment_value

REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""How a setting refers to an environment variable."""

MASK = "(hidden)"

SHORTEST, SHORTEST_IN_REPLIES = 4, 12
"""Shorter values stay: a key such as "none" hides nothing, and a reply may well hold such a word of its own."""


class Mask:
    """Takes the secrets of an endpoint out of what came back from it.

    Args:
        secrets: Their values.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets for form in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1])}
        # The longest first: one secret may begin with another.
        self._forms = sorted((form for form in forms if len(form) >= SHORTEST), key=len, reverse=True)

    def __repr__(self) -> str:
        return "Mask()"

    def error(self, text: str) -> str:
        """A text about a failure without any secret."""
        return self._without(text, SHORTEST)

    def reply(self, text: str) -> str:
        """What a model said without any secret that is too long to be there by chance."""
        return self._without(text, SHORTEST_IN_REPLIES)

    def _without(self, text: str, shortest: int) -> str:
        for form in self._forms:
            if len(form) >= shortest and form in text:
                text = text.replace(form, MASK)
        return text


def resolved(text: str, what: str, form: Callable[[str], str] = str) -> str:
    """A text with its references ``${NAME}`` replaced by the variables' values.

    Blanks around a value are left out: a variable that was read from a file ends with a line break.

    Args:
        text: The text.
        what: Who needs the values, for messages.
        form: How a value is written there.

    Raises:
        InvalidInput: A variable is not set or cannot stand in a header; only its name is shown.
    """

    def value(match: re.Match[str]) -> str:
        found = (environment_value(match[1]) or "").strip()
        if not found:
            raise InvalidInput(
                f"The environment variable {match[1]} is not set, and {what} needs it.", "Set it and start again."
            )
        if not (found.isascii() and found.isprintable()):
            raise InvalidInput(
                f"The environment variable {match[1]} has a character that no header can hold.",
                "Set it again; something else may have been copied along.",
            )
        return form(found)

    return REFERENCE.sub(value, text)


def key_of(endpoint: Endpoint) -> str:
    """The key of an endpoint, "" for one without.

    Raises:
        InvalidInput: The variable it names is not set.
    """
    if endpoint.key_env:
        return resolved(f"${{{endpoint.key_env}}}", f"the endpoint {endpoint.name or endpoint.base_url}")
    return ""


def header_values(endpoint: Endpoint) -> Mapping[str, str]:
    """The endpoint's headers with their secrets in place; for sending only."""
    return {name: resolved(value, f"the header {name}") for name, value in endpoint.headers.items()}


def proxy_of(endpoint: Endpoint) -> str:
    """The URL of the endpoint's proxy with its secrets in place, "" for none; for connecting only.

    Raises:
        InvalidInput: A variable is not set.
    """
    if not endpoint.proxy:
        return ""
    return resolved(endpoint.proxy, "the proxy", lambda value: quote(value, safe=""))


def secrets_of(endpoint: Endpoint) -> tuple[str, ...]:
    """Every secret the endpoint is called with, in each form that could come back from there.

    Raises:
        InvalidInput: A variable is not set.
    """
    found = {resolved(f"${{{name}}}", f"the endpoint {endpoint.name}") for name in referred(endpoint)}
    if "@" in (proxy := proxy_of(endpoint)):
        who = proxy.partition("://")[2].rpartition("@")[0]
        found |= {b64encode(unquote(who).encode()).decode()}
    return tuple(found)


def referred(endpoint: Endpoint) -> list[str]:
    """The names of the environment variables an endpoint refers to."""
    texts = [*endpoint.headers.values(), endpoint.proxy]
    named = [match[1] for text in texts for match in REFERENCE.finditer(text)]
    return [*named, endpoint.key_env] if endpoint.key_env else named
