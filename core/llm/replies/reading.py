"""How a reply of a form is read that wraps its JSON in other things."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

from core.domain.llm import Message
from core.llm.calls.texts import sendable, storable
from core.llm.calls.thoughts import part as parted
from core.llm.replies.copies import copied
from core.llm.replies.labelled import labelled, listed
from core.llm.replies.loose import LooseForm

Form = TypeVar("Form", bound=BaseModel)

MOST_FAULTS = 5
MOST_QUOTED = 60
"""Letters of a reply that a fault quotes."""

MOST_TRIES = 1_000
"""Places of a reply that are looked at in vain, trailing commas among them; each costs a look at all before it."""

_FENCE = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)
_STATED = re.compile(
    r"\b(?:grade|score|rating|verdict|judge?ment|decision)\W{0,6}(?:[^\W\d]+\W{1,4}){0,3}?"
    r"([0-5](?![\d.]*\d)|null|none|n/a|incorrect|correct|yes|no)\b",
    re.IGNORECASE,
)
"""A verdict in words, behind the object."""

_TAKEN_BACK = re.compile(
    r"\b(?:actually|reconsider\w*|correction|on reflection|on second thought|wait|forge\w*|hmm+|instead|revis\w+"
    r"|fits? better|would be better|should (?:rather|have been)"
    r"|(?:would|should|could|might) be (?:an? )?[0-5](?!\d))\b",
    re.IGNORECASE,
)
_VERDICT = re.compile(r"\b(?:in)?correct\b", re.IGNORECASE)

_IN_STRING = ("Unterminated string", "Invalid \\", "Invalid control")


class Malformed(ValueError):
    """A reply that is not of the form asked for; the text says in what."""


class Copied(Malformed):
    """A reply of the form asked for that copies the example of its prompt."""


def read_form(form: type[Form], text: str, asked: Sequence[Message] = ()) -> Form:
    """Reads a reply: the JSON may stand in a code fence, between other words, and have trailing commas.

    Of several objects of the form that differ none is taken, wherever they stand: nobody can say which one is meant,
    and one of them may be quoted from the text the model was to judge.

    A loose form (`core.llm.replies.loose`) is also read from a list, from a text that holds the JSON, and from labelled
    lines. There a reply is refused that quotes its object from what was asked, or says something else behind it.

    Args:
        form: The form.
        text: The reply.
        asked: The conversation it replies to.

    Raises:
        Malformed: There is no such object, or there are two.
    """
    answers: list[Form] = []
    faults = "it holds no JSON object"
    loose = issubclass(form, LooseForm)
    for document in _unlike_json(form, text) or _documents(_unquoted(text) if loose else text):
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
    if loose:
        _refuse_doubtful(answers[0], text, asked)
    return answers[0]


def read_reply(form: type[Form], messages: Sequence[Message], text: str) -> Form:
    """Reads a reply to a conversation that showed its form by an example, which is no answer.

    Raises:
        Malformed: As for `read_form`.
        Copied: It holds a text of the example.
    """
    read = read_form(form, text, messages)
    if same := copied(read, messages):
        shown = same if len(same) <= MOST_QUOTED else f"{same[:MOST_QUOTED].rstrip()}..."
        raise Copied(f'it copied the example of the prompt ("{storable(shown)}")')
    return read


def _unlike_json(form: type[BaseModel], text: str) -> list[Mapping[str, Any]]:
    """What a loose form finds in a reply without a JSON object of its own: a list, or labelled lines."""
    if not issubclass(form, LooseForm):
        return []
    said = _FENCE.sub("", parted(text).answer).strip()
    lists = [name for name, info in form.model_fields.items() if get_origin(info.annotation) is list]
    only = lists[0] if len(lists) == len(form.model_fields) == 1 else ""
    if said.startswith("[") and only:
        try:
            return [{only: _DECODER.decode(said)}]
        except (ValueError, RecursionError):
            return []
    if "{" in said:
        return []
    found = {only: listed(said)} if only and form.model_fields[only].annotation == list[str] else labelled(form, said)
    return [found] if found and all(value is not None or not only for value in found.values()) else []


def _unquoted(text: str) -> str:
    """The JSON that a reply holds as one text."""
    said = parted(text).answer.strip()
    if not said.startswith('"{'):
        return text
    try:
        inner = json.loads(said)
    except (ValueError, RecursionError):
        return text
    return inner if isinstance(inner, str) else text


def _refuse_doubtful(read: BaseModel, text: str, asked: Sequence[Message]) -> None:
    """Refuses a reply whose object is word for word in what was asked, or that ends on another verdict.

    Raises:
        Malformed: It is such a reply.
    """
    said = parted(text).answer
    start, end = said.find("{"), said.rfind("}") + 1
    quoted = "".join((said[start:end] if 0 <= start < end else said).split())
    if quoted and any(quoted in "".join(message.content.split()) for message in asked if message.role == "user"):
        raise Malformed("its object is quoted from what was asked")
    values = {_value_text(value) for value in _leaves(read.model_dump())}
    behind = said[end:] if start >= 0 else ""
    if taken_back := _TAKEN_BACK.search(behind):
        raise Malformed(f"it says {taken_back[0]!r} behind its object")
    verdicts = _VERDICT.findall(behind) if values & {"correct", "incorrect"} else []
    for stated in (*_STATED.findall(behind), *verdicts):
        if _value_text(stated) not in values:
            raise Malformed(f"it says {storable(stated)[:MOST_QUOTED]} behind its object, and not in it")


def _value_text(value: object) -> str:
    text = str(value).strip(" .").casefold()
    return {"none": "null", "n/a": "null", "true": "1", "false": "0"}.get(text, text)


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    else:
        yield value


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
