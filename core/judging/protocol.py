"""What every judge can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.domain.results.responses import Judgement, Response
from core.domain.testset.cases import TestCase
from core.judging.match.settings import DEFAULT, MatchSettings

if TYPE_CHECKING:
    from core.llm import ChatModel, Prompts


class Judge(Protocol):
    """Decides whether a response answers its case.

    Attributes:
        name: The spec it was opened with.
        concurrency: How many answers it may judge at once; 1 where there is nothing to wait for.
    """

    name: str
    concurrency: int

    def judge(self, case: TestCase, response: Response) -> Judgement:
        """The verdict with the rule that decided; ``not_judged`` with its reason where there can be none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """What a judge is opened with.

    Attributes:
        argument: What follows the colon in its spec, or empty.
        chat: Opens the model of a ``MODEL@BASE_URL``; None where no model may be asked.
        prompts: Finds a prompt by its id; None for those that come with this version.
        repeats: How often a model is asked about each answer; the majority decides.
        match_first: Whether rules decide where they are decisive, and a model is asked about the rest only.
        match_settings: What the rules accept: the tolerance for figures, coarser dates.
    """

    argument: str = ""
    chat: Callable[[str], ChatModel] | None = None
    prompts: Prompts | None = None
    repeats: int = 1
    match_first: bool = False
    match_settings: MatchSettings = DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """What a kind of judge is, for screens and the command line.

    Attributes:
        name: The spec up to the first colon ("match", "recorded", "llm").
        title: For people.
        question: What its verdict answers, in plain words.
        needs: What it cannot judge without: "answer", "reference", "file", "model".
        argument: What follows the colon in the spec ("FILE"), or empty.
    """

    name: str
    title: str
    question: str
    needs: tuple[str, ...]
    argument: str = ""

    @property
    def usage(self) -> str:
        """The spec as a person writes it."""
        return f"{self.name}:{self.argument}" if self.argument else self.name
