"""Judges by name: each is one decorated file of this package, found by walking it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.domain.registry import Registry, chosen
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.protocol import Judge, JudgeRequest, JudgeSpec

if TYPE_CHECKING:
    from core.llm import ChatModel, Prompts

Factory = Callable[[JudgeRequest], Judge]
"""Opens a judge as asked."""

_JUDGES: Registry[tuple[JudgeSpec, Factory]] = Registry(__package__, "judge")


def register(spec: JudgeSpec) -> Callable[[Factory], Factory]:
    """Registers a factory under its spec's name.

    Raises:
        ValueError: The name is taken.
    """

    def add(factory: Factory) -> Factory:
        _JUDGES.add(spec.name, (spec, factory))
        return factory

    return add


def list_judges() -> tuple[JudgeSpec, ...]:
    """The kinds of judge there are, in name order."""
    return tuple(spec for spec, _ in _JUDGES.all().values())


_NEXT = re.compile(r",\s*(?=(?:match|llm|grouse|recorded)\b)")


def split_judges(specs: str) -> tuple[str, ...]:
    """Several judges in one text, with commas between; a comma within a file's name or an address does not part them.

    >>> split_judges("match, llm:m@http://x/v1,recorded:a,b.csv")
    ('match', 'llm:m@http://x/v1', 'recorded:a,b.csv')
    """
    return tuple(spec.strip() for spec in _NEXT.split(specs) if spec.strip())


def open_judge(
    spec: str,
    *,
    chat: Callable[[str], ChatModel] | None = None,
    prompts: Prompts | None = None,
    repeats: int = 1,
    match_first: bool = False,
    match_settings: MatchSettings = DEFAULT,
) -> Judge:
    """Opens a judge; no model is asked yet.

    Args:
        spec: ``match``, ``recorded:FILE`` or ``llm:MODEL@BASE_URL``.
        chat: Opens the model of a ``MODEL@BASE_URL``, for a judge that asks one.
        prompts: Finds a prompt by its id; those that come with this version where it is left out.
        repeats: How often a model is asked about each answer; the majority decides.
        match_first: Whether rules decide where they are decisive, and a model is asked about the rest only.
        match_settings: What the rules accept: the tolerance for figures, coarser dates.

    Raises:
        InvalidInput: The spec is unknown or incomplete, two recorded verdicts disagree, or the model cannot be used.
        UnreadableFile: The file of a recording cannot be read.
    """
    judges = _JUDGES.all()
    name, argument = chosen(spec, "judge", {name: judge_spec for name, (judge_spec, _) in judges.items()})
    return judges[name][1](
        JudgeRequest(
            argument=argument,
            chat=chat,
            prompts=prompts,
            repeats=repeats,
            match_first=match_first,
            match_settings=match_settings,
        )
    )
