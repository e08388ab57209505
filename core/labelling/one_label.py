"""Combines the labels of several raters into one label a case, by the rule of the criterion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.results.combining import combined
from core.domain.results.labels import (
    Adjudication,
    Criterion,
    Label,
    LabelItem,
    LabelRound,
    LabelRule,
    LabelStatus,
    OneLabel,
    Part,
    RoundOrigin,
    ScaleKind,
)
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs
from core.store.results.cases import run_inputs

CANNOT_JUDGE = "cannot judge"
ADJUDICATED = "adjudicated"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatingsTable:
    """Every rating of a run under one criterion.

    Attributes:
        case_ids: Cases with at least one saved task, in the order of the test set.
        raters: Names, in alphabetical order; a rater of several rounds is one.
        values: First ratings, shape (raters, cases), NaN where there is none.
        repeats: Ratings of repetitions, same shape.
        seconds: Time on the case at the first rating, same shape, NaN where it was not measured.
        cannot_judge: Whether the rater could not judge the case, same shape.
        clusters: Number of the filled SQL query of each case, shape (cases,).
        simulated: Names of simulated raters.
    """

    case_ids: tuple[str, ...]
    raters: tuple[str, ...]
    values: npt.NDArray[np.float64]
    repeats: npt.NDArray[np.float64]
    seconds: npt.NDArray[np.float64]
    cannot_judge: npt.NDArray[np.bool_]
    clusters: npt.NDArray[np.int64]
    simulated: frozenset[str] = frozenset()


def one_label(
    criterion: Criterion,
    values: Sequence[float],
    *,
    cannot_judge: int = 0,
    adjudication: Adjudication | None = None,
    rule: LabelRule | None = None,
) -> tuple[float | None, str]:
    """The combined label of one case, and how it was derived.

    A second look decides before any rule. Raters who could not judge have no vote; where they outnumber those
    who could, the case cannot be judged.

    Args:
        criterion: Whose rule it is.
        values: The levels given, one a rater.
        cannot_judge: Raters who could not judge.
        adjudication: The second look, where there was one.
        rule: Another rule than the criterion's.

    >>> from core.domain.results.labels import ScaleKind
    >>> correct = Criterion(id="c", project_id="p", name="Correct", question="?", kind=ScaleKind.BINARY)
    >>> one_label(correct, [1, 1, 0]), one_label(correct, [1, 0]), one_label(correct, [1, 0], rule=LabelRule.MEAN)
    ((1.0, 'majority of 3'), (None, 'tie'), (0.5, 'mean of 2'))
    """
    if adjudication is not None:
        return adjudication.value, ADJUDICATED if adjudication.value is not None else f"{ADJUDICATED}: {CANNOT_JUDGE}"
    if not values or cannot_judge > len(values):
        return None, CANNOT_JUDGE
    return combined(values, rule or criterion.rule, criterion.accept_from)


def one_labels(
    store: Store, run_id: str, criterion_id: str, *, rule: LabelRule | str | None = None
) -> tuple[OneLabel, ...]:
    """The combined label of every case of a run that has a label or a second look, in the order of the test set.

    All rounds of the run count together, practice and repetitions do not. A rater of several rounds who saw a case in
    each has one vote, the latest.

    A case counts as random where it was labelled in a round that drew it at random, whatever other rounds did: raters
    have orders of their own drawn by chance, so what is labelled of a random share is random too, while cases that a
    targeted round labelled first are not. The chance of a case to be labelled by any round with labels under the
    criterion is 1 - prod(1 - p f): p is its chance to be drawn by the round, by the round's design where the round does
    not have it, and f the share of the round's cases that somebody has labelled so far.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The criterion is a comment, or there is no such rule.
    """
    with store.read() as connection:
        criterion = with_levels(labels.criterion(connection, criterion_id))
        run = runs.get(connection, run_id)
        case_ids, _ = run_inputs.groups(connection, run.test_set_id)
        run_labels = [label for label in labels.of_run(connection, run_id, criterion_id) if label.occurrence == 0]
        items = labels.items_of_run(connection, run_id)
        adjudications = labels.adjudications_of(connection, run_id, criterion_id)
        rounds = {results.id: results for results in labels.rounds(connection, run.project_id, run_id)}
    stated_rule = None if rule is None else _rule(rule)
    labels_by_case = last_said(run_labels)
    # A second look keeps its round even where its labels were taken back.
    labelled_rounds = {label.round_id for label in run_labels} | {
        item.round_id for item in items if item.case_id in adjudications
    }
    started = [
        results for results in rounds.values() if results.id in labelled_rounds and criterion_id in results.criteria
    ]
    items_by_key = {(item.round_id, item.case_id): item for item in items}
    at_random = {
        label.case_id for label in run_labels if items_by_key[label.round_id, label.case_id].part is Part.RANDOM
    }
    chances = _chances(
        case_ids, started, items_by_key, {(label.round_id, label.case_id) for label in run_labels}, adjudications.keys()
    )
    results = []
    for place, case_id in enumerate(case_ids):
        case_labels, adjudication = labels_by_case.get(case_id, ()), adjudications.get(case_id)
        if not case_labels and adjudication is None:
            continue
        levels = [label.value for label in case_labels if label.value is not None]
        value, rule_text = one_label(
            criterion, levels, cannot_judge=len(case_labels) - len(levels), adjudication=adjudication, rule=stated_rule
        )
        results.append(
            OneLabel(
                case_id=case_id,
                value=value,
                why=rule_text,
                ratings=len(levels),
                adjudicated=adjudication is not None,
                random=case_id in at_random,
                probability=chances[place],
                simulated=any(rounds[label.round_id].origin is RoundOrigin.SIMULATED for label in case_labels),
                at=max([label.at for label in case_labels] + ([adjudication.at] if adjudication else [])),
            )
        )
    return tuple(results)


def last_said(history: Iterable[Label]) -> dict[str, tuple[Label, ...]]:
    """By case, the latest label of each rater, sorted by rater.

    Args:
        history: Labels under one criterion, oldest first.
    """
    by_case: defaultdict[str, dict[str, Label]] = defaultdict(dict)
    for label in history:
        by_case[label.case_id][label.rater] = label
    return {case_id: tuple(by_rater[rater] for rater in sorted(by_rater)) for case_id, by_rater in by_case.items()}


def ratings_table(store: Store, run_id: str, criterion_id: str) -> RatingsTable:
    """Every rating of a run under a criterion, practice left out; a rater of several rounds has the latest rating.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The criterion is a comment.
    """
    with store.read() as connection:
        with_levels(labels.criterion(connection, criterion_id))
        run = runs.get(connection, run_id)
        order, groups = run_inputs.groups(connection, run.test_set_id)
        run_labels = labels.of_run(connection, run_id, criterion_id)
        rounds = {label_round.id: label_round for label_round in labels.rounds(connection, run.project_id, run_id)}
    included = set(order)
    run_labels = [label for label in run_labels if label.case_id in included]
    labelled = {label.case_id for label in run_labels}
    rows = [(case_id, group) for case_id, group in zip(order, groups, strict=True) if case_id in labelled]
    raters = tuple(sorted({label.rater for label in run_labels}))
    column = {case_id: place for place, (case_id, _) in enumerate(rows)}
    row = {rater: place for place, rater in enumerate(raters)}
    shape = (len(raters), len(rows))
    values, repeats, seconds = (np.full(shape, np.nan) for _ in range(3))
    unclear = np.zeros(shape, dtype=bool)
    for label in run_labels:
        place = row[label.rater], column[label.case_id]
        value = np.nan if label.value is None else label.value
        if label.occurrence:
            repeats[place] = value
            continue
        values[place], seconds[place] = value, label.seconds or np.nan
        unclear[place] = label.status is LabelStatus.CANNOT_JUDGE
    numbers: dict[str, int] = {}
    return RatingsTable(
        case_ids=tuple(case_id for case_id, _ in rows),
        raters=raters,
        values=values,
        repeats=repeats,
        seconds=seconds,
        cannot_judge=unclear,
        clusters=np.array([numbers.setdefault(group, len(numbers)) for _, group in rows], dtype=np.int64),
        simulated=frozenset(
            label.rater for label in run_labels if rounds[label.round_id].origin is RoundOrigin.SIMULATED
        ),
    )


def with_levels(criterion: Criterion) -> Criterion:
    """The criterion itself.

    Raises:
        InvalidInput: It is a comment.
    """
    if criterion.kind is ScaleKind.COMMENT:
        raise InvalidInput(f"{criterion.name} is a comment and has no levels.", "Choose a criterion with levels.")
    return criterion


def _chances(
    case_ids: Sequence[str],
    rounds: Sequence[LabelRound],
    items_by_key: Mapping[tuple[str, str], LabelItem],
    labelled: Set[tuple[str, str]],
    adjudicated: Set[str],
) -> list[float]:
    """Chance of each case to be labelled by at least one of the rounds, as far as they are."""
    chances = [0.0] * len(case_ids)
    for label_round in rounds:
        elsewhere = designed_chances(label_round, len(case_ids))
        round_keys = [key for key in items_by_key if key[0] == label_round.id]
        labelled_share = sum(key in labelled or key[1] in adjudicated for key in round_keys) / len(round_keys)
        for place, case_id in enumerate(case_ids):
            item = items_by_key.get((label_round.id, case_id))
            chance = labelled_share * (elsewhere[place] if item is None else item.probability)
            # 1 - (1 - a)(1 - b), which leaves the chance of a single round as it is to the last digit.
            chances[place] += chance * (1.0 - chances[place])
    return chances


def designed_chances(label_round: LabelRound, cases: int) -> Sequence[float]:
    """The chances a round's design states for every case; that of its random share, or 0, where it does not.

    Args:
        label_round: The round.
        cases: Included cases of its test set, in whose order the chances are.
    """
    listed = label_round.design.get("probabilities")
    if isinstance(listed, (list, tuple)) and len(listed) == cases:
        return [float(chance) for chance in listed]
    share = label_round.design.get("random_probability", 0.0)
    return [float(share) if isinstance(share, (int, float)) else 0.0] * cases


def _rule(rule: LabelRule | str) -> LabelRule:
    try:
        return LabelRule(rule)
    except ValueError:
        rules = ", ".join(LabelRule)
        raise InvalidInput(f"{rule!r} is not a rule for combining labels.", f"Choose one of {rules}.") from None
