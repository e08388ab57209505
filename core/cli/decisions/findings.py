"""The command about findings over runs: listed, and retested on a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, emit
from core.settings import settings

if TYPE_CHECKING:
    from core.weakness.findings.over_runs.threads import Thread


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("findings")(findings)


def findings(
    run: Annotated[str, typer.Option(metavar="RUN", help="Id of a run, or its --out folder.")],
    retest: Annotated[bool, typer.Option("--retest", help="Measure the findings of earlier runs on this one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Lists the findings of a run's project over all runs, with what each retest says."""
    from core.cli import workspace
    from core.weakness.findings.exports import findings_as_json, retest_as_json
    from core.weakness.findings.over_runs.retesting import retest_findings
    from core.weakness.findings.over_runs.threads import threads, waits_for_retest

    with workspace.opened(run) as (store, stored):
        if retest:
            retest_findings(store, stored.id, actor=settings().actor)
        found = threads(store, stored.project_id)
        waiting = waits_for_retest(store, stored.id, found)
    rows: list[dict[str, object]] = []
    for thread in found:
        (row,) = findings_as_json([thread.newest], {thread.id: last} if (last := thread.last) else {})
        rows.append(
            {
                **row,
                "seen_in": [one.run_id for one in thread.seen],
                "retests": [retest_as_json(one) for one in thread.retests],
                "seen_again": thread.back,
            }
        )
    document = {"run": stored.id, "waiting_for_retest": waiting, "findings": rows}
    lines = [_line(thread, stored.id) for thread in found] or ["No finding is recorded in this project."]
    if waiting:
        lines.append(f"{waiting:,} not retested on this run; add --retest.")
    emit(document, as_json=as_json, lines=lines)


def _line(thread: Thread, run_id: str) -> str:
    own = next((one for one in thread.retests if one.run_id == run_id), None)
    said = f"; on {run_id}: {own.outcome.value}" if own else ""
    if own and own.change and own.change.value is not None:
        ends = "" if own.change.low is None else f" [{own.change.low:+.3f}, {own.change.high:+.3f}]"
        said += f", change {own.change.value:+.3f}{ends}"
    owner = f", {thread.newest.owner}" if thread.newest.owner else ""
    due = f", due {thread.newest.due}" if thread.newest.due else ""
    return f"{thread.newest.severity.value} {thread.newest.status.value}: {thread.name}{owner}{due}{said}"
