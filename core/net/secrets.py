"""Secrets: written as references ``${NAME}``, filled in for sending only, kept out of all that is stored or shown."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote, unquote

from core.domain.errors import InvalidInput
from core.domain.llm import Endpoint
from core.net.gate import Destination, destination_of, require_variable
from core.settings import environment_value

REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""How a setting refers to an environment variable."""

SET_BY_US = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding"})
"""Headers that nobody else sets: another Host would reach another service at an address that may be called."""

_SCHEME = re.compile(r"([A-Z][A-Za-z-]{0,15}|[a-z]{0,8})[ =:]?")
"""What may stand beside a reference in a text that holds a secret, such as ``Bearer``."""

_NAMES = re.compile(
    r"auth(?!ors?\b)|(?:api|access|secret|private|subscription|session|service|client|account)[-_. ]?key"
    r"|(?<![a-z])keys?(?![a-z])|^x-.*(?:key(?!words?)|token)|token$|secret|cookie|passw|passphrase|signature|credential|bearer",
    re.IGNORECASE,
)
_WRITTEN_OUT = re.compile(r"\s*(Bearer|Basic|Token)\s+\S|\s*(sk|pk|gsk|hf|xai)[-_]\S{8}", re.IGNORECASE)
_LONG_WORD = re.compile(r"[A-Za-z0-9_+/=.-]{20,}")

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


def looks_secret(name: str) -> bool:
    """Whether a name is one that secrets have.

    >>> [looks_secret(name) for name in ("Authorization", "apiKey", "max_tokens", "keywords", "author")]
    [True, True, False, False, False]
    """
    return _NAMES.search(name) is not None


def holds_secret(name: str, value: str, *, ids: bool = False) -> bool:
    """Whether a value would keep a secret where it is written; a reference and the word of a scheme keep none.

    Args:
        name: What the value stands under.
        value: As it is written.
        ids: Whether a long word of letters and digits may be an id, as services of models want one of the organisation.

    >>> holds_secret("Authorization", "Bearer ${TOKEN}"), holds_secret("Authorization", "Bearer 12 ${TOKEN}")
    (False, True)
    >>> holds_secret("X-Tenant", "retail"), holds_secret("X-Tenant", "a3f9c2d4e5b60718293a4b5c")
    (False, True)
    """
    beside = REFERENCE.sub("", value).strip()
    if looks_secret(name):
        return bool(beside) and not (REFERENCE.search(value) and _SCHEME.fullmatch(beside))
    words = [] if ids else _LONG_WORD.findall(beside)
    return bool(_WRITTEN_OUT.match(beside)) or any(
        re.search(r"\d", word) and re.search(r"[A-Za-z]", word) for word in words
    )


def values_of(texts: Iterable[str], what: str, to: Destination) -> tuple[str, ...]:
    """The values of the variables that the texts refer to.

    Args:
        texts: With references ``${NAME}`` in them.
        what: Who needs the values, for messages.
        to: Where they are sent.

    Raises:
        DestinationRefused: One of them may not go there.
        InvalidInput: One of them is not set; the message has its name.
    """
    names = dict.fromkeys(name for text in texts for name in REFERENCE.findall(text))
    return tuple(resolved(f"${{{name}}}", what, to) for name in names)


def resolved(text: str, what: str, to: Destination, form: Callable[[str], str] = str) -> str:
    """A text with its references ``${NAME}`` replaced by the variables' values.

    Blanks around a value are left out: a variable that was read from a file ends with a line break.

    Args:
        text: The text.
        what: Who needs the values, for messages.
        to: Where it is sent; the operator says which variables may go there.
        form: How a value is written there.

    Raises:
        DestinationRefused: A variable may not go there.
        InvalidInput: A variable is not set or cannot stand in a header; only its name is shown.
    """

    def value(match: re.Match[str]) -> str:
        require_variable(match[1], to)
        secret = (environment_value(match[1]) or "").strip()
        if not secret:
            raise InvalidInput(
                f"The environment variable {match[1]} is not set, and {what} needs it.", "Set it and start again."
            )
        if not (secret.isascii() and secret.isprintable()):
            raise InvalidInput(
                f"The environment variable {match[1]} has a character that a header cannot contain.",
                "Set it again; an extra character may have been copied.",
            )
        return form(secret)

    return REFERENCE.sub(value, text)


def key_of(endpoint: Endpoint) -> str:
    """The key of an endpoint, "" for one without.

    Raises:
        InvalidInput: The variable it names is not set.
    """
    if endpoint.key_env:
        who = f"the endpoint {endpoint.name or endpoint.base_url}"
        return resolved(f"${{{endpoint.key_env}}}", who, destination_of(endpoint.base_url))
    return ""


def header_values(endpoint: Endpoint) -> Mapping[str, str]:
    """The endpoint's headers with their secrets in place; for sending only."""
    to = destination_of(endpoint.base_url)
    return {name: resolved(value, f"the header {name}", to) for name, value in endpoint.headers.items()}


def proxy_of(endpoint: Endpoint) -> str:
    """The URL of the endpoint's proxy with its secrets in place, "" for none; for connecting only.

    Raises:
        InvalidInput: A variable is not set.
    """
    if not endpoint.proxy:
        return ""
    to = destination_of(REFERENCE.sub("", endpoint.proxy))
    return resolved(endpoint.proxy, "the proxy", to, lambda value: quote(value, safe=""))


def secrets_of(endpoint: Endpoint) -> tuple[str, ...]:
    """Every secret the endpoint is called with, in each form that could come back from there.

    Raises:
        InvalidInput: A variable is not set.
    """
    secrets = {
        value
        for name, to in referred_to(endpoint)
        for value in values_of([f"${{{name}}}"], f"the endpoint {endpoint.name}", to)
    }
    if "@" in (proxy := proxy_of(endpoint)):
        who = proxy.partition("://")[2].rpartition("@")[0]
        secrets |= {b64encode(unquote(who).encode()).decode()}
    return tuple(secrets)


def referred(endpoint: Endpoint) -> list[str]:
    """The names of the environment variables an endpoint refers to, its key's first."""
    return [name for name, _ in referred_to(endpoint)]


def referred_to(endpoint: Endpoint) -> list[tuple[str, Destination]]:
    """The environment variables an endpoint refers to, its key's first, each with where it is sent.

    Raises:
        DestinationRefused: An address names no host.
    """
    service = destination_of(endpoint.base_url)
    names = [name for text in endpoint.headers.values() for name in REFERENCE.findall(text)]
    pairs = [(name, service) for name in ([endpoint.key_env, *names] if endpoint.key_env else names)]
    if in_proxy := REFERENCE.findall(endpoint.proxy):
        proxy = destination_of(REFERENCE.sub("", endpoint.proxy))
        pairs += [(name, proxy) for name in in_proxy]
    return pairs
