"""Criteria as files: YAML or JSON, written by people and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from core.criteria.service import criterion
from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.acceptance import AcceptanceCriterion

KEYS = ("metric", "threshold", "direction", "bound", "note", "id")
LARGEST_BYTES = 1_000_000


def read_criteria(path: Path) -> tuple[AcceptanceCriterion, ...]:
    """The criteria of a file: a list, or a mapping with a list under ``criteria``.

    An entry has ``metric`` and ``threshold``, and may have ``direction``, ``bound``, ``note``, and the ``id`` of the
    criterion it changes.

    Raises:
        UnreadableFile: It is missing, too large, or neither YAML nor JSON.
        InvalidInput: An entry is no criterion; the message numbers it.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise UnreadableFile(f"{path} is larger than a million bytes.", "Name a file of criteria.")
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = str(error).splitlines()[0]
        raise UnreadableFile(f"{path} cannot be read as criteria: {reason}.", "Name a YAML or JSON file.") from error
    entries = document.get("criteria") if isinstance(document, Mapping) else document
    if not isinstance(entries, list):
        raise InvalidInput(f"{path} has no list of criteria.", "Write a list whose entries have metric and threshold.")
    return tuple(_read(entry, number) for number, entry in enumerate(entries, 1))


def criteria_as_json(criteria: Sequence[AcceptanceCriterion]) -> list[dict[str, object]]:
    """Criteria as plain JSON, which :func:`read_criteria` reads back."""
    return [
        {
            "id": one.id,
            "metric": one.metric,
            "bound": one.bound.value,
            "direction": one.direction.value,
            "threshold": one.threshold,
            "note": one.note,
            "version": one.version,
            "set_at": one.set_at,
            "set_by": one.set_by,
            "locked_at": one.locked_at,
            "locked_by": one.locked_by,
        }
        for one in criteria
    ]


STATED = frozenset({*KEYS, "version", "set_at", "set_by", "locked_at", "locked_by"})
"""Keys an entry may have; those beyond `KEYS` are what `criteria_as_json` adds, and mean nothing when read."""


def _read(entry: object, number: int) -> AcceptanceCriterion:
    if not isinstance(entry, Mapping) or not {"metric", "threshold"} <= set(entry):
        raise InvalidInput(f"Criterion {number} lacks metric or threshold.", "Give both, as metric: accuracy.")
    unknown = sorted(str(key) for key in set(entry) - STATED)
    if unknown:
        raise InvalidInput(
            f"Criterion {number} has the unknown key {unknown[0]!r}.", f"Its keys are: {', '.join(KEYS)}."
        )
    try:
        threshold = float(entry["threshold"])
    except (TypeError, ValueError):
        raise InvalidInput(
            f"{entry['threshold']!r} of criterion {number} is no threshold.", "Give a number, such as 0.9."
        ) from None
    try:
        return criterion(
            str(entry["metric"]),
            threshold,
            direction=str(entry["direction"]).replace(" ", "_") if entry.get("direction") else None,
            bound=str(entry.get("bound") or "estimate"),
            note=str(entry.get("note") or ""),
            id=str(entry.get("id") or ""),
        )
    except InvalidInput as error:
        raise InvalidInput(f"Criterion {number}: {error.message}", error.hint) from error
