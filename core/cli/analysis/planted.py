"""The command that proves the diagnosis: faults planted in copies of a working set-up, run and diagnosed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.databases.behind import Behind, say_without
from core.cli.documents.matching import WAYS, Rules, match_documents
from core.cli.models.endpoints import Access, with_endpoint
from core.cli.output import AsJson, FailUnder, PromptKind, Seed, check_figures, emit, progress_line, shown, tell
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.faults.kinds import Fault
    from core.faults.result import TrialResult

KINDS = (
    "page_deleted, value_changed, value_moved, reader, retrieval; mixed (all in one copy); and two in one fact: "
    "page_deleted+reader, value_changed+reader, value_changed+retrieval, value_moved+retrieval, value_moved+reader, "
    "retrieval+reader"
)

WIDTH = 32
"""Of the names at the beginning of a line."""


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("planted")(planted)


@with_endpoint
def planted(
    access: Access,
    testset: Annotated[Path, typer.Option(metavar="F", help="Test cases from SQL templates, JSONL or JSON.")],
    corpus: Annotated[Path, typer.Option(metavar="DIR", help="Documents of the working set-up.")],
    target: Annotated[str, typer.Option(metavar="SPEC", help="As for evaluate: bm25, openai:MODEL@BASE_URL, ...")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for answers, figures and changed pages.")],
    kinds: Annotated[
        str, typer.Option(metavar="A,B", help=f"Of {KINDS}. Default: each kind, mixed, three pairs.")
    ] = "",
    share: Annotated[float, typer.Option(help="Share of the sound facts that get a fault of each kind.")] = 0.1,
    judge: Annotated[str, typer.Option(metavar="SPEC", help="match, llm:MODEL@BASE_URL or recorded:FILE")] = "match",
    budget_calls: Annotated[int | None, typer.Option(min=0, help="Largest number of model calls.")] = None,
    prompts: PromptKind = "auto",
    match: Annotated[
        str, typer.Option(metavar="WAY", help=f"How gold ids name documents whose ids differ: {WAYS}.")
    ] = "",
    rule: Rules = None,
    db: Behind = "",
    k: Annotated[int | None, typer.Option(min=1, help="Documents a built-in target retrieves.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Plants faults in copies of a working set-up and shows what the diagnosis calls them.

    Where it was stopped or killed, the same command goes on with the answers it has; kinds, share and seed may differ.
    """
    from core.cli import workspace
    from core.cli.models.run_models import with_models
    from core.faults.exporting import FIGURES, write_trial
    from core.faults.kinds import kinds_named
    from core.faults.service import TrialPlan, keep_result, searches_documents, set_up, try_setup, usual
    from core.faults.trial import check
    from core.llm import Limits
    from core.llm.variants import asked_variant
    from core.testset.gold_fit import gold_fit

    if not testset.is_file():
        raise InvalidInput(f"There is no test set {testset}.", "Create one with instantiate.")
    given = {"k": k, "prompts": asked_variant(prompts)}
    options: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    searches = searches_documents(target, options)
    named = kinds_named(name.strip() for name in kinds.split(",") if name.strip())
    chosen = named if kinds.strip() else usual(target, options)
    check(chosen, share, searches_documents=searches)
    check_figures(fail_under, _figures(chosen))
    if not kinds.strip() and not searches:
        tell(f"The target has documents of its own: only {', '.join(chosen)} can be planted.")
    with workspace.made(out, cases_file=testset, corpus=corpus, done=FIGURES, database=db) as (store, test_set):
        target, judge = with_models(store, test_set.project_id, access, (target, judge), options)
        plan = TrialPlan(
            test_set_id=test_set.id,
            target=workspace.absolute(target),
            judge=workspace.absolute(judge),
            options=options,
            kinds=chosen,
            share=share,
            seed=seed,
            limits=Limits(calls=budget_calls),
        )
        if match or rule:
            match_documents(store, test_set.project_id, match, rule)
        elif (fit := gold_fit(store, test_set.id)) and fit.poor:
            tell(f"Warning: {fit.sentence} Where ids differ, add --match pattern, front_matter or content.")
        setup = set_up(store, plan, actor=settings().actor)
        say_without(setup.cases, db)
        trial, result = try_setup(store, setup, progress=progress_line())
        write_trial(out, trial, result)
        keep_result(store, setup, out.name, result, actor=settings().actor)
    emit(result.as_json(), as_json=as_json, lines=_lines(result), fail_under=fail_under)


def _figures(kinds: tuple[Fault, ...]) -> list[str]:
    """What a threshold can name."""
    from core.faults.kinds import BLAMED, Combination, FaultKind

    rates = [f"{rate}.{cause}" for rate in ("precision", "recall") for cause in BLAMED]
    counts = [f"{count}.{kind}" for count in ("planted", "still_right", "not_judged") for kind in kinds]
    mixed = [f"mixed_named.{kind}" for kind in FaultKind if Combination.MIXED in kinds]
    named = ["named", *(f"named_by_kind.{kind}" for kind in kinds), *mixed, "undecided", "false_knowledge_gaps"]
    return [*named, *rates, *counts, "cases", "facts", "sound", "wordings", "unused_wordings", "seconds"]


def _lines(result: TrialResult) -> list[str]:
    from core.faults.kinds import TITLES, Combination, FaultKind, fault_named

    figures, counts = result.confusion, result.counts
    lines = [
        f"{counts['cases']:,} cases of {counts['facts']:,} facts; {counts['sound']:,} facts can take a fault, "
        f"in the {counts['wordings']:,} of their {counts['wordings'] + counts['unused_wordings']:,} wordings that were "
        "answered rightly",
        f"named rightly {shown(figures.named)}",
        f"undecided {shown(figures.undecided)}",
        f"false knowledge gaps {shown(figures.false_gaps)}",
    ]
    for kind, row in figures.planted.items():
        called = ", ".join(f"{cause} {count:,}" for cause, count in row.items() if count) or "no wrong answer"
        lines.append(
            f"{TITLES[fault_named(kind)]:<{WIDTH}} planted in {counts['planted'][kind]:,} facts, still right "
            f"{counts['still_right'][kind]:,}: {called}; named rightly {shown(figures.named_by_kind[kind])}"
        )
        if kind == Combination.MIXED:
            lines += [
                f"  {TITLES[FaultKind(one)].lower()}: named rightly {shown(share)}"
                for one, share in figures.mixed_named.items()
            ]
        lines += [f"  passed over {count:,}: {reason}" for reason, count in _reasons(result, kind).items()]
    for cause in figures.precision:
        lines.append(
            f"{cause:<{WIDTH}} precision {shown(figures.precision[cause])}, recall {shown(figures.recall[cause])}"
        )
    return lines


def _reasons(result: TrialResult, kind: str) -> Mapping[str, int]:
    reasons = result.counts["skipped"].get(kind, {})
    return reasons if isinstance(reasons, Mapping) else {}
