"""The language models of a run: opened for its target and its judge, within its budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from core.domain.errors import InvalidInput
from core.domain.results.runs import Run
from core.judging import Judge, open_judge
from core.judging.match.settings import MatchSettings
from core.llm import Budget, ChatModel, Prompts, SharedLedger, load_prompt, open_chat
from core.llm.variants import asked_variant
from core.store.database import Store

JUDGE_AT_ONCE = "judge_concurrency"
"""The option of a run that says how many calls of its judge may be in flight; `concurrency` does so for its target."""


class Chat(Protocol):
    """Opens a model by its spec ``MODEL@BASE_URL``."""

    def __call__(self, spec: str, *, at_once: int | None = None, purpose: str = "") -> ChatModel:
        """The model, with no more of its calls in flight than that, all of them for the purpose where one is given."""


def limited(chat: Chat, options: Mapping[str, object], name: str) -> Callable[[str], ChatModel]:
    """What opens models with no more of their calls in flight than an option of the run says, where it says so.

    Raises:
        InvalidInput: The option is no number.
    """
    at_once = int(_figure(options, name) or 0)
    return partial(chat, at_once=at_once) if at_once else chat


def chat_of(store: Store, run: Run, shared: SharedLedger | None = None) -> Chat:
    """What opens the models of a run; all of them share its budget.

    Args:
        store: Where the run is.
        run: The run.
        shared: A ledger that is looked into besides the store's own.

    Raises:
        InvalidInput: The budget is no figure from 0, or there are no prompts of the kind asked for.
    """
    money, calls = _figure(run.options, "budget"), _figure(run.options, "budget_calls")
    budget = None
    if money is not None or calls is not None:
        budget = Budget(store, run.id, money=money, calls=None if calls is None else int(calls))
    prompts = asked_variant(run.options.get("prompts"))
    return partial(open_chat, store, run.project_id, run_id=run.id, budget=budget, shared=shared, prompts=prompts)


def prompts_of(store: Store, project_id: str) -> Prompts:
    """What finds the prompts a project uses."""
    return partial(load_prompt, store=store, project_id=project_id)


def run_judge(store: Store, run: Run, chat: Chat | None = None) -> Judge:
    """Opens the judge of a run.

    Args:
        store: Where the run is.
        run: The run, with ``judge_repeats``, ``judge_match_first``, ``judge_tolerance``, ``judge_coarse_dates`` and
            ``judge_concurrency`` among its options.
        chat: What opens its models; by default within a budget of its own.

    Raises:
        InvalidInput: The judge cannot be opened as asked.
        UnreadableFile: The file of a recording cannot be read.
    """
    return open_judge(
        run.judge,
        chat=limited(chat or chat_of(store, run), run.options, JUDGE_AT_ONCE),
        prompts=prompts_of(store, run.project_id),
        repeats=int(_figure(run.options, "judge_repeats") or 1),
        match_first=bool(run.options.get("judge_match_first", False)),
        match_settings=MatchSettings.of(run.options),
    )


def _figure(options: Mapping[str, object], name: str) -> float | None:
    value = options.get(name)
    if value is None:
        return None
    try:
        return float(str(value))
    except ValueError as error:
        raise InvalidInput(f"The option {name} is {value!r}.", "Give a number.") from error
