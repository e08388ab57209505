"""What reproduces the figures, and who did what."""

from __future__ import annotations

from pathlib import PurePath

from core.installation import typed
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import facts, note
from core.report.content import Block, Cell, Heading, Table
from core.text.display.numbers import count, duration, when


def reproduction(g: Gathered) -> tuple[Block, ...]:
    """Hashes, seeds, versions, prompts, cost, acts, the head of the trail."""
    records = g.records
    sent, cost, unpriced = records.cost
    replies, cached = records.replies
    spent = "no call of a model" if not replies else f"{count(replies, 'reply', 'replies')}, {cached:,} from the ledger"
    priced = f"{cost:.4f} for {sent - unpriced:,} of {sent:,} calls sent" if sent > unpriced else ""
    blocks: list[Block] = [
        facts(
            ("Command", typed(f"report --run {g.run.id} --out report.html")),
            ("Run", g.run.id),
            ("Target", g.masker.spec(g.run.target)),
            ("Settings of the target", _settings(g)),
            ("Judge", g.masker.spec(g.run.judge)),
            ("Seed", str(g.run.seed)),
            ("Test set", f"{g.test_set.id}, version {g.test_set.version}"),
            ("SHA-256 of the test set", g.test_set.content_hash or "not frozen"),
            ("Fingerprint of the database", g.database.fingerprint if g.database else ""),
            ("Fingerprint of the documents", g.corpus.fingerprint if g.corpus else ""),
            ("Calibration", g.calibration.stored.id if g.calibration else ""),
            ("Begun", when(g.run.created_at)),
            ("Finished", when(g.run.finished_at)),
            ("Took", duration(records.seconds)),
            ("Models", spent),
            ("Cost", priced or ("not known: no price is set" if sent else "none")),
            ("Audit trail, newest entry", f"{records.head[0]:,}, {when(records.head[1])}"),
            ("Its hash", records.head[2]),
            ("Store checked", _checked(g)),
        ),
        Heading(text="Versions"),
        Table(
            id="versions",
            title="What computed the figures",
            columns=("Program", "Version"),
            rows=tuple(records.versions.items()),
        ),
    ]
    if records.prompts:
        blocks.append(
            Table(
                id="prompts",
                title="Prompts of the run's calls",
                columns=("Prompt", "Version", "SHA-256", "Model", "Calls"),
                rows=tuple(
                    (
                        one.id or "(the target's own)",
                        one.version or "-",
                        one.hash[:16] or "-",
                        g.masker.name(one.model),
                        one.calls,
                    )
                    for one in records.prompts
                ),
            )
        )
    else:
        blocks.append(note("No prompt was sent to a model by this run."))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (g.masker.name(actor), action.replace("_", " ").replace(".", ": "), n) for actor, action, n in records.acts
    )
    blocks += [
        Heading(text="Who did what"),
        Table(
            id="acts",
            title="Entries of the audit trail for this project",
            columns=("Who", "What", "Entries"),
            rows=rows,
            note="People are named as they signed in.",
        ),
    ]
    return tuple(blocks)


def _settings(g: Gathered) -> str:
    """The file that a target's settings were read from, by its name, which says what was set; "" without one."""
    kind, _, file = g.run.target.partition(":")
    return g.masker.name(PurePath(file).name) if kind == "http" else ""


def _checked(g: Gathered) -> str:
    checked = g.records.checked
    if checked is None:
        return "nobody has checked the store against its trail (Audit trail page)"
    held = "everything as it was written" if checked.ok else f"{count(checked.faults, 'thing')} not as written"
    return f"{when(checked.checked_at)} by {g.masker.name(checked.checked_by)}: {held}"
