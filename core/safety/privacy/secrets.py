"""Keys, tokens and passwords in texts."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from core.safety.privacy.entities import Entity, Finding

_KEYS: Final = (
    ("private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]{0,4000}?(?:-----END [A-Z ]*-----|\Z)")),
    ("AWS access key", re.compile(r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])")),
    ("Google API key", re.compile(r"(?<!\w)AIza[\w-]{35}(?![\w-])")),
    ("GitHub token", re.compile(r"(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})")),
    ("GitLab token", re.compile(r"(?<!\w)glpat-[\w-]{20,}")),
    ("Slack token", re.compile(r"(?<!\w)xox[abprs]-[A-Za-z0-9-]{10,}")),
    ("Stripe key", re.compile(r"(?<!\w)(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("model API key", re.compile(r"(?<!\w)sk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{20,}")),
    ("Hugging Face token", re.compile(r"(?<!\w)hf_[A-Za-z0-9]{30,}")),
    ("JSON web token", re.compile(r"(?<![\w.-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{10,}")),
)
_IN_ADDRESS: Final = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s:/@]{1,60}:([^\s:/@]{3,80})@", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"\b(?:api[_ -]?key|secret(?:[_ -]?key)?|access[_ -]?token|auth[_ -]?token|bearer|client[_ -]?secret|"
    r"account[_ -]?key|[A-Za-z_]*_(?:token|secret|key)|\w*token(?=[\"']?\s*[:=]))\b"
    r"[\"']?\s*(?:is|=|:|:=)?\s*[\"']?([A-Za-z0-9+/_.=-]{16,})",
    re.IGNORECASE,
)
_PASSWORD: Final = re.compile(
    r"(?<![A-Za-z])(?:password|passwd|pwd|passphrase|passwort|kennwort|mot de passe|contraseña|wachtwoord|"
    r"(?:pw|pass)(?=[\"']?\s*[:=]))"
    r"\b[\"']?\s*(?:is|=|:|ist)\s*[\"']?"
    r"(?=\S*[\d!@#$%^&*_+=?-])([^\s\"',;]{6,64})",
    re.IGNORECASE,
)
_PASSWORD_OF: Final = re.compile(
    r"\b(?:password|passphrase|passwort|kennwort|mot de passe|contraseña|wachtwoord)\b[^.:=\n]{1,40}?"
    r"(?:\b(?:is|was|ist|lautet|est|es)\b|[:=])\s*[\"']?(?=\S*\d)(?=\S*[A-Za-z])([^\s\"',;]{6,64})",
    re.IGNORECASE,
)
LEAST_ENTROPY: Final = 3.0
"""Bits a sign below which what is named a key is a word."""


def find_secrets(text: str) -> Iterator[Finding]:
    """Keys, tokens and passwords of a text; a placeholder such as ``<your key>`` is none."""
    for title, pattern in _KEYS:
        for match in pattern.finditer(text):
            if title == "private key" or _entropy(match[0]) >= LEAST_ENTROPY:
                yield _finding(match, 0, f"form of a {title}")
    for match in _IN_ADDRESS.finditer(text):
        if not re.fullmatch(r"[<{$*x].*|password|pass|secret|pwd", match[1], re.IGNORECASE):
            yield _finding(match, 1, "password in an address")
    for match in _NAMED.finditer(text):
        if _entropy(match[1]) >= LEAST_ENTROPY and re.search(r"\d", match[1]) and re.search(r"[A-Za-z]", match[1]):
            yield _finding(match, 1, "named a key, and random")
    for pattern in (_PASSWORD, _PASSWORD_OF):
        for match in pattern.finditer(text):
            yield _finding(match, 1, "named a password")


def _entropy(value: str) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


def _finding(match: re.Match[str], group: int, rule: str) -> Finding:
    value = match[group].rstrip(".)")
    start = match.start(group)
    return Finding(entity=Entity.KEY, start=start, end=start + len(value), value=value, rule=rule)
