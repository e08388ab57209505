"""JSONPaths (RFC 9535) into the replies of HTTP targets."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from jsonpath import JSONPathEnvironment


class JsonPath:
    """A path that can be used.

    Args:
        text: As it is written.

    Attributes:
        single: Whether it can name one value at most, so that no match means that the value is missing.

    Raises:
        InvalidInput: It is no JSONPath.
    """

    def __init__(self, text: str) -> None:
        from jsonpath import CompoundJSONPath, JSONPathError

        self.text = text
        if not text.startswith("$"):
            raise InvalidInput(f"{text[:80]!r} is not a JSONPath (it does not begin with $).", _HINT)
        try:
            compiled = _environment().compile(text)
        except (JSONPathError, RecursionError) as error:
            why = str(error.args[0]) if error.args else type(error).__name__
            raise InvalidInput(f"{text[:80]!r} is not a JSONPath ({why}).", _HINT) from None
        if isinstance(compiled, CompoundJSONPath):
            raise InvalidInput(f"{text[:80]!r} is several JSONPaths.", _HINT)
        self._compiled = compiled
        self.single = compiled.singular_query()

    def find(self, body: object) -> list[object]:
        """The values it names, in the order of the document.

        Raises:
            InvalidInput: The document is nested too deeply to be searched.
        """
        from jsonpath import JSONPathError

        if not isinstance(body, (dict, list)):  # the library takes a text for JSON that is still to be read
            return [body] if self.text == "$" else []
        try:
            return list(self._compiled.findall(body))
        except (JSONPathError, RecursionError) as error:
            raise InvalidInput(
                f"{self.text} cannot be searched for ({error.args[0] if error.args else error})."
            ) from None


_HINT = "Write one such as $.answer or $.sources[*].id."


@lru_cache(maxsize=256)
def _compiled(text: str) -> JsonPath:
    return JsonPath(text)


def compile_path(text: str) -> JsonPath:
    """A path, read once.

    Raises:
        ValueError: It is no JSONPath.
    """
    try:
        return _compiled(text.strip())
    except InvalidInput as error:
        raise ValueError(error.message.rstrip(".")) from None


@cache
def _environment() -> JSONPathEnvironment:
    from jsonpath import JSONPathEnvironment

    environment = JSONPathEnvironment(strict=True)
    for name in ("match", "search"):  # a regular expression could hold up every thread of the server
        environment.function_extensions.pop(name, None)
    return environment
