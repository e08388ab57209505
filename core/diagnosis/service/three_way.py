"""The three-way experiment: one test set and one target, run closed book, with the gold documents, and live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.diagnosis import open_domain_groups
from core.diagnosis.reading_check import ReadingCheck, reading_check
from core.diagnosis.service.rows import diagnosis_rows
from core.diagnosis.three_way import Mode, ThreeWay, open_domain_filter, three_way
from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.results.runs import Run, RunState
from core.domain.testset.cases import TestCase
from core.jobs import get as get_job
from core.runs.service import create_run, start_run
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import outcome_columns
from core.store.testset import testsets
from core.targets import list_targets

EXPERIMENT = "experiment"
"""The option of a run that names its experiment; ``mode`` says which of the three it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Up to three runs of one test set that belong together.

    Attributes:
        id: Shared by the runs' options; for runs chosen by hand, composed of their ids.
        runs: By mode; a mode without a run is left out.
    """

    id: str
    test_set_id: str
    target: str
    created_at: str
    runs: Mapping[Mode, Run]

    @property
    def missing(self) -> tuple[Mode, ...]:
        """Modes without a run."""
        return tuple(mode for mode in Mode if mode not in self.runs)

    @property
    def finished(self) -> bool:
        """Whether there are three runs and each is finished."""
        return not self.missing and all(run.state is RunState.FINISHED for run in self.runs.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The results of an experiment.

    Attributes:
        three: Knowledge, reading and retrieval.
        check: The reading check of the data.
        cases: The test cases by id, for drill-down.
        answers: What each run answered, by case id; None where it failed.
    """

    three: ThreeWay
    check: ReadingCheck
    cases: Mapping[str, TestCase]
    answers: Mapping[Mode, Mapping[str, str | None]]


def targets_with_modes() -> tuple[str, ...]:
    """Names of the kinds of target that support all three modes."""
    return tuple(spec.name for spec in list_targets() if {str(mode) for mode in Mode} <= set(spec.modes))


def start_experiment(
    store: Store,
    test_set_id: str,
    *,
    actor: str,
    target: str,
    judge: str = "match",
    seed: int = 0,
    options: Mapping[str, object] | None = None,
) -> Experiment:
    """Creates and starts the three runs of an experiment.

    All three are created before one starts, so that a target or a judge that cannot be opened leaves nothing behind.

    Args:
        store: Where the test set lives.
        test_set_id: A frozen test set.
        actor: Who does it.
        target: The spec of a target that has the three modes.
        judge: Judge spec, the same for all three.
        seed: The same for all three.
        options: Of each run, besides its mode.

    Raises:
        InvalidInput: The target cannot be opened, or does not support all three modes.
        Conflict: The test set is not frozen.
        Forbidden: The actor may not change the project.
    """
    name = target.partition(":")[0]
    supported = targets_with_modes()
    if name not in supported:
        raise InvalidInput(
            f"The target {name} cannot run without documents or with the gold documents.",
            f"Choose one of: {', '.join(supported)}; or record three runs of your system and compare them.",
        )
    experiment = new_id("exp")
    runs_by_mode = {
        # The mode that needs most goes first: what cannot be opened is refused before a run is stored.
        mode: create_run(
            store,
            test_set_id,
            actor=actor,
            target=target,
            judge=judge,
            seed=seed,
            options={**(options or {}), "mode": str(mode), EXPERIMENT: experiment},
        )
        for mode in (Mode.ORACLE, Mode.RETRIEVAL, Mode.CLOSED_BOOK)
    }
    for mode in Mode:
        start_run(store, runs_by_mode[mode].id, actor=actor)
    return find_experiment(store, runs_by_mode[Mode.RETRIEVAL].project_id, experiment)


def go_on(store: Store, experiment: Experiment, *, actor: str) -> int:
    """Starts or resumes each run of an experiment that is neither finished nor running.

    Returns:
        How many were started.
    """
    started = 0
    for run in experiment.runs.values():
        if _waits(store, run):
            start_run(store, run.id, actor=actor)
            started += 1
    return started


def waiting(store: Store, experiment: Experiment) -> bool:
    """Whether a run of the experiment is unfinished and has no active job."""
    return any(_waits(store, run) for run in experiment.runs.values())


def experiments(store: Store, project_id: str) -> tuple[Experiment, ...]:
    """The project's experiments, newest first; the newest run of a mode counts."""
    with store.read() as connection:
        stored_runs = runs.all(connection, project_id)
    members_by_name: dict[str, list[Run]] = {}
    for run in stored_runs:
        name = str(run.options.get(EXPERIMENT, ""))
        if name and run.options.get("mode") in set(Mode):
            members_by_name.setdefault(name, []).append(run)
    return tuple(_experiment(name, members) for name, members in members_by_name.items())


def find_experiment(store: Store, project_id: str, experiment_id: str) -> Experiment:
    """The experiment of that id.

    Raises:
        NotFound: The project has none.
    """
    for experiment in experiments(store, project_id):
        if experiment.id == experiment_id:
            return experiment
    raise NotFound(f"There is no experiment {experiment_id}.", "Choose one on the Know, read, retrieve page.")


def of_runs(store: Store, closed_book: str, oracle: str, live: str) -> Experiment:
    """An experiment from three stored runs: recordings of a system that Plumbline cannot query itself.

    Raises:
        NotFound: There is no such run.
        InvalidInput: They are not three runs of one test set.
    """
    run_ids = {Mode.CLOSED_BOOK: closed_book, Mode.ORACLE: oracle, Mode.RETRIEVAL: live}
    with store.read() as connection:
        members = {mode: runs.get(connection, run_id) for mode, run_id in run_ids.items()}
    if len(set(run_ids.values())) < len(run_ids):
        raise InvalidInput("One run is named twice.", "Choose three different runs.")
    if len({run.test_set_id for run in members.values()}) > 1:
        raise InvalidInput("The three runs are not of one test set.", "Choose runs of the same version of a test set.")
    live_run = members[Mode.RETRIEVAL]
    return Experiment(
        id="+".join(run_ids.values()),
        test_set_id=live_run.test_set_id,
        target=live_run.target,
        created_at=live_run.created_at,
        runs=members,
    )


def compare(
    store: Store,
    experiment: Experiment,
    *,
    form: str = "",
    closed_domain: bool = False,
    seed: int = 0,
    seconds: float | None = None,
) -> Comparison:
    """Compares the three runs, and checks the data with the oracle run.

    Args:
        store: Where the runs live.
        experiment: The three runs.
        form: Only cases of this form; all of them when empty.
        closed_domain: Only groups that the model alone does not answer in any form. The open-domain filter itself and
            the reading check always cover all groups of the form.
        seed: Of the resampling.
        seconds: The longest search for evidence, as in :func:`core.diagnosis.service.rows.diagnosis_rows`.

    Raises:
        Conflict: A run is missing.
    """
    if experiment.missing:
        raise Conflict(
            f"Experiment {experiment.id} has no run {', '.join(experiment.missing)}.", "Start a new experiment."
        )
    # Only the check of the data asks what the documents say; the other two runs are compared by their verdicts.
    run_rows = {
        mode: diagnosis_rows(store, run.id, seconds=seconds if mode is Mode.ORACLE else 0.0)
        for mode, run in experiment.runs.items()
    }
    live = run_rows[Mode.RETRIEVAL]
    rows = {
        mode: [row for row in mode_rows.rows if not form or row.form == form] for mode, mode_rows in run_rows.items()
    }
    outside = open_domain_groups(run_rows[Mode.CLOSED_BOOK].rows) if closed_domain else frozenset()
    closed_rows = {mode: [row for row in mode_rows if row.group_id not in outside] for mode, mode_rows in rows.items()}
    result = three_way(*(closed_rows[mode] for mode in Mode), known_ids=live.known_ids, seed=seed)
    if closed_domain:
        open_domain = open_domain_filter(rows[Mode.CLOSED_BOOK], rows[Mode.RETRIEVAL], known_ids=live.known_ids)
        result = replace(result, open_domain=open_domain)
    with store.read() as connection:
        cases = testsets.cases(connection, live.run.test_set_id)
        answers = {
            mode: {answer.case_id: answer.answer for answer in outcome_columns.answers(connection, run.id)}
            for mode, run in experiment.runs.items()
        }
    return Comparison(
        three=result,
        check=reading_check(rows[Mode.ORACLE], rows[Mode.RETRIEVAL]),
        cases={case.case_id: case for case in cases},
        answers=answers,
    )


def check_reading(
    store: Store, oracle_run_id: str, live_run_id: str = "", *, seconds: float | None = None
) -> ReadingCheck:
    """The reading check of one oracle-context run, beside a live run of the same test set where one is named.

    Args:
        store: Where the runs live.
        oracle_run_id: The run with the gold documents.
        live_run_id: The live run, or empty.
        seconds: The longest search for evidence, as in :func:`core.diagnosis.service.rows.diagnosis_rows`.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The two are not of one test set.
    """
    oracle = diagnosis_rows(store, oracle_run_id, seconds=seconds)
    if not live_run_id:
        return reading_check(oracle.rows)
    live = diagnosis_rows(store, live_run_id, seconds=0.0)
    if live.run.test_set_id != oracle.run.test_set_id:
        raise InvalidInput("The two runs are not of one test set.", "Choose a live run of the same test set.")
    return reading_check(oracle.rows, live.rows)


def latest_reading(all_runs: Sequence[Run], test_set_id: str) -> tuple[Run, Run | None] | None:
    """The newest finished run of a test set with the gold documents, and the newest live run of its target.

    Args:
        all_runs: Runs, newest first.
        test_set_id: The test set.

    Returns:
        None where no such run is finished; no live run where its target has none.
    """
    finished = [run for run in all_runs if run.test_set_id == test_set_id and run.state is RunState.FINISHED]
    oracle = next((run for run in finished if run.options.get("mode") == Mode.ORACLE), None)
    if oracle is None:
        return None
    live = (
        run for run in finished if run.target == oracle.target and run.options.get("mode") in (None, Mode.RETRIEVAL)
    )
    return oracle, next(live, None)


def _experiment(name: str, members: list[Run]) -> Experiment:
    by_mode: dict[Mode, Run] = {}
    for run in members:  # newest first
        by_mode.setdefault(Mode(str(run.options["mode"])), run)
    first = by_mode.get(Mode.RETRIEVAL, members[0])
    return Experiment(
        id=name,
        test_set_id=first.test_set_id,
        target=first.target,
        created_at=min(run.created_at for run in by_mode.values()),
        runs={mode: by_mode[mode] for mode in Mode if mode in by_mode},
    )


def _waits(store: Store, run: Run) -> bool:
    return run.state is not RunState.FINISHED and not (run.job_id and get_job(store, run.job_id).state.active)
