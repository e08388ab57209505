"""A run as a peer's file: its cases, answers, passages, references, verdicts and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.sources.projects import Role
from core.domain.specs import bare_spec
from core.io.exchange.format import Answered, MetricWords, RunData, find_format, list_formats
from core.io.exchange.inspectorraget_parts import criterion_definition, labels_by_case
from core.metrics import find_metric
from core.project.service import allows, require, role_of
from core.runs.exchange.importing import CONVERSATIONS, IDEAL
from core.runs.scores.samples import tells_contexts
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs, scores
from core.store.results.cases import run_inputs
from core.store.testset import testsets

LABELS: Final = "labels"
NO_LABELS: Final = "People's labels have no place in the format; export them on the Label page."
UNREACHED: Final = "Cases of the test set that the run did not reach."


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedRun:
    """What was written.

    Attributes:
        rows: Answers.
        mapped: Our names with the columns they were written to.
        ignored: What was left behind, with the reason.
    """

    path: Path
    rows: int
    mapped: Mapping[str, str]
    ignored: Mapping[str, str]


def export_exchange(
    store: Store, run_id: str, path: Path, name: str, *, actor: str, marks: Mapping[str, str] | None = None
) -> ExportedRun:
    """Writes a run in a peer's format; what the peer has no name for stands in columns of ours beside.

    Args:
        store: Where the run is.
        run_id: The run.
        path: Where to; an existing file is replaced when the new one is complete.
        name: Of the format.
        actor: Who exports.
        marks: Attributes that every row gets besides its own, such as whether its judge is trusted.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor may not read the project.
        InvalidInput: There is no such format, it is not written with that ending, nothing is answered yet, or the file
            cannot be written.
    """
    peer = find_format(name)
    if peer.pack is None:
        written = ", ".join(one.spec.name for one in list_formats() if one.pack is not None)
        raise InvalidInput(f"Files of {peer.spec.title} are read and not written.", f"Use one of: {written}.")
    if path.suffix.casefold() not in peer.spec.writes:
        raise InvalidInput(
            f"{path} ends in {path.suffix or 'nothing'}, and {peer.spec.title} is written as "
            f"{', '.join(peer.spec.writes)}.",
            f"Name a file such as run{peer.spec.writes[0]}.",
        )
    data, omissions = run_data(store, run_id, actor=actor)
    if marks:
        data = replace(data, answered=tuple(_marked(item, marks) for item in data.answered))
    mapped = dict(peer.pack(data, path))
    ignored = dict(omissions)
    if data.labels and not any(field.startswith(f"{LABELS}.") for field in mapped):
        ignored[LABELS] = NO_LABELS
    return ExportedRun(path=path, rows=len(data.answered), mapped=mapped, ignored=ignored)


def run_data(store: Store, run_id: str, *, actor: str) -> tuple[RunData, dict[str, str]]:
    """A run, ready to be written, and what of it is left out, with the reason.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor may not read the project.
        InvalidInput: Nothing is answered yet.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, Role.VIEWER)
    with store.read() as connection:
        test_set = testsets.get(connection, run.test_set_id)
        names = sorted(set(scores.counts(connection, run_id, run.test_set_id)) - {VERDICT_METRIC})
        verdicts = scores.of_metric(connection, run_id, VERDICT_METRIC)
        measured = {metric: scores.of_metric(connection, run_id, metric) for metric in names}
        answered = run_inputs.answered_cases(connection, run)
        order, _ = run_inputs.groups(connection, run.test_set_id)
        pairs = list(run_inputs.pairs(connection, run, answered)) if answered else []
        retrieved = run_inputs.has_contexts(connection, run_id)
    if not pairs:
        raise InvalidInput(f"Run {run_id} has no answer yet.", "Let it answer some cases first.")
    ideal, earlier = _by_case(test_set.options.get(IDEAL)), _by_case(test_set.options.get(CONVERSATIONS))
    criteria, labelled = _labels(store, run, actor)
    omissions = {"unreached cases": f"{len(order) - len(pairs):,}: {UNREACHED}"} if len(order) > len(pairs) else {}
    return RunData(
        run_id=run_id,
        name=test_set.name,
        target=bare_spec(run.target),
        metrics=tuple(names),
        columns=_columns(measured),
        words=_words(names),
        contexts_known=retrieved or tells_contexts(run.target, run.options),
        criteria=criteria,
        labels=labelled,
        answered=tuple(
            Answered(
                case=case,
                response=response,
                verdict=verdicts.get(case.case_id),
                scores={
                    metric: by_case[case.case_id] for metric, by_case in measured.items() if case.case_id in by_case
                },
                ideal_contexts=tuple(str(text) for text in ideal.get(case.case_id, ())),
                conversation=tuple((str(turn[0]), str(turn[1])) for turn in earlier.get(case.case_id, ())),  # type: ignore[index]
            )
            for case, response in pairs
        ),
    ), omissions


def _marked(answered: Answered, marks: Mapping[str, str]) -> Answered:
    return replace(answered, case=replace(answered.case, attributes={**answered.case.attributes, **marks}))


def _columns(measured: Mapping[str, Mapping[str, Score]]) -> dict[str, str]:
    """What imported metrics were called in their file."""
    first = {metric: next(iter(by_case.values()), None) for metric, by_case in measured.items()}
    return {
        metric: str(score.detail["column"])
        for metric, score in first.items()
        if score is not None and score.detail.get("column")
    }


def _words(names: Sequence[str]) -> dict[str, MetricWords]:
    """What the file says about those metrics that are ours."""
    words: dict[str, MetricWords] = {}
    for name in names:
        try:
            spec = find_metric(name).spec
        except InvalidInput:
            continue  # another tool's
        words[name] = MetricWords(title=spec.title, question=spec.question, low=spec.low, high=spec.high)
    return words


def _by_case(option: object) -> Mapping[str, Sequence[object]]:
    return option if isinstance(option, Mapping) else {}


def _labels(
    store: Store, run: Run, actor: str
) -> tuple[tuple[Mapping[str, object], ...], Mapping[str, Mapping[str, Mapping[str, object]]]]:
    """Criteria and labels; none for those who may not see what every rater said."""
    if not allows(role_of(store, run.project_id, actor), Role.VALIDATOR):
        return (), {}
    with store.read() as connection:
        rated = [
            label for label in labels.of_run(connection, run.id) if label.value is not None and not label.occurrence
        ]
        used = {label.criterion_id for label in rated}
        criteria = [criterion for criterion in labels.criteria_of(connection, run.project_id) if criterion.id in used]
    return tuple(criterion_definition(criterion) for criterion in criteria), labels_by_case(rated, criteria)
