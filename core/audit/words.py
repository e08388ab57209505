"""What is wrong with a store, said to a validator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.store.digests.checking import BrokenRow, Kind
from core.store.digests.covered import BY_TABLE
from core.store.digests.trail import BrokenEntry, EntryFault

LONGEST: Final = 80
"""Characters of a value that are quoted."""

NAMES: Final[Mapping[str, str]] = {
    "sql_templates": "SQL template",
    "text_templates": "text template",
    "cases": "test case",
    "criteria": "criterion",
    "finding_retests": "retest of a finding",
    "project_profiles": "profile of the project",
    "acceptance_criteria": "acceptance criterion",
    "responses": "stored answer",
    "score_columns": "copy of the scores",
    "run_metrics": "options of a metric",
    "fact_evidence": "evidence of a fact",
    "llm_calls": "call of a model",
    "llm_uses": "use of a reply",
    "prompt_versions": "prompt",
    "model_prices": "price of a model",
    "members": "role",
    "topic_chunks": "topic of a chunk",
    "question_batches": "batch of questions",
    "question_drafts": "drafted question",
    "safety_settings": "safety settings",
    "safety_results": "safety result",
    "report_snapshots": "snapshot of a report",
    "report_comments": "commentary on a report",
}
_OWNERS: Final = {
    "run_id": "run",
    "test_set_id": "test set",
    "source_id": "source",
    "round_id": "label round",
    "model_id": "topics",
}
_FAULTS: Final[Mapping[EntryFault, str]] = {
    EntryFault.MISSING: "{entries} missing.",
    EntryFault.CHANGED: "{entries} changed after being written: the seal no longer fits.",
    EntryFault.UNLINKED: "{entries} not what follows the entry before: one of both was rewritten.",
    EntryFault.UNKEYED: "{entries} not sealed with the key of the trail: written or rewritten without it.",
    EntryFault.DIGESTS: "The stored digests of entry {first} were changed, added or deleted.",
    EntryFault.CUT: "The end of the trail was cut: {entries} missing, which the head still names.",
    EntryFault.HEAD: "The head of the trail does not name its newest entry, {first}.",
}


def name_of(table: str) -> str:
    """What one row of a table is.

    >>> name_of("labels"), name_of("sql_templates")
    ('label', 'SQL template')
    """
    return NAMES.get(table) or table.replace("_", " ").removesuffix("s")


def entry(broken: BrokenEntry) -> str:
    """What is wrong with the trail at an entry."""
    several = broken.last > broken.seq
    listed = f"Entries {broken.seq} to {broken.last}" if several else f"Entry {broken.seq}"
    verb = {EntryFault.CHANGED: ("was", "were")}.get(broken.fault, ("is", "are"))[several]
    entries = f"{listed} {verb}"
    if broken.fault is EntryFault.CUT:
        entries = entries.lower()
    return _FAULTS[broken.fault].format(entries=entries, first=broken.seq)


def row(broken: BrokenRow, *, project: str, by: str, at: str, action: str) -> str:
    """What is wrong with a row, and who wrote it last."""
    covered = BY_TABLE[broken.table]
    key = ", ".join(f"{_plain(name)} {value}" for name, value in broken.key.items() if name not in ("id", "seq"))
    named = str(broken.key.get("id") or broken.key.get("seq") or "")
    owner = f" of {_OWNERS[covered.owner]} {broken.owner}" if covered.owner in _OWNERS else ""
    thing = " ".join(part for part in (name_of(broken.table), named) if part).strip()
    where = f"{thing[:1].upper()}{thing[1:]}{f' ({key})' if key else ''}{owner}"
    where += f' in project "{project}"' if project and broken.table != "projects" else ""
    last = f" Last written {at[:19].replace('T', ' ')} UTC by {by} ({action}, entry {broken.entry})." if by else ""
    if broken.kind is Kind.UNREADABLE:
        return f"{where} cannot be read; it or its digests were damaged.{last}"
    if broken.kind is Kind.ADDED:
        return f"{where} was added, and no entry of the trail wrote it.{last and last.replace('Last', 'It was last')}"
    if broken.kind is Kind.DELETED:
        return f"{where} was deleted, and no entry of the trail deleted it.{last}"
    return f"{where} was changed: {_difference(broken)}.{last}"


def anchor(seq: int, at: str, *, last: int, missing: bool) -> str:
    """How an anchor contradicts the trail."""
    when = f"The anchor of {at[:19].replace('T', ' ')} UTC" if at else "An anchor"
    if missing:
        return f"{when} knows entry {seq}, and the trail ends at {last}: its end was cut, or an older copy restored."
    return f"{when} has another hash for entry {seq}: the trail was rewritten, or the anchor is of another store."


def _difference(broken: BrokenRow) -> str:
    if broken.certain and broken.columns and broken.columns[0] in broken.expected:
        return ", ".join(
            f"{_plain(name)} was {_quoted(broken.expected[name])}, is {_quoted(broken.found[name])}"
            for name in broken.columns
        )
    named = ", ".join(_plain(name) for name in broken.columns)
    return named if broken.certain else f"one of {named}"


def _plain(column: str) -> str:
    return column.removesuffix("_id").replace("_", " ")


def _quoted(value: object) -> str:
    if value is None:
        return "empty"
    text = str(value)
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f'"{text}"' if isinstance(value, str) else text
