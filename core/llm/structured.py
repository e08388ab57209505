"""Replies of a form: how an endpoint is held to it, and how a reply is read that wraps it in other things."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.domain.llm import Message, Structured
from core.llm.calls.texts import sendable, storable
from core.llm.calls.thoughts import part as parted
from core.llm.copies import copied
from core.llm.shapes import shape_of

Form = TypeVar("Form", bound=BaseModel)

MOST_FAULTS = 5
MOST_QUOTED = 60
"""Letters of a reply that a fault quotes."""

MOST_TRIES = 1_000
"""Places of a reply that are looked at in vain, trailing commas among them; each costs a look at all before it."""

_IN_STRING = ("Unterminated string", "Invalid \\", "Invalid control")
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")


class Malformed(ValueError):
    """A reply that is not of the form asked for; the text says in what."""


class Copied(Malformed):
    """A reply of the form asked for that copies the example of its prompt."""


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


def read_form(form: type[Form], text: str) -> Form:
    """Reads a reply: the JSON may stand in a code fence, between other words, and have trailing commas.

    Of several objects of the form that differ none is taken, wherever they stand: nobody can say which one is meant,
    and one of them may be quoted from the text the model was to judge.

    Raises:
        Malformed: There is no such object, or there are two.
    """
    answers: list[Form] = []
    faults = "it holds no JSON object"
    for document in _documents(text):
        try:
            read = form.model_validate(document)
        except ValidationError as error:
            faults = _fault_text(error)
            continue
        if read not in answers:
            answers.append(read)
    if len(answers) > 1:
        raise Malformed(f"it holds {len(answers)} different answers")
    if not answers:
        raise Malformed(faults)
    return answers[0]


def read_reply(form: type[Form], messages: Sequence[Message], text: str) -> Form:
    """Reads a reply to a conversation that showed its form by an example, which is no answer.

    Raises:
        Malformed: As for `read_form`.
        Copied: It holds a text of the example.
    """
    read = read_form(form, text)
    if same := copied(read, messages):
        shown = same if len(same) <= MOST_QUOTED else f"{same[:MOST_QUOTED].rstrip()}..."
        raise Copied(f'it copied the example of the prompt ("{storable(shown)}")')
    return read


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


def _documents(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of a reply, wherever they begin; one inside another is not an answer of its own.

    After a failure the search goes on behind what was read until then. So a part of an object that was cut off is never
    taken for the whole, nor words in a string for an object.
    """
    plain, place, tries = parted(text).answer, 0, 0
    while (start := plain.find("{", place)) >= 0:
        try:
            document, place = _DECODER.raw_decode(plain, start)
        except json.JSONDecodeError as error:
            tries += 1
            if tries > MOST_TRIES:
                raise Malformed("it holds too many brackets that are no JSON") from None
            comma = _trailing_comma(plain, error.pos)
            if comma > start:
                plain, place = plain[:comma] + plain[comma + 1 :], start
            elif error.msg.startswith(_IN_STRING):
                return
            else:
                place = max(start + 1, error.pos)
        except RecursionError:
            raise Malformed("its JSON is nested too deeply") from None
        except Malformed:
            raise
        except ValueError:
            raise Malformed("it holds a number of too many digits") from None
        else:
            yield document


def _trailing_comma(text: str, place: int) -> int:
    """Where the comma is that stands before a closing bracket at a place; -1 where there is none."""
    here = text[place : place + 1]
    if here == ",":  # some versions of Python point at the comma itself
        return place if text[place + 1 : place + 200].lstrip()[:1] in ("}", "]") else -1
    before = place - 1
    while here in ("}", "]") and before >= 0 and text[before].isspace():
        before -= 1
    return before if here in ("}", "]") and text[before : before + 1] == "," else -1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for name, value in pairs:
        if sendable(name) in read and read[sendable(name)] != _sendable(value):
            raise Malformed(f"it gives {storable(name)[:MOST_QUOTED]!r} twice")
        read[sendable(name)] = _sendable(value)
    return read


def _sendable(value: Any) -> Any:
    """A value whose texts can be stored; JSON can name halves of a pair, and they come through every check."""
    if isinstance(value, str):
        return sendable(value)
    return [_sendable(item) for item in value] if isinstance(value, list) else value


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Malformed(f"it holds {text[:MOST_QUOTED]}, which is no number")
    return value


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_object, parse_float=_finite, parse_constant=_finite)
"""Takes line breaks within strings, which models write; no number without an end, and nothing said twice."""


def _fault_text(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    messages = [f"{'.'.join(str(part) for part in fault['loc']) or 'the object'}: {fault['msg']}" for fault in faults]
    return storable("; ".join(messages[:MOST_FAULTS]))
