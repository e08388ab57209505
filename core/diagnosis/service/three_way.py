"""The three-way experiment: one test set, one target, asked closed book, with the gold documents, and live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.diagnosis import open_domain_groups
from core.diagnosis.reading_check import ReadingCheck, reading_check
from core.diagnosis.three_way import Mode, ThreeWay, open_domain_filter, three_way
from core.domain.cases import TestCase
from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.runs import Run, RunState
from core.evaluation.rows import diagnosis_rows
from core.evaluation.service import create_run, start_run
from core.jobs import get as get_job
from core.store import runs
from core.store.database import Store
from core.targets import list_targets

EXPERIMENT = "experiment"
"""The option of a run that names its experiment; ``mode`` says which of the three it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Up to three runs of one test set that belong together.

    Attributes:
        id: Shared by the runs' options; for runs chosen by hand, made of their ids.
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
    """An experiment, read.

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
    """Names of the kinds of target that can be asked in all three ways."""
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
        InvalidInput: The target cannot be opened, or not in all three ways.
        Conflict: The test set is not frozen.
        Forbidden: The actor may not change the project.
    """
    name = target.partition(":")[0]
    able = targets_with_modes()
    if name not in able:
        raise InvalidInput(
            f"The target {name} cannot be asked without documents and with the gold ones.",
            f"Choose one of: {', '.join(able)}; or record three runs of your system and compare those.",
        )
    experiment = new_id("exp")
    made = {
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
        start_run(store, made[mode].id, actor=actor)
    return find_experiment(store, made[Mode.RETRIEVAL].project_id, experiment)


def go_on(store: Store, experiment: Experiment, *, actor: str) -> int:
    """Starts or resumes each run of an experiment that is neither finished nor going.

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
    """Whether a run of the experiment is unfinished and nobody works on it."""
    return any(_waits(store, run) for run in experiment.runs.values())


def experiments(store: Store, project_id: str) -> tuple[Experiment, ...]:
    """The project's experiments, newest first; the newest run of a mode counts."""
    with store.read() as connection:
        known = runs.all(connection, project_id)
    found: dict[str, list[Run]] = {}
    for run in known:
        name = str(run.options.get(EXPERIMENT, ""))
        if name and run.options.get("mode") in set(Mode):
            found.setdefault(name, []).append(run)
    return tuple(_experiment(name, members) for name, members in found.items())


def find_experiment(store: Store, project_id: str, experiment_id: str) -> Experiment:
    """The experiment of that id.

    Raises:
        NotFound: The project has none.
    """
    for found in experiments(store, project_id):
        if found.id == experiment_id:
            return found
    raise NotFound(f"There is no experiment {experiment_id}.", "Choose one on the Know, read, retrieve page.")


def of_runs(store: Store, closed_book: str, oracle: str, live: str) -> Experiment:
    """Three stored runs taken as an experiment: recordings of a system that Plumbline cannot ask itself.

    Raises:
        NotFound: There is no such run.
        InvalidInput: They are not three runs of one test set.
    """
    named = {Mode.CLOSED_BOOK: closed_book, Mode.ORACLE: oracle, Mode.RETRIEVAL: live}
    with store.read() as connection:
        members = {mode: runs.get(connection, run_id) for mode, run_id in named.items()}
    if len(set(named.values())) < len(named):
        raise InvalidInput("One run is named twice.", "Choose three different runs.")
    if len({run.test_set_id for run in members.values()}) > 1:
        raise InvalidInput("The three runs are not of one test set.", "Choose runs of the same version of a test set.")
    last = members[Mode.RETRIEVAL]
    return Experiment(
        id="+".join(named.values()),
        test_set_id=last.test_set_id,
        target=last.target,
        created_at=last.created_at,
        runs=members,
    )


def compare(
    store: Store, experiment: Experiment, *, form: str = "", closed_domain: bool = False, seed: int = 0
) -> Comparison:
    """What the three runs say together, and what the oracle run says about the data.

    Args:
        store: Where the runs live.
        experiment: The three runs.
        form: Only cases of this form; all of them when empty.
        closed_domain: Only groups that the model alone does not answer in any form. The open-domain filter itself is
            always shown over all groups of the form, and so is the reading check.
        seed: Of the resampling.

    Raises:
        Conflict: A run is missing.
    """
    if experiment.missing:
        raise Conflict(
            f"Experiment {experiment.id} has no run {', '.join(experiment.missing)}.", "Start a new experiment."
        )
    read = {mode: diagnosis_rows(store, run.id) for mode, run in experiment.runs.items()}
    live = read[Mode.RETRIEVAL]
    rows = {mode: [row for row in found.rows if not form or row.form == form] for mode, found in read.items()}
    outside = open_domain_groups(read[Mode.CLOSED_BOOK].rows) if closed_domain else frozenset()
    left = {mode: [row for row in some if row.group_id not in outside] for mode, some in rows.items()}
    found = three_way(*(left[mode] for mode in Mode), known_ids=live.known_ids, seed=seed)
    if closed_domain:
        whole = open_domain_filter(rows[Mode.CLOSED_BOOK], rows[Mode.RETRIEVAL], known_ids=live.known_ids)
        found = replace(found, open_domain=whole)
    return Comparison(
        three=found,
        check=reading_check(rows[Mode.ORACLE], rows[Mode.RETRIEVAL]),
        cases=live.cases,
        answers={
            mode: {case_id: response.answer for case_id, response in some.responses.items()}
            for mode, some in read.items()
        },
    )


def check_reading(store: Store, oracle_run_id: str, live_run_id: str = "") -> ReadingCheck:
    """The reading check of one oracle-context run, beside a live run of the same test set where one is named.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The two are not of one test set.
    """
    oracle = diagnosis_rows(store, oracle_run_id)
    if not live_run_id:
        return reading_check(oracle.rows)
    live = diagnosis_rows(store, live_run_id)
    if live.run.test_set_id != oracle.run.test_set_id:
        raise InvalidInput("The two runs are not of one test set.", "Choose a live run of the same test set.")
    return reading_check(oracle.rows, live.rows)


def latest_reading(every: Sequence[Run], test_set_id: str) -> tuple[Run, Run | None] | None:
    """The newest finished run of a test set with the gold documents at hand, and the newest live one of its target.

    Args:
        every: Runs, newest first.
        test_set_id: The test set.

    Returns:
        None where no such run is finished; no live run where its target has none.
    """
    of_set = [run for run in every if run.test_set_id == test_set_id and run.state is RunState.FINISHED]
    oracle = next((run for run in of_set if run.options.get("mode") == Mode.ORACLE), None)
    if oracle is None:
        return None
    live = (run for run in of_set if run.target == oracle.target and run.options.get("mode") in (None, Mode.RETRIEVAL))
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
