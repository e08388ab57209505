"""How something of a person's own code is asked: a function is called, a chain invoked, an engine queried.

No library is imported: a LangChain runnable is known by its ``invoke``, a LlamaIndex engine by its ``query``, a
retriever by its ``retrieve``. What an object awaits or yields is read to the end.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

from core.domain.errors import InvalidInput

METHODS: Final = ("invoke", "query", "retrieve", "chat", "ask", "answer", "ainvoke", "aquery", "aretrieve", "achat")
"""How an object that is no function is asked, what comes first if it has several."""

INPUTS: Final = ("question", "query", "input", "user_input", "prompt", "messages")
"""Names of the question in a mapping that a chain takes."""

Ask = Callable[[str], object]


def asked(thing: object, spec: str, given: str = "") -> Ask:
    """What puts a question to something.

    Args:
        thing: A function, or an object with one of `METHODS`.
        spec: How it was named, for messages.
        given: Name of the question in the mapping it takes; empty to call it with the text, or with the mapping that
            its own input schema asks for.

    Raises:
        InvalidInput: It cannot be asked.
    """
    ask = (
        thing
        if _is_function(thing)
        else next((m for name in METHODS if callable(m := getattr(thing, name, None))), None)
    )
    if ask is None and callable(thing):
        ask = thing
    if ask is None or not callable(ask):
        raise InvalidInput(
            f"{spec} is {type(thing).__name__}, which cannot be called.",
            f"Name a function, or an object that has one of {', '.join(METHODS[:6])}.",
        )
    call: Ask = ask
    name = given or _input_of(thing if not _is_function(thing) else getattr(thing, "__self__", None))
    if not name:
        return call
    if name == "messages":
        return lambda question: call({"messages": [{"role": "user", "content": question}]})  # type: ignore[arg-type]
    return lambda question: call({name: question})  # type: ignore[arg-type]


def _is_function(thing: object) -> bool:
    return inspect.isroutine(thing) or inspect.isclass(thing)


def _input_of(thing: object) -> str:
    """The name of the question in the mapping a chain takes; empty where it takes a text."""
    schema_of = getattr(thing, "get_input_jsonschema", None)
    if not callable(schema_of):
        return ""
    try:
        schema = schema_of()
    except Exception:  # noqa: BLE001 - whoever cannot tell what it takes is given the text
        return ""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping) or not properties:
        return ""
    required = [str(name) for name in schema.get("required") or properties]
    return next((name for name in INPUTS if name in required), required[0] if len(required) == 1 else "")


def whole(returned: object) -> object:
    """What came of asking, whole: an awaitable awaited, an asynchronous stream read to its end.

    Whatever the code raises comes out.
    """
    if inspect.isawaitable(returned):
        return asyncio.run(_awaited(returned))
    if isinstance(returned, AsyncIterator):
        return asyncio.run(_collected(returned))
    return returned


async def _awaited(returned: object) -> object:
    value = await returned  # type: ignore[misc]
    return await _collected(value) if isinstance(value, AsyncIterator) else value


async def _collected(pieces: AsyncIterator[object]) -> object:
    return iter([piece async for piece in pieces])
