"""Records to rows and back; nested parts become JSON that reads back as equal records."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Record = TypeVar("Record")
Codec = Callable[[Any], Any]

_MARK = "$"
"""A key with this first letter names the type of a value that JSON does not have."""


def to_row(record: object) -> dict[str, Any]:
    """The fields of a record as column values, nested parts as plain JSON."""
    kind: Any = type(record)
    fields_of: dict[str, Any] = _encoders(kind)(record)
    return fields_of


def from_row(kind: type[Record], row: Mapping[Any, Any]) -> Record:
    """A record from the columns of the same names; other columns are ignored."""
    steps = _field_decoders(cast(Any, kind))
    return kind(**{name: step(row[name]) if step else row[name] for name, step in steps.items()})


def _from_json(kind: type[Record], value: Mapping[str, Any]) -> Record:
    """A nested record; a field that was added after it was stored takes its default."""
    steps = _field_decoders(cast(Any, kind))
    present = {name: step for name, step in steps.items() if name in value}
    return kind(**{name: step(value[name]) if step else value[name] for name, step in present.items()})


_PLAIN = frozenset({str, int, bool, NoneType})


def encode(value: Any) -> Any:
    """A value as plain JSON; dates, decimals, bytes and tuples are marked so that :func:`decode` restores them."""
    # What nearly every value is, by its very type: a million scores wait for this.
    kind = type(value)
    if kind in _PLAIN or (kind is float and isfinite(value)):
        return value
    if kind is dict:
        return _encode_mapping(value)
    if kind is list:
        return [encode(item) for item in value]
    if value is None or isinstance(value, (bool, int)) or type(value) is str:
        return value
    if isinstance(value, Enum):
        return encode(value.value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return value if isfinite(value) else {"$float": repr(value)}
    if isinstance(value, Mapping):
        return _encode_mapping(value)
    if isinstance(value, tuple):
        return {"$tuple": [encode(item) for item in value]}
    if isinstance(value, (list, set, frozenset)):
        return [encode(item) for item in value]
    return _encode_scalar(value)


def decode(value: Any) -> Any:
    """The inverse of :func:`encode`."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((key, inner),) = value.items()
        if key in _RESTORE:
            return _RESTORE[key](inner)
    return {key: decode(item) for key, item in value.items()}


def _encode_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    plain = {
        key if type(key) is str else str(key): item if type(item) in _PLAIN else encode(item)
        for key, item in value.items()
    }
    # A person's own one-key mapping that looks like a mark must not be taken for one.
    return {"$dict": list(plain.items())} if len(plain) == 1 and next(iter(plain)).startswith(_MARK) else plain


def _encode_scalar(value: Any) -> dict[str, str]:
    if isinstance(value, datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    if isinstance(value, time):
        return {"$time": value.isoformat()}
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"$bytes": base64.b64encode(bytes(value)).decode("ascii")}
    raise TypeError(f"{type(value).__name__} cannot be stored as JSON")


_RESTORE: dict[str, Codec] = {
    "$float": float,
    "$tuple": lambda items: tuple(decode(item) for item in items),
    "$dict": lambda pairs: {key: decode(item) for key, item in pairs},
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$time": time.fromisoformat,
    "$decimal": Decimal,
    "$bytes": base64.b64decode,
}


@cache
def _encoders(kind: Any) -> Codec:
    hints = get_type_hints(kind)
    steps = {item.name: _encoder(hints[item.name]) for item in fields(kind)}

    def run(record: object) -> dict[str, Any]:
        return {name: step(getattr(record, name)) if step else getattr(record, name) for name, step in steps.items()}

    return run


@cache
def _field_decoders(kind: Any) -> dict[str, Codec | None]:
    hints = get_type_hints(kind)
    return {item.name: _decoder(hints[item.name]) for item in fields(kind)}


def _encoder(hint: Any) -> Codec | None:
    """How a value of a declared type becomes JSON; None where it is JSON already."""
    hint, optional = _without_none(hint)
    if optional:
        inner = _encoder(hint)
        return None if inner is None else lambda value: None if value is None else inner(value)
    if hint in (str, int, bool):
        return None
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda value: value.value
    if is_dataclass(hint):
        return _encoders(cast(Any, hint))
    if get_origin(hint) is tuple:
        step = _encoder(get_args(hint)[0])
        return list if step is None else lambda value: [step(item) for item in value]
    if hint is float:
        return lambda value: float(value)
    return _encode_mapping if get_origin(hint) is not None else encode


def _decoder(hint: Any) -> Codec | None:
    """How JSON becomes a value of a declared type; None where it is one already."""
    hint, optional = _without_none(hint)
    if optional:
        inner = _decoder(hint)
        return None if inner is None else lambda value: None if value is None else inner(value)
    if hint in (str, int, float):
        return None
    if hint is bool or (isinstance(hint, type) and issubclass(hint, Enum)):
        return cast(Codec, hint)
    if is_dataclass(hint):
        nested = cast(type, hint)
        return lambda value: _from_json(nested, value)
    if get_origin(hint) is tuple:
        step = _decoder(get_args(hint)[0])
        return tuple if step is None else lambda value: tuple(step(item) for item in value)
    return decode


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) in (Union, UnionType):
        rest = [option for option in get_args(hint) if option is not NoneType]
        return rest[0], True
    return hint, False
