"""The form of a reply as one line of JSON, for models that would take a JSON schema for the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

TEXT = "..."
NUMBER = 1


def shape_of(form: type[BaseModel]) -> str:
    """What a reply of a form looks like, with dots for texts and a choice of words where only some are allowed.

    >>> class Verdict(BaseModel):
    ...     reason: str
    ...     points: list[int]
    >>> shape_of(Verdict)
    '{"reason": "...", "points": [1]}'
    """
    schema = form.model_json_schema()
    return json.dumps(_example(schema, schema.get("$defs", {})), ensure_ascii=False)


def _example(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> object:
    if "$ref" in part:
        return _example(definitions[str(part["$ref"]).rpartition("/")[2]], definitions)
    for choice in ("anyOf", "allOf"):
        if choice in part:
            return _example(part[choice][0], definitions)
    if "enum" in part:
        return " or ".join(map(str, part["enum"]))
    kind = part.get("type")
    if kind == "object":
        return {name: _example(value, definitions) for name, value in part.get("properties", {}).items()}
    if kind == "array":
        return [_example(part.get("items", {}), definitions)]
    return {"integer": NUMBER, "number": NUMBER, "boolean": True}.get(str(kind), TEXT)
