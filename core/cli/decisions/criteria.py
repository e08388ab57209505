"""The commands about acceptance criteria: show, set, lock, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import MISSED, AsJson, emit, tell
from core.cli.projects import ProjectGiven, project_named
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.results.acceptance import AcceptanceCriterion, CriterionResult


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    criteria = typer.Typer(no_args_is_help=True, help="Show, set and lock acceptance criteria; check a run by them.")
    criteria.command("show")(show)
    criteria.command("set")(set_criteria)
    criteria.command("lock")(lock)
    criteria.command("check")(check)
    app.add_typer(criteria, name="criteria")


def show(project: ProjectGiven, as_json: AsJson = False) -> None:
    """Lists the acceptance criteria of a project and how many versions they had."""
    from core.criteria.service import criteria, criteria_changes
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        there, versions = criteria(store, project), len(criteria_changes(store, project))
    _emit(project, there, as_json=as_json, versions=versions)


def set_criteria(
    project: ProjectGiven,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="YAML or JSON: a list with metric and threshold.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; needed where a locked criterion changes.")] = "",
    as_json: AsJson = False,
) -> None:
    """Makes the criteria of a file those of a project; one that is not in the file is removed.

    An entry without an id changes the criterion on the same figure and bound, where there is one.
    """
    from dataclasses import replace

    from core.criteria.files import read_criteria
    from core.criteria.service import criteria, save_criteria
    from core.store.database import Store

    wanted = read_criteria(file)
    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        ids = {(one.metric, one.bound): one.id for one in criteria(store, project)}
        named = [replace(one, id=one.id or ids.get((one.metric, one.bound), "")) for one in wanted]
        saved = save_criteria(store, project, named, actor=settings().actor, reason=reason)
    _emit(project, saved, as_json=as_json)


def lock(project: ProjectGiven, as_json: AsJson = False) -> None:
    """Locks the criteria of a project: from now on a change needs a reason, and a result says what came first."""
    from core.criteria.service import lock_criteria
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        locked = lock_criteria(store, project, actor=settings().actor)
    _emit(project, locked, as_json=as_json)


def check(
    run: Annotated[str, typer.Option(metavar="RUN", help="Id of a run, or its --out folder.")],
    file: Annotated[
        Path | None, typer.Option("--criteria", metavar="FILE", help="Criteria of a file instead of the project's.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judges a run by the criteria; exits with 1 where one is not met or cannot be told."""
    from core.cli import workspace
    from core.criteria.files import read_criteria
    from core.criteria.judging import criterion_results
    from core.domain.errors import InvalidInput
    from core.domain.results.acceptance import CriterionVerdict

    given = None if file is None else read_criteria(file)
    with workspace.opened(run) as (store, stored):
        results = criterion_results(store, stored.id, criteria=given, seconds=None)
    if not results:
        raise InvalidInput(
            "The project has no acceptance criteria.", "Set them with: criteria set PROJECT FILE, or give --criteria."
        )
    document = {
        "run": stored.id,
        "met": sum(one.verdict is CriterionVerdict.MET for one in results),
        "of": len(results),
        "criteria": [result_as_json(one, given is None) for one in results],
    }
    emit(document, as_json=as_json, lines=[_line(one) for one in results])
    missed = [one for one in results if one.verdict is not CriterionVerdict.MET]
    if missed:
        tell(f"{len(missed)} of {len(results)} criteria not met or not told.")
        raise typer.Exit(MISSED)


def result_as_json(one: CriterionResult, stored: bool) -> dict[str, object]:
    """One verdict as plain JSON; `stored` criteria say when they were set."""
    from core.criteria.files import criteria_as_json

    (said,) = criteria_as_json([one.criterion])
    when = {"set_after_run": one.set_after_run, "locked_before_run": one.locked_before_run}
    return {
        **(said if stored else {name: said[name] for name in ("metric", "bound", "direction", "threshold", "note")}),
        "verdict": one.verdict.value,
        "compared": one.compared,
        "estimate": one.estimate.as_json(),
        "of": one.of,
        "reason": one.reason,
        **(when if stored else {}),
    }


def _line(one: CriterionResult) -> str:
    from core.criteria.service import in_words

    value = "-" if one.estimate.value is None else f"{one.estimate.value:.3f}"
    ends = "" if one.estimate.low is None else f" [{one.estimate.low:.3f}, {one.estimate.high:.3f}]"
    n = f" (n = {one.estimate.n:,} of {one.of:,})" if one.of else ""
    late = "; set after this run was started" if one.set_after_run else ""
    return f"{one.verdict.value}: {in_words(one.criterion)}; is {value}{ends}{n}{late}. {one.reason}".strip()


def _emit(
    project: str, criteria: tuple[AcceptanceCriterion, ...], *, as_json: bool, versions: int | None = None
) -> None:
    from core.criteria.files import criteria_as_json
    from core.criteria.service import in_words

    document: dict[str, object] = {"project": project, "criteria": criteria_as_json(criteria)}
    if versions is not None:
        document["versions"] = versions
    lines = [f"{in_words(one)} ({'locked ' + one.locked_at if one.locked else 'not locked'})" for one in criteria]
    emit(document, as_json=as_json, lines=lines or ["No criterion is set."])
