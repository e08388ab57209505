"""Ids and hashes: how records are named and how equal records are recognised."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any


def new_id(prefix: str) -> str:
    """A short random id with the kind of its record, such as ``run_5f2c8a1b90de``."""
    return f"{prefix}_{secrets.token_hex(6)}"


def canonical_json(value: object) -> str:
    """JSON with sorted keys and no blanks, so that equal values have equal text.

    >>> canonical_json({"b": 1, "a": (1, 2)})
    '{"a":[1,2],"b":1}'
    """
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def content_hash(value: object) -> str:
    """SHA-256 of the canonical JSON of a value, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8")).hexdigest()


def short_hash(value: object, length: int = 12) -> str:
    """The first digits of :func:`content_hash`; a deterministic id for generated things."""
    return content_hash(value)[:length]


def _plain(value: object) -> Any:
    if isinstance(value, str):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(_plain(item) for item in value)
    return value
