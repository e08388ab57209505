"""Commands about the audit trail: check rows and entries against it, keep its head outside."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import MISSED, AsJson, emit, progress_line
from core.settings import settings

if TYPE_CHECKING:
    from core.audit.verification import Verification

LISTED = 50
"""Lines that a person gets; --json has them all."""


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    audit = typer.Typer(no_args_is_help=True, help="Check what was written, and keep the head of the trail outside.")
    audit.command("verify")(verify)
    audit.command("anchor")(anchor)
    audit.command("rekey")(rekey)
    app.add_typer(audit, name="audit")


def verify(
    anchors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Heads that were kept outside, as audit anchor wrote them.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Checks every row and every entry against what was written; exits with 1 where something is not as it was."""
    from core.audit import anchors as kept
    from core.audit.verification import verify as check
    from core.store.database import Store

    given = [] if anchors is None else kept.read(anchors)
    with Store.open(settings().database_url) as store:
        result = check(store, anchors=given, progress=progress_line())
    emit(result.as_json(), as_json=as_json, lines=_lines(result))
    if not result.ok:
        raise typer.Exit(MISSED)


def anchor(
    to: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLACE]...",
            help="A file, https://host/path or smtp://host/mailbox; by default PLUMBLINE_AUDIT_ANCHORS.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sends the head of the trail to places outside; exits with 1 where one of them does not have it."""
    from core.audit.sending import anchor as send
    from core.store.database import Store

    config = settings()
    with Store.open(config.database_url) as store:
        outcome = send(store, to or config.audit_anchors, actor=config.actor, reason="command")
    document = {
        "seq": outcome.anchor.seq,
        "hash": outcome.anchor.hash,
        "sent": list(outcome.sent),
        "failed": outcome.failed,
    }
    lines = [f"Head {outcome.anchor.seq} {outcome.anchor.hash}"]
    lines += [f"  sent to {name}" for name in outcome.sent]
    lines += [f"  not sent to {name}: {why}" for name, why in outcome.failed.items()]
    emit(document, as_json=as_json, lines=lines)
    if outcome.failed:
        raise typer.Exit(MISSED)


def rekey(as_json: AsJson = False) -> None:
    """Goes on under the key of PLUMBLINE_AUDIT_KEY; the key so far stands in PLUMBLINE_AUDIT_EARLIER_KEYS."""
    from core.audit.rekeying import rekey as change
    from core.store.database import Store

    config = settings()
    with Store.open(config.database_url) as store:
        old, new = change(store, actor=config.actor)
    line = f"The audit trail is sealed with the key {new} from here on; until here with {old or 'none'}."
    emit({"from": old, "to": new}, as_json=as_json, lines=[line])


def _lines(result: Verification) -> list[str]:
    head = f"head {result.head[0]} {result.head[1]}"
    lines = [f"{result.rows:,} rows and {result.entries:,} entries checked; {head}"]
    if result.covered_from[0] > 1:
        lines.append(f"Rows are covered since entry {result.covered_from[0]} of {result.covered_from[1][:19]} UTC.")
    if result.unchecked:
        lines.append(
            f"{result.unchecked:,} entries are sealed with a key that was not given: set PLUMBLINE_AUDIT_KEY "
            "and PLUMBLINE_AUDIT_EARLIER_KEYS."
        )
    if result.ok:
        return [*lines, "Everything is as it was written."]
    lines += [problem.text for problem in result.broken[:LISTED]]
    if len(result.broken) > LISTED:
        lines.append(f"... and {len(result.broken) - LISTED:,} more; --json lists them.")
    return [*lines, *(f"{name} {number:,}" for name, number in result.counts.items())]
