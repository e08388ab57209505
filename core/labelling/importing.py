"""Imports labels from elsewhere as closed rounds of a run: all labels or none."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.results.labels import (
    Criterion,
    Label,
    LabelItem,
    LabelRound,
    LabelStatus,
    LabelTask,
    Part,
    RoundOrigin,
    ScaleKind,
    Span,
)
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.project.service import require
from core.store.database import Store
from core.store.people import labels
from core.store.results import failures, runs
from core.store.results.cases import run_inputs

IMPORTER = Role.VALIDATOR
"""The role that may import labels."""

IMPORTED = "imported"
"""The stratum of cases whose sampling design is not known."""
MOST_TOLD = 5
LONGEST_COMMENT = 10_000
LONGEST_NAME = 200
MOST_RATERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenLabel:
    """One label from elsewhere.

    Attributes:
        where: Its place in the file, for messages, such as ``Row 3``.
        criterion: Name of one of the project's criteria.
        value: None where the case could not be judged or the criterion is a comment.
        part: Why the case was labelled, None where that is not known.
        at: UTC, ISO 8601; the time of the import where empty.
        chances: Chance of the case to be labelled by each round that did not draw it, by name of the round.
        gold: The right level, where the case was for practice.
    """

    where: str
    case_id: str
    criterion: str
    rater: str
    occurrence: int = 0
    value: float | None = None
    comment: str = ""
    spans: tuple[Span, ...] = ()
    seconds: float = 0.0
    at: str = ""
    part: Part | None = None
    stratum: str = ""
    probability: float | None = None
    chances: Mapping[str, float] = field(default_factory=dict)
    gold: float | None = None
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRound:
    """Labels of one round.

    Attributes:
        name: Of the round.
        given: Its labels.
        origin: Where they come from; imported, unless a machine played the raters.
        chances: Of cases that it did not draw to be labelled by it, by case id.
    """

    name: str
    given: Sequence[GivenLabel] = field(default_factory=tuple)
    origin: RoundOrigin = RoundOrigin.IMPORTED
    chances: Mapping[str, float] = field(default_factory=dict)


def import_rounds(
    store: Store, run_id: str, rounds: Sequence[ImportedRound], *, actor: str, at_random: bool = False, source: str = ""
) -> tuple[LabelRound, ...]:
    """Stores labels from elsewhere as closed rounds of a run, in one write.

    Where the labels do not state how their cases were drawn, cases count as drawn at random only if the importer says
    so or every answered case of the run is among them; otherwise no promise is made or checked on them.

    Args:
        store: Where the run is.
        run_id: The run.
        rounds: The labels.
        actor: Who imports.
        at_random: That the cases are a random sample of the run's answered cases.
        source: The origin of the labels, such as the name of a file.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: There is no label, or some are not valid: a case that the run did not answer, a criterion that
            the project does not have, a value that is no level. The message names the first five with their rows.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, IMPORTER)
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    count = sum(len(imported.given) for imported in rounds)
    with store.write(
        actor,
        "labels.import",
        project_id=run.project_id,
        subject=run_id,
        detail={"labels": count, "rounds": [imported.name for imported in rounds], "source": source},
    ) as connection:
        criteria = {imported.name: imported for imported in labels.criteria_of(connection, run.project_id)}
        answered = runs.answered_ids(connection, run_id) - failures.failed_ids(connection, run_id)
        order, _ = run_inputs.groups(connection, run.test_set_id)
        _refuse(rounds, criteria, answered)
        records = []
        for imported in rounds:
            record = _round(run, imported, criteria, order, actor=actor, at=at, source=source)
            items = _items(record.id, imported.given, criteria, answered, at_random=at_random)
            labels.put_round(connection, record)
            labels.add_items(connection, items)
            labels.put_tasks(
                connection, _tasks(record.id, imported.given, {item.case_id: item.part for item in items}, at)
            )
            labels.put(
                connection, [_label(record.id, label, criteria[label.criterion], at) for label in imported.given]
            )
            records.append(record)
    return tuple(records)


def _refuse(rounds: Sequence[ImportedRound], criteria: Mapping[str, Criterion], answered: set[str]) -> None:
    all_labels = [label for imported in rounds for label in imported.given]
    if not all_labels:
        raise InvalidInput("There is no label to import.", "Give a file with at least one.")
    problems = [problem for label in all_labels if (problem := _problem(label, criteria, answered))]
    if problems:
        further = len(problems) - MOST_TOLD
        listed = " ".join(problems[:MOST_TOLD]) + (f" And {further:,} more." if further > 0 else "")
        raise InvalidInput(
            f"{len(problems):,} of {len(all_labels):,} labels cannot be imported, so none was imported. {listed}",
            f"Correct these rows; the criteria of the project are {', '.join(criteria) or 'none yet'}.",
        )
    for imported in rounds:
        raters = {label.rater for label in imported.given}
        if len(raters) > MOST_RATERS or any(not rater.strip() or len(rater) > LONGEST_NAME for rater in raters):
            raise InvalidInput(
                f"The labels are of {len(raters)} raters.",
                f"A round has at most {MOST_RATERS} raters with names of 1 to {LONGEST_NAME} characters.",
            )
        if not imported.name.strip() or len(imported.name) > LONGEST_NAME:
            raise InvalidInput("The name of the round is blank or too long.", f"Give 1 to {LONGEST_NAME} characters.")
        keys = {(label.case_id, label.criterion, label.rater, label.occurrence) for label in imported.given}
        if len(keys) < len(imported.given):
            raise Conflict(
                "A rater has labelled a case twice under one criterion.", "Mark repetitions with occurrence 1."
            )


def _problem(label: GivenLabel, criteria: Mapping[str, Criterion], answered: set[str]) -> str:
    """What is wrong with a label in one sentence, empty for nothing."""
    criterion = criteria.get(label.criterion)
    problem = ""
    # An unknown criterion is usually the problem of every row.
    if criterion is None:
        problem = f"the project has no criterion {label.criterion}"
    elif label.case_id not in answered:
        problem = f"the run has no answer to case {label.case_id}"
    elif label.value is not None and criterion.kind is ScaleKind.COMMENT:
        problem = f"{criterion.name} is a comment and has no levels, but the label has level {label.value:g}"
    elif label.value is not None and label.value not in {level.value for level in criterion.levels}:
        levels = ", ".join(str(level.value) for level in criterion.levels)
        problem = f"{label.value:g} is no level of {criterion.name}, which has {levels}"
    elif len(label.comment) > LONGEST_COMMENT:
        problem = f"the comment has {len(label.comment):,} characters, more than {LONGEST_COMMENT:,}"
    elif not math.isfinite(label.seconds) or label.seconds < 0.0:
        problem = f"{label.seconds} is not a time in seconds"
    elif label.probability is not None and not 0.0 < label.probability <= 1.0:
        problem = f"{label.probability:g} is not a probability above 0 and up to 1"
    elif any(not span.where or not 0 <= span.start < span.end for span in label.spans):
        problem = "a marked span is not a range of a text"
    return f"{label.where}: {problem}." if problem else ""


def _round(
    run: Run,
    imported: ImportedRound,
    criteria: Mapping[str, Criterion],
    order: Sequence[str],
    *,
    actor: str,
    at: str,
    source: str,
) -> LabelRound:
    used_criteria = {label.criterion for label in imported.given}
    raters: defaultdict[str, set[str]] = defaultdict(set)
    for label in imported.given:
        raters[label.case_id].add(label.rater)
    sizes = [len(case_raters) for case_raters in raters.values()]
    return LabelRound(
        id=new_id("rnd"),
        project_id=run.project_id,
        run_id=run.id,
        name=imported.name.strip(),
        criteria=tuple(criterion.id for name, criterion in criteria.items() if name in used_criteria),
        raters=tuple(sorted({label.rater for label in imported.given})),
        origin=imported.origin,
        overlap=max(sizes),
        overlap_share=sum(size >= 2 for size in sizes) / len(sizes),
        design={
            "source": source,
            "cases": len(sizes),
            **(
                {"probabilities": [imported.chances.get(case_id, 0.0) for case_id in order]} if imported.chances else {}
            ),
        },
        closed=True,
        created_at=at,
        created_by=actor,
    )


def _items(
    round_id: str,
    imported_labels: Sequence[GivenLabel],
    criteria: Mapping[str, Criterion],
    answered: set[str],
    *,
    at_random: bool,
) -> list[LabelItem]:
    cases: defaultdict[str, list[GivenLabel]] = defaultdict(list)
    for label in imported_labels:
        cases[label.case_id].append(label)
    random = at_random or len(cases) == len(answered)
    items = []
    for case_id, case_labels in cases.items():
        drawn_label = next((label for label in case_labels if label.part is not None), None)
        if drawn_label is None or drawn_label.part is None:
            part, chance = (Part.RANDOM, len(cases) / len(answered)) if random else (Part.TARGETED, 1.0)
            stratum = "" if random else IMPORTED
        else:
            part, stratum = drawn_label.part, drawn_label.stratum
            chance = 1.0 if drawn_label.probability is None else drawn_label.probability
        items.append(
            LabelItem(
                round_id=round_id,
                case_id=case_id,
                part=part,
                stratum=stratum,
                probability=chance,
                gold={criteria[label.criterion].id: label.gold for label in case_labels if label.gold is not None},
                explanation=next((label.explanation for label in case_labels if label.explanation), ""),
            )
        )
    return items


def _tasks(round_id: str, imported_labels: Sequence[GivenLabel], parts: Mapping[str, Part], at: str) -> list[LabelTask]:
    finished: dict[tuple[str, str, int], str] = {}
    for label in imported_labels:
        key = label.rater, label.case_id, label.occurrence
        finished[key] = max(finished.get(key, ""), label.at or at)
    positions: defaultdict[str, int] = defaultdict(int)
    tasks = []
    for rater, case_id, occurrence in finished:
        tasks.append(
            LabelTask(
                round_id=round_id,
                rater=rater,
                case_id=case_id,
                occurrence=occurrence,
                position=positions[rater],
                part=parts[case_id],
                done_at=finished[rater, case_id, occurrence],
            )
        )
        positions[rater] += 1
    return tasks


def _label(round_id: str, imported: GivenLabel, criterion: Criterion, at: str) -> Label:
    has_answer = imported.value is not None or criterion.kind is ScaleKind.COMMENT
    return Label(
        round_id=round_id,
        case_id=imported.case_id,
        criterion_id=criterion.id,
        rater=imported.rater,
        occurrence=imported.occurrence,
        value=imported.value,
        status=LabelStatus.GIVEN if has_answer else LabelStatus.CANNOT_JUDGE,
        comment=imported.comment,
        spans=imported.spans,
        seconds=imported.seconds,
        at=imported.at or at,
    )
