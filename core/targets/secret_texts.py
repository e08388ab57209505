"""Secrets of HTTP targets: kept as references ``${NAME}``, filled in for sending only."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.llm.addresses import KEY_VARIABLE
from core.llm.secrets import REFERENCE, resolved
from core.settings import PREFIX

_SCHEME = re.compile(r"[A-Za-z][A-Za-z-]{0,19}[ =:]?")
_NAMES = re.compile(
    r"auth(?!ors?\b)|(?:api|access|secret|private|subscription)[-_. ]?key|(?<![a-z])keys?(?![a-z])"
    r"|token$|secret|cookie|password|passwd|signature|credential",
    re.IGNORECASE,
)
_KEY = re.compile(r"[A-Za-z0-9_+/=.-]{20,}")
OWN_PREFIX = f"{PREFIX}TARGET_"
"""Plumbline's own variables are its own; those of this prefix and the key of models are made for references."""


def looks_secret(name: str) -> bool:
    """Whether a name is one that secrets have.

    >>> [looks_secret(name) for name in ("Authorization", "apiKey", "max_tokens", "keywords", "author")]
    [True, True, False, False, False]
    """
    return _NAMES.search(name) is not None


def holds_secret(name: str, value: str) -> bool:
    """Whether a value would keep a secret where it is written; a reference and the word of a scheme keep none.

    >>> holds_secret("Authorization", "Bearer ${TOKEN}"), holds_secret("Authorization", "Bearer 12 ${TOKEN}")
    (False, True)
    >>> holds_secret("X-Tenant", "retail"), holds_secret("X-Tenant", "a3f9c2d4e5b60718293a4b5c")
    (False, True)
    """
    rest = REFERENCE.sub("", value).strip()
    if looks_secret(name):
        return bool(rest) and not (REFERENCE.search(value) and _SCHEME.fullmatch(rest))
    return any(re.search(r"\d", word) and re.search(r"[A-Za-z]", word) for word in _KEY.findall(rest))


def check_reference(text: str) -> None:
    """Refuses a reference to a variable that is Plumbline's own, which no other service is to see.

    Raises:
        ValueError: There is one.
    """
    for name in REFERENCE.findall(text):
        if name.upper().startswith(PREFIX) and not name.startswith(OWN_PREFIX) and name != KEY_VARIABLE:
            raise ValueError(f"${{{name}}} is a setting of Plumbline and is sent nowhere; name it {OWN_PREFIX}...")


def values_of(texts: Iterable[str]) -> dict[str, str]:
    """The variables that the texts refer to, with their values.

    Raises:
        InvalidInput: One of them is not set; the message has its name.
    """
    names = dict.fromkeys(name for text in texts for name in REFERENCE.findall(text))
    return {name: resolved(f"${{{name}}}", "the target") for name in names}


def with_values(text: str, values: dict[str, str]) -> str:
    """A text with its references replaced; for sending only."""
    return REFERENCE.sub(lambda found: values[found[1]], text)
