"""Labels of a run to and from files: ours with every field, and the four columns that anybody can write."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion, Label, LabelItem, LabelRound, Part, RoundOrigin, ScaleKind, Span
from core.domain.results.responses import Verdict
from core.domain.sources.projects import Role
from core.io.exchange.inspectorraget_labels import is_inspectorraget, read_inspectorraget
from core.io.labels import ONE_CRITERION, LabelRow, read_labels
from core.io.recorded_verdicts import read_verdict
from core.io.scored_rows import writing
from core.labelling.importing import GivenLabel, ImportedRound, import_rounds
from core.labelling.one_label import designed_chances
from core.project.service import require
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs
from core.store.results.cases import run_inputs

COLUMNS: Final = (
    "round",
    "origin",
    "case_id",
    "criterion",
    "rater",
    "occurrence",
    "value",
    "status",
    "comment",
    "spans",
    "seconds",
    "at",
    "part",
    "stratum",
    "probability",
    "chances",
    "gold",
    "explanation",
)
NUMBERS: Final = frozenset({"occurrence", "value", "seconds", "probability", "gold"})
EXPORTER = Role.VALIDATOR
"""The role that may export labels: a file shows every rater what the others said."""


def export_labels(store: Store, run_id: str, path: Path, *, actor: str) -> int:
    """Writes every label of a run, one a row, practice and repetitions among them; JSON lines, JSON, CSV, TSV, Parquet.

    Rounds, criteria and raters are written by name and spans as JSON, so that the file can be imported elsewhere. The
    probability is that of the case to be labelled by its round as far as the round is labelled; chances are those of
    the rounds that did not draw it, by name, so that the weights of several rounds come along. In a table, a text that
    a spreadsheet would run as a formula gets a quote in front, which the import takes off again.

    Returns:
        How many labels were written.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: There is no label, or the file cannot be written.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, EXPORTER)
    with store.read() as connection:
        rounds = labels.rounds(connection, run.project_id, run_id)
        criteria = {criterion.id: criterion for criterion in labels.criteria_of(connection, run.project_id)}
        by_round = {label_round.id: labels.practice(connection, label_round.id) for label_round in rounds}
        for label in labels.of_run(connection, run_id):
            by_round[label.round_id].append(label)
        items = {
            label_round.id: {item.case_id: item for item in labels.items(connection, label_round.id)}
            for label_round in rounds
        }
        order, _ = run_inputs.groups(connection, run.test_set_id)
    chances = _Chances(rounds, by_round, items, order)
    count = sum(len(round_labels) for round_labels in by_round.values())
    if not count:
        raise InvalidInput(f"Run {run_id} has no label.", "Label some cases first.")
    with writing(path, COLUMNS, NUMBERS) as writer:
        for label_round in reversed(rounds):
            for label in by_round[label_round.id]:
                row = _row(
                    label_round, label, items[label_round.id][label.case_id], criteria[label.criterion_id], chances
                )
                writer.write(row)
    return count


def import_labels(
    store: Store,
    run_id: str,
    path: Path,
    *,
    name: str,
    actor: str,
    at_random: bool = False,
    model: str = "",
    criteria: Collection[str] = (),
    criterion: str = ONE_CRITERION,
) -> tuple[LabelRound, ...]:
    """Imports labels of a file as closed rounds of a run, all of them or none.

    A file of ours gives back its rounds with every field; any other file with the columns case_id, criterion, rater and
    value becomes one round, as does InspectorRAGet's JSON, whose task ids are the case ids. An empty value is a case
    that could not be judged; under a comment the value may hold its text. A table of one row a case with a column for
    each rater is one round too, whose raters are called as those columns.

    Args:
        store: Where the run is.
        run_id: The run.
        path: The file.
        name: Of the round; of several rounds, what their names begin with.
        actor: Who imports.
        at_random: That the cases are a random sample of the run; a file of ours says that itself.
        model: Of InspectorRAGet's file, whose answers the run has; may be left out where there is one.
        criteria: Names of the only criteria to import; all of the file where empty.
        criterion: Name of the criterion of labels that name none.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        UnreadableFile: The file cannot be read.
        InvalidInput: Labels cannot be taken; the message names the first of them with their rows.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        kinds = {criterion.name: criterion for criterion in labels.criteria_of(connection, run.project_id)}
    label_rows = (
        read_inspectorraget(path).labels(model)
        if is_inspectorraget(path)
        else read_labels(path, criterion=criterion).rows
    )
    rows = [row for row in label_rows if not criteria or row.criterion in criteria]
    by_round: defaultdict[str, list[GivenLabel]] = defaultdict(list)
    origins: dict[str, RoundOrigin] = {}
    problems: list[str] = []
    for row in rows:
        title = str(row.row.get("round", ""))
        try:
            by_round[title].append(_label_of(row, kinds.get(row.criterion)))
        except ValueError as error:
            problems.append(f"Row {row.number}: {error}.")
        simulated = row.row.get("origin") == RoundOrigin.SIMULATED.value
        origins[title] = RoundOrigin.SIMULATED if simulated else RoundOrigin.IMPORTED
    if problems:
        raise InvalidInput(
            f"{len(problems):,} of {len(rows):,} labels cannot be read, so none was taken. {' '.join(problems[:5])}",
            "Correct these rows.",
        )
    several = len(by_round) > 1
    elsewhere: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for label in (label for round_labels in by_round.values() for label in round_labels):
        for title, chance in label.chances.items():
            elsewhere[title][label.case_id] = chance
    rounds = [
        ImportedRound(
            name=f"{name}: {title}" if several and title else name,
            given=round_labels,
            origin=origins[title],
            chances=elsewhere.get(title, {}),
        )
        for title, round_labels in by_round.items()
    ]
    return import_rounds(store, run_id, rounds, actor=actor, at_random=at_random, source=path.name)


class _Chances:
    """Chances of cases to be labelled by each round of a run."""

    def __init__(
        self,
        rounds: Sequence[LabelRound],
        labels_by_round: Mapping[str, Sequence[Label]],
        items: Mapping[str, Mapping[str, LabelItem]],
        order: Sequence[str],
    ) -> None:
        self._rounds, self._items = [label_round for label_round in rounds if labels_by_round[label_round.id]], items
        self._place = {case_id: place for place, case_id in enumerate(order)}
        self._designed = {label_round.id: designed_chances(label_round, len(order)) for label_round in self._rounds}
        self._done: dict[str, float] = {}
        for label_round in self._rounds:
            round_items = [item for item in items[label_round.id].values() if item.part is not Part.PRACTICE]
            labelled = {label.case_id for label in labels_by_round[label_round.id]}
            self._done[label_round.id] = sum(item.case_id in labelled for item in round_items) / max(
                len(round_items), 1
            )

    def own(self, item: LabelItem) -> float:
        """By the round that has the case; practice has no chance and keeps what stands there."""
        return item.probability * (1.0 if item.part is Part.PRACTICE else self._done[item.round_id])

    def elsewhere(self, case_id: str, criterion_id: str) -> dict[str, float]:
        """By the rounds that ask the criterion and did not draw the case, by their names."""
        place = self._place.get(case_id)
        return {
            label_round.name: self._designed[label_round.id][place] * self._done[label_round.id]
            for label_round in self._rounds
            if place is not None and criterion_id in label_round.criteria and case_id not in self._items[label_round.id]
        }


def _row(
    label_round: LabelRound, label: Label, item: LabelItem, criterion: Criterion, chances: _Chances
) -> dict[str, object]:
    return {
        "round": label_round.name,
        "origin": label_round.origin.value,
        "case_id": label.case_id,
        "criterion": criterion.name,
        "rater": label.rater,
        "occurrence": label.occurrence,
        "value": label.value,
        "status": label.status.value,
        "comment": label.comment,
        "spans": [asdict(span) for span in label.spans],
        "seconds": label.seconds,
        "at": label.at,
        "part": item.part.value,
        "stratum": item.stratum,
        "probability": chances.own(item),
        "chances": chances.elsewhere(label.case_id, criterion.id),
        "gold": item.gold.get(criterion.id),
        "explanation": item.explanation,
    }


def _label_of(row: LabelRow, criterion: Criterion | None) -> GivenLabel:
    """A row of a file as a label.

    Raises:
        ValueError: A column does not hold what it should, in words.
    """
    value, comment = None if isinstance(row.value, str) else row.value, row.comment
    if isinstance(row.value, str):
        if criterion is not None and not criterion.levels:
            comment = comment or row.value
        else:
            value = None if criterion is None else _level(criterion, row.value)
            if value is None:
                raise ValueError(f"{row.value!r} is no level of {row.criterion}")
    part = _text(row.row, "part")
    if part and part not in {round_part.value for round_part in Part}:
        raise ValueError(f"{part!r} is no part of a draw")
    return GivenLabel(
        where=f"Row {row.number}",
        case_id=row.case_id,
        criterion=row.criterion,
        rater=row.rater,
        occurrence=row.occurrence,
        value=value,
        comment=comment,
        spans=_spans(row.row.get("spans")),
        seconds=_number(row.row, "seconds") or 0.0,
        at=_text(row.row, "at"),
        part=Part(part) if part else None,
        stratum=_text(row.row, "stratum"),
        probability=_number(row.row, "probability"),
        chances=_named_chances(row.row.get("chances")),
        gold=_number(row.row, "gold"),
        explanation=_text(row.row, "explanation"),
    )


def _level(criterion: Criterion, word: str) -> float | None:
    """The level that a word means: by its anchor, or as a verdict where there are two; None where it means none."""
    spoken = " ".join(word.casefold().split())
    for level in criterion.levels:
        if spoken == " ".join(level.anchor.casefold().split()):
            return float(level.value)
    verdict = read_verdict(word) if criterion.kind is ScaleKind.BINARY else None
    return {Verdict.CORRECT: 1.0, Verdict.INCORRECT: 0.0}.get(verdict) if verdict is not None else None


def _named_chances(cell: object) -> Mapping[str, float]:
    """Chances by the name of a round, from JSON; none where there are none.

    Raises:
        ValueError: It is something else.
    """
    if isinstance(cell, str) and cell.strip():
        try:
            cell = json.loads(cell)
        except json.JSONDecodeError:
            raise ValueError(f"{cell!r} is no list of chances by round") from None
    if not cell:
        return {}
    if not isinstance(cell, Mapping):
        raise ValueError(f"{cell!r} is no list of chances by round")
    chances = {str(name): chance for name, chance in cell.items() if chance is not None}
    if not all(isinstance(chance, (int, float)) and 0.0 <= chance <= 1.0 for chance in chances.values()):
        raise ValueError(f"{cell!r} holds something that is no chance from 0 to 1")
    return chances


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)


def _number(row: Mapping[str, object], name: str) -> float | None:
    text = _text(row, name).strip()
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is no number for {name}")
    return number


def _spans(cell: object) -> tuple[Span, ...]:
    """Marked pieces, as a list of objects or as its JSON."""
    try:
        listed = json.loads(cell) if isinstance(cell, str) and cell.strip() else cell or []
        if not isinstance(listed, list):
            raise TypeError
        return tuple(Span(where=str(span["where"]), start=int(span["start"]), end=int(span["end"])) for span in listed)
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"the spans {str(cell)[:60]!r} are no list of where, start and end") from error
