"""Judging models of a command: which of its judges name one, and the models opened for answers from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.models.endpoints import Access, located
from core.cli.models.ledgers import LEDGER_FILE
from core.cli.models.run_models import UNSAID
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.llm import ChatModel, Prompts
    from core.store.database import Store

MATCH, GROUSE = "match", "grouse"
SCORING = (MATCH, "llm:MODEL@BASE_URL", "grouse:MODEL@BASE_URL")
"""Judges that a file can be scored with."""

Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        metavar="SPEC",
        help="match, llm:MODEL@BASE_URL, grouse:MODEL@BASE_URL or recorded:FILE; several, repeated or with commas, "
        "judge together.",
    ),
]
EnsembleName = Annotated[
    str, typer.Option("--ensemble", metavar="NAME", help="How several judges become one: mean or majority.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """What the judges of a run are for.

    Attributes:
        verdict: The judge that gives the verdict.
        metrics: The judges whose models score metrics, with commas between; empty where that is the verdict's.
        grouse: Whether one of them was asked for as GroUSE's judge.
    """

    verdict: str
    metrics: str
    grouse: bool


def named(judges: Sequence[str] | None) -> tuple[str, ...]:
    """The judges of the options, each once; match where none is named."""
    from core.judging.registry import split_judges

    specs = dict.fromkeys(spec for text in judges or () for spec in split_judges(text))
    return tuple(specs) or (MATCH,)


def plan_of(judges: Sequence[str] | None) -> JudgePlan:
    """Which judge gives the verdict of a run, and which models score its metrics.

    The first judge gives the verdict. GroUSE has none, so beside it the rules do.
    """
    specs = named(judges)
    models = [spec for spec in specs if spec.partition(":")[0] in ("llm", GROUSE)]
    verdict = next((spec for spec in specs if spec.partition(":")[0] != GROUSE), MATCH)
    return JudgePlan(
        verdict=verdict,
        metrics="" if models == [verdict] else ",".join(models),
        grouse=any(spec.startswith(f"{GROUSE}:") for spec in specs),
    )


def grouse_metrics() -> list[str]:
    """The six metrics of GroUSE by name."""
    from core.judging.grouse import SIX

    return [f"grouse_{metric.value}" for metric in SIX]


def warnings(judges: str, target: str = "") -> tuple[str, ...]:
    """Where a judge is of one family with the target or another judge."""
    from core.judging.models.families import family_warnings
    from core.judging.registry import split_judges

    return family_warnings(split_judges(judges), {"target": target} if target else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenJudges:
    """The judging models of a command.

    Attributes:
        specs: The judges with whole addresses, commas between; empty where none of them is a model.
        chat: Opens one.
        prompts: Finds their prompts: a named endpoint's project has its own.
        used: Replies so far, and how many of them came from the ledger.
    """

    specs: str
    chat: Callable[[str], ChatModel] | None
    prompts: Prompts
    used: Callable[[], tuple[int, int]]


@contextmanager
def opened(judges: Sequence[str] | None, access: Access, *, ledger: Path | None, prompts: str) -> Iterator[OpenJudges]:
    """Opens the judging models that score a file; their replies are kept in the default store, or in `ledger`.

    Raises:
        InvalidInput: A judge is of another kind, has no address, or its endpoint cannot be used.
    """
    from core.domain.identity import new_id
    from core.llm import load_prompt, open_chat
    from core.llm.variants import asked_variant
    from core.store.database import Store
    from core.store.models import calls

    specs = named(judges)
    for spec in specs:
        kind, _, argument = spec.partition(":")
        if (kind not in ("llm", GROUSE) and spec != MATCH) or (kind != MATCH and not argument):
            raise InvalidInput(f"--judge cannot be {spec!r}.", f"Use one of: {', '.join(SCORING)}.")
    models = [spec.partition(":")[2] for spec in specs if spec != MATCH]
    if not models:
        if access != UNSAID:
            raise InvalidInput("An endpoint is given, but no judge is a model.", "Leave it out, or name a judge.")
        yield OpenJudges(specs="", chat=None, prompts=load_prompt, used=lambda: (0, 0))
        return
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(settings().database_url))
        endpoints = access.named(store)
        placed = dict(located(access, endpoints, model) for model in models)
        project = endpoints[0].project_id if endpoints else ""
        kept = _kept(stack, store, ledger)
        job = new_id("score")

        def chat(spec: str) -> ChatModel:
            return open_chat(
                kept,
                project if kept is store else "",
                spec,
                job_id=job,
                endpoint=placed.get(spec),
                prompts=asked_variant(prompts),
            )

        def used() -> tuple[int, int]:
            with kept.read() as connection:
                return calls.used(connection, job_id=job)

        yield OpenJudges(
            specs=",".join(f"llm:{spec}" for spec in placed),
            chat=chat,
            prompts=partial(load_prompt, store=store, project_id=project),
            used=used,
        )


def _kept(stack: ExitStack, store: Store, ledger: Path | None) -> Store:
    """The store whose ledger is written: the default one, or that of a file."""
    from core.store.database import Store

    if ledger is None:
        return store
    path = ledger / LEDGER_FILE if ledger.is_dir() else ledger
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"There is no folder {path.parent} for the ledger.", "Create it, or give another --ledger.")
    return stack.enter_context(Store.open(f"sqlite:///{path.resolve()}"))
