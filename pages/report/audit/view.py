"""What was found, what to do about it, and the entries of the project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import streamlit as st

from core.audit import job
from core.audit.job import Checked
from core.audit.sending import last_anchored
from core.audit.words import name_of
from core.domain.jobs import Job
from core.domain.sources.projects import Role
from core.jobs import list_jobs
from core.store.trail import audit
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.work import jobs

REMEDY: Final = (
    "**What to do:** do not rely on what is named below. Ask whoever may open the database who changed it and why; "
    "compare with a backup from before, or with an anchor kept outside (`audit verify --anchors`). A right change is "
    "made again in Plumbline, where it leaves an entry."
)
MEANING: Final = (
    "Each write leaves a digest of every row it wrote in an entry that seals all entries before it. The check reads "
    "every row and every entry again and compares them."
)
_KINDS: Final = {
    "changed": "changed",
    "deleted": "deleted",
    "added": "added",
    "unreadable": "cannot be read",
    "missing": "missing",
    "unlinked": "does not follow",
    "unkeyed": "without the key",
    "digests": "digests changed",
    "cut": "end cut",
    "head": "head wrong",
    "rewritten": "rewritten",
}


def checked(page: Page) -> Checked | None:
    """What the newest check found."""
    return job.latest(page.store)


def context(page: Page, found: Checked | None) -> None:
    """The line under the title."""
    if found is None:
        page.context("not checked yet")
        return
    page.context(
        f"checked {numbers.when(found.checked_at)} by {errors.plain(found.checked_by)}",
        numbers.count(found.rows, "row"),
        numbers.count(found.entries, "entry", "entries"),
    )


def verdict(page: Page, found: Checked | None) -> None:
    """What was found, in one box; and what is wrong, row by row."""
    if found is None:
        st.info(f"Nobody has checked this store yet. {MEANING}", icon=":material/fact_check:")
        return
    if found.ok:
        st.success(
            f"**Everything is as it was written:** {numbers.count(found.rows, 'row')} and "
            f"{numbers.count(found.entries, 'entry', 'entries')} hold.",
            icon=":material/verified:",
        )
        _covered_since(found)
        return
    own = [problem for problem in found.problems if problem.get("project_id") in ("", page.project.id)]
    elsewhere = len(found.problems) - len(own)
    if found.faults:
        said = "thing is" if found.faults == 1 else "things are"
        st.error(
            f"**{found.faults:,} {said} not as written.** Somebody changed the database past Plumbline.\n\n{REMEDY}",
            icon=":material/gpp_bad:",
        )
    if found.unchecked:
        st.warning(
            f"{numbers.count(found.unchecked, 'entry', 'entries')} could not be checked: they are sealed with a key "
            "that this server does not have. The operator sets PLUMBLINE_AUDIT_KEY, and those of before in "
            "PLUMBLINE_AUDIT_EARLIER_KEYS.",
            icon=":material/key_off:",
        )
    if own:
        tables.plain(_frame(own), key="audit_problems", columns=_columns())
    if elsewhere:
        st.caption(f"{numbers.count(elsewhere, 'other finding')} of this check belong to other projects.")
    if found.faults > len(found.problems):
        st.caption(
            f"The first {len(found.problems):,} of {found.faults:,} are listed; `audit verify --json` gives more."
        )
    _covered_since(found)


def check(page: Page, *, primary: bool) -> None:
    """The button that starts a check, or the worker that is at it."""
    running = next((item for item in _checks(page) if item.state.active), None)
    shown = running or jobs.in_view(page, job.KIND)
    if shown is not None and (shown.state.active or shown.state.resumable):
        jobs.panel(page, shown.id, key="audit_job")
    if running is None and page.may(Role.VALIDATOR):
        kind = "primary" if primary else "secondary"
        if st.button("Check rows and trail", key="audit_check", type=kind, help=MEANING):  # type: ignore[arg-type]
            with errors.shown():
                state.update(job=job.start_check(page.store, page.project.id, actor=page.actor).id)
                st.rerun()


def _checks(page: Page) -> list[Job]:
    """The checks of this project, newest first."""
    return [item for item in list_jobs(page.store, page.project.id) if item.kind == job.KIND]


def anchored(page: Page) -> None:
    """Where the head of the trail was kept last."""
    entry = last_anchored(page.store)
    if entry is None:
        st.caption(
            "The head of the trail is kept nowhere else: whoever may rewrite the whole database can rewrite the trail "
            "with it. The operator names places outside in PLUMBLINE_AUDIT_ANCHORS, or runs `audit anchor`."
        )
    else:
        st.caption(f"Head {entry.subject} was anchored outside {numbers.when(entry.at)}.")


def trail(page: Page) -> None:
    """The entries of the project, newest first."""
    with page.store.read() as connection:
        total = audit.count(connection, page.project.id)
    st.subheader("Entries")
    offset = tables.pages(total, thing="entry", things="entries")
    with page.store.read() as connection:
        entries = audit.entries(connection, page.project.id, limit=tables.PAGE, offset=offset)
    rows = [
        {
            "Entry": entry.seq,
            "When": entry.at[:19].replace("T", " "),
            "Who": entry.actor,
            "What": entry.action,
            "Of": entry.subject,
            "Details": "" if entry.detail == "{}" else entry.detail[:200],
        }
        for entry in entries
    ]
    tables.plain(pd.DataFrame(rows), key="audit_entries")


def _covered_since(found: Checked) -> None:
    seq, at = found.covered_from
    if seq > 1:
        st.caption(f"Rows are covered since entry {seq:,} ({numbers.when(at)}); older ones as they stood then.")


def _frame(problems: list[Mapping[str, object]]) -> pd.DataFrame:
    return pd.DataFrame([_row(problem) for problem in problems])


def _row(problem: Mapping[str, object]) -> dict[str, object]:
    table, kind = str(problem.get("table") or ""), str(problem.get("kind"))
    if not table:
        return {"What": f"{problem.get('what')} {_KINDS.get(kind, kind)}".capitalize(), "Which": problem.get("text")}
    was, now = _values(problem.get("expected")), _values(problem.get("found"))
    columns = _names(problem.get("columns"))
    told = [name for name in columns if name in was and name in now]
    key = ", ".join(f"{name.removesuffix('_id')} {value}" for name, value in _values(problem.get("key")).items())
    name = name_of(table)
    return {
        "What": f"{name[:1].upper()}{name[1:]} {_KINDS.get(kind, kind)}",
        "Which": key.removeprefix("id "),
        "Was": "; ".join(f"{name} {was[name]}" for name in told),
        "Is": "; ".join(f"{name} {now[name]}" for name in told) or _somewhere(kind, columns),
        "Last written by": problem.get("written_by") or "nobody",
        "When (UTC)": str(problem.get("written_at") or "")[:19].replace("T", " "),
        "Entry": problem.get("entry") or None,
    }


def _somewhere(kind: str, columns: list[str]) -> str:
    """What is said of a row whose former values are not kept."""
    said = {"deleted": "gone", "added": "there"}
    return f"another {' or '.join(columns)}" if kind == "changed" else said.get(kind, "")


def _values(given: object) -> Mapping[str, object]:
    return given if isinstance(given, Mapping) else {}


def _names(given: object) -> list[str]:
    return [str(name) for name in given] if isinstance(given, (list, tuple)) else []


def _columns() -> dict[str, object]:
    return {name: st.column_config.TextColumn(width="medium") for name in ("What", "Which", "Was", "Is")}
