"""What a model thought, kept apart from what it answered."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.domain.model_profiles import Thoughts

_OPEN = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CHANNEL = re.compile(
    r"(?:<\|start\|>\s*assistant\s*)?<\|channel\|>\s*(analysis|commentary|final)(?:(?!<\|message\|>).)*<\|message\|>"
    r"(.*?)(?=<\|end\|>|<\|return\|>|<\|call\|>|<\|start\|>|<\|channel\|>|\Z)",
    re.DOTALL,
)
_FLAT_CHANNEL = re.compile(r"\A\s*analysis(?=\S)(.*?)assistant\s*final(?=\S)(.*)\Z", re.DOTALL)
"""What is left of harmony where a server drops its marks: both words stand at the text without a blank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """A text in its two parts.

    Attributes:
        answer: What the model says.
        reasoning: What it thought before.
        style: How that was marked.
    """

    answer: str
    reasoning: str = ""
    style: Thoughts = Thoughts.NONE


def part(text: str) -> Parted:
    """Parts the thoughts of a reply from its answer.

    Thoughts that were begun and not ended leave no answer: nobody can say where one would begin.

    >>> part("<think>2 + 2</think>Four.").answer, part("2 + 2</think>Four.").answer
    ('Four.', 'Four.')
    """
    if "<|channel|>" in text:
        return _of_channels(text)
    if opening := _OPEN.match(text):
        thoughts, _, answer = _split(text[opening.end() :])
        return Parted(answer=answer.lstrip(), reasoning=thoughts.strip(), style=Thoughts.TAGS)
    if _CLOSE.search(text):
        thoughts, _, answer = _split(text)
        return Parted(answer=answer.lstrip(), reasoning=thoughts.strip(), style=Thoughts.BARE)
    if flat := _FLAT_CHANNEL.match(text):
        return Parted(answer=flat[2].strip(), reasoning=flat[1].strip(), style=Thoughts.HARMONY)
    return Parted(answer=text)


def _split(text: str) -> tuple[str, str, str]:
    closing = _CLOSE.search(text)
    return (text, "", "") if closing is None else (text[: closing.start()], closing[0], text[closing.end() :])


def _of_channels(text: str) -> Parted:
    channels = [(match[1], match[2].strip()) for match in _CHANNEL.finditer(text)]
    if not channels:
        return Parted(answer=text)
    answers = [said for name, said in channels if name == "final"]
    others = [said for name, said in channels if name != "final" and said]
    return Parted(answer=answers[-1] if answers else "", reasoning="\n\n".join(others), style=Thoughts.HARMONY)
