"""Where the reply of an HTTP target keeps what: JSONPaths, or nothing for what is read as it is."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.targets.over_http.json_paths import JsonPath, compile_path


class ReplyPaths(BaseModel):
    """Where the reply keeps what, as JSONPaths; empty for what it does not have.

    Where there is no path of the answer, the reply is read as it is: by the names that are usual
    (:mod:`core.io.replies`). A path of anything else counts all the same.

    In a stream each path is looked for in every event: the pieces of the answer are put together, of anything else the
    last one counts.

    Attributes:
        answer: The answer.
        contexts: The retrieved passages: texts, or objects with a text and an id.
        document_ids: The documents they are from, in the same order.
        document_id: Name of the document's id inside the objects of passages, such as ``policy_no``.
        scores: The retriever's own scores, in the same order.
        latency: How long the system took; without it the time of the request counts.
        latency_unit: What that is given in.
        tokens: Prompt and completion tokens.
        abstained: Whether the system says it could not answer: true or false, or a word.
        abstained_values: The words that mean it, in any letters; ``*`` stands for any text (``NO_*``). Empty for the
            usual ones, such as ``NO_ANSWER``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    answer: str = Field(default="", max_length=500)
    contexts: str = Field(default="", max_length=500)
    document_ids: str = Field(default="", max_length=500)
    document_id: str = Field(default="", max_length=200)
    scores: str = Field(default="", max_length=500)
    latency: str = Field(default="", max_length=500)
    latency_unit: Literal["s", "ms"] = "s"
    tokens: str = Field(default="", max_length=500)
    abstained: str = Field(default="", max_length=500)
    abstained_values: tuple[str, ...] = Field(default=(), max_length=50)

    @field_validator("answer", "contexts", "document_ids", "scores", "latency", "tokens", "abstained")
    @classmethod
    def _is_path(cls, path: str) -> str:
        if path:
            compile_path(path)
        return path

    @field_validator("abstained_values", mode="before")
    @classmethod
    def _several(cls, values: object) -> object:
        values = [values] if isinstance(values, (str, int)) else values
        return [str(value) for value in values] if isinstance(values, (list, tuple)) else values

    def path(self, field: str) -> JsonPath | None:
        """The path of a field, ready to use; None where there is none."""
        text: str = getattr(self, field)
        return compile_path(text) if text else None
