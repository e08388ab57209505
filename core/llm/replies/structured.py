"""Replies of a form: how an endpoint is held to it, and how it is asked once more."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from core.domain.llm import Message, Structured
from core.llm.replies.shapes import shape_of

_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")


def held_to(
    form: type[BaseModel], messages: tuple[Message, ...], mode: Structured, *, by_example: bool = False
) -> tuple[tuple[Message, ...], dict[str, object]]:
    """The conversation and the parameters that hold an endpoint to a form.

    Args:
        form: The reply's form.
        messages: The conversation.
        mode: What the endpoint enforces; the words state the form in any case, since some take a schema and let it go.
        by_example: Whether the conversation shows an example of the form, so that no schema is told in words.
    """
    return stated(form, messages, by_example=by_example), enforcing(form, mode)


def stated(
    form: type[BaseModel], messages: tuple[Message, ...], *, plain: bool = False, by_example: bool = False
) -> tuple[Message, ...]:
    """The conversation with the form stated in words; see `in_words`.

    One that shows an example of the form (`by_example`) states it: a small model would write a copy of the schema.
    """
    if by_example:
        return messages
    return _with_instruction(messages, in_words(form, plain=plain))


def in_words(form: type[BaseModel], *, plain: bool = False) -> str:
    """The form of a reply as an instruction.

    Args:
        form: The form.
        plain: Whether its fields are told one a line rather than by a JSON schema, which weak models reply with. A form
            of objects within objects has its schema all the same.
    """
    if plain and (fields := _fields(strict_schema(form))):
        first = next(iter(strict_schema(form)["properties"]))
        return f'Reply with one JSON object and nothing else. Its fields are:\n{fields}\nBegin with {{"{first}":'
    return (
        "Reply with one JSON object and nothing else: no Markdown, no words before or after it. It must match this "
        f"JSON schema:\n{json.dumps(strict_schema(form), ensure_ascii=False)}"
    )


def enforcing(form: type[BaseModel], mode: Structured) -> dict[str, object]:
    """The parameters by which an endpoint enforces a form: its schema, JSON of any form, or nothing.

    ``grammar`` puts the schema beside the request for JSON, as llama.cpp takes it.
    """
    if mode is Structured.NONE:
        return {}
    if mode is Structured.JSON:
        return {"response_format": {"type": "json_object"}}
    if mode is Structured.GRAMMAR:
        return {"response_format": {"type": "json_object", "schema": strict_schema(form)}}
    name = _NO_NAME.sub("_", form.__name__)[:64]
    schema = {"name": name, "strict": True, "schema": strict_schema(form)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def repair_request(
    messages: tuple[Message, ...],
    raw: str,
    fault: str,
    form: type[BaseModel] | None = None,
    *,
    plain: bool = False,
    by_example: bool = False,
    is_copy: bool = False,
) -> tuple[Message, ...]:
    """The conversation that asks for a malformed reply once more, and states its form again.

    Where the conversation showed the form by an example, so does this one; where that was copied, it says so.
    """
    if form is not None and by_example:
        fault = "That is the example, not an answer." if is_copy else "That is not the JSON asked for."
        shown = f"{fault} Write only JSON like this: {shape_of(form)}"
        return (*messages, Message("assistant", raw), Message("user", shown))
    again = "" if form is None else f"\n\n{in_words(form, plain=plain)}"
    return (
        *messages,
        Message("assistant", raw),
        Message(
            "user",
            f"That reply could not be read: {fault} Give the same answer again as one JSON object of the form asked "
            f"for, with nothing before or after it.{again}",
        ),
    )


@cache
def strict_schema(form: type[BaseModel]) -> Mapping[str, Any]:
    """The JSON schema of a form in the strict dialect: nothing more than what is named, and all of it.

    Made once for each form, since every call carries it; nobody changes it.
    """
    strict: dict[str, Any] = _strict(form.model_json_schema())
    return strict


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(item) for item in part]
    if not isinstance(part, dict):
        return part
    fields = {name: _strict(value) for name, value in part.items() if name not in ("default", "title")}
    if "properties" in part:
        # A property may itself be called "title".
        fields["properties"] = {name: _strict(value) for name, value in part["properties"].items()}
        fields |= {"required": list(part["properties"]), "additionalProperties": False}
    if "$ref" in fields and len(fields) > 1:
        # The strict dialect allows nothing beside a reference.
        fields["anyOf"] = [{"$ref": fields.pop("$ref")}]
    return fields


def _fields(schema: Mapping[str, Any]) -> str:
    """The fields of an object, one a line; "" where one of them is an object itself."""
    meanings = {name: _meaning(part) for name, part in schema.get("properties", {}).items()}
    return "\n".join(f"- {name}: {meaning}" for name, meaning in meanings.items()) if all(meanings.values()) else ""


def _meaning(part: Mapping[str, Any]) -> str:
    if "enum" in part:
        return " or ".join(json.dumps(value, ensure_ascii=False) for value in part["enum"])
    if "const" in part:
        return json.dumps(part["const"], ensure_ascii=False)
    if "anyOf" in part:
        options = [_meaning(option) for option in part["anyOf"]]
        return " or ".join(options) if all(options) else ""
    if part.get("type") == "array":
        each = _meaning(part.get("items", {}))
        return f"a list, each {each}" if each else ""
    kinds = {"string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
    return {**kinds, "null": "null"}.get(str(part.get("type")), "")


def _with_instruction(messages: tuple[Message, ...], instruction: str) -> tuple[Message, ...]:
    if messages and messages[0].role == "system":
        return (Message("system", f"{messages[0].content}\n\n{instruction}"), *messages[1:])
    return (Message("system", instruction), *messages)
