"""A folder as the home of one run: its own store, with the test set, the corpus and the run in it."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.cli.databases.behind import connect_behind, say_without
from core.cli.models.endpoints import Access
from core.cli.models.run_models import UNSAID, with_models
from core.cli.output import progress_line, tell
from core.domain.errors import BudgetSpent, Conflict, InvalidInput, NotFound, PlumblineError, Stopped
from core.domain.identity import new_id
from core.domain.results.runs import Run
from core.domain.sources.projects import SourceKind
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.installation import typed
from core.io.cases import read_case_file, read_cases
from core.io.recorded_answers import Recording, read_recording
from core.io.recorded_verdicts import VerdictFile, read_verdicts
from core.judging import list_judges
from core.judging.registry import split_judges
from core.project.service import LONGEST_NAME, create_project
from core.runs.service import create_run
from core.settings import settings
from core.sources.corpus import load_corpus
from core.sources.service import connect_corpus
from core.store import projects, sources
from core.store.database import Store
from core.store.results import runs
from core.store.testset import testsets
from core.targets import list_targets
from core.testset.gold_fit import gold_fit
from core.text.display.visible import visible

STORE_FILE = "plumbline.sqlite"
PREPARING = ".preparing-"
FILE = "FILE"
"""How the argument of a target or a judge begins that reads a file."""
IDS = "A document is named by its id: in its front matter (id: table:key), or in documents.csv beside the documents."
HOW = "Give a run's id, or its --out folder."


@contextmanager
def opened(name: str) -> Iterator[tuple[Store, Run]]:
    """The run of an ``--out`` folder, or of the default store by its id, with its store.

    Raises:
        NotFound: There is neither.
        InvalidInput: The folder's store holds several runs.
    """
    if not name.strip():
        raise InvalidInput("No run is given.", HOW)
    folder = Path(name)
    inside = folder.is_dir()
    if inside and not (folder / STORE_FILE).is_file():
        raise NotFound(f"{folder} is not the folder of a run.", HOW)
    with Store.open(_url(folder) if inside else settings().database_url) as store:
        with store.read() as connection:
            stored = runs.all(connection, None)
        candidates = stored if inside else [run for run in stored if run.id == name]
        if not candidates:
            raise NotFound(f"{folder} holds no run." if inside else f"There is no run {name}.", HOW)
        if len(candidates) > 1:
            raise InvalidInput(
                f"{folder} holds {len(candidates)} runs.", f"Name one by its id: {candidates[0].id}, for example."
            )
        yield store, candidates[0]


def prepare(
    out: Path,
    *,
    cases_file: Path,
    target: str,
    judge: str,
    corpus: Path | None,
    seed: int,
    options: Mapping[str, object],
    access: Access = UNSAID,
    database: str = "",
) -> dict[str, str]:
    """Makes the folder's store and plans the run. It is there as a whole or not at all, also after a kill.

    Args:
        out: The folder.
        cases_file: The test set.
        target: Its spec; the address may be left out of a model where `access` names an endpoint.
        judge: Likewise.
        corpus: The documents.
        seed: Of all that is drawn.
        options: Of the run.
        access: How its models are called; their endpoints are kept with the run, so that it can be resumed.
        database: The address of the database that the questions were made from, or empty.

    Returns:
        The columns of the test set, and of a file of recorded answers or verdicts, that are not read, with the reason.

    Raises:
        Conflict: The folder already holds a run.
        InvalidInput: The folder cannot be made, the test set is empty, or target, judge or corpus cannot be used.
    """
    file = read_case_file(cases_file)
    cases = file.cases
    if not cases:
        raise InvalidInput(f"{cases_file} has no case.", "Write one JSON object with a question on each line.")
    if corpus is None and any(spec.needs_corpus and spec.name == target.partition(":")[0] for spec in list_targets()):
        raise InvalidInput(f"The target {target} searches documents, but none are given.", "Add --corpus FOLDER.")
    created = _make(out)
    building = Path(tempfile.mkdtemp(prefix=PREPARING, dir=out))
    try:
        with Store.open(_url(building)) as store:
            test_set = _stored_cases(store, out, cases_file.name, cases, corpus, database)
            judges = split_judges(str(options.get("metric_judges") or ""))
            target, judge, *judges_at = with_models(
                store, test_set.project_id, access, (target, judge, *judges), options
            )
            if judges_at:
                options = {**options, "metric_judges": ",".join(judges_at)}
            create_run(
                store,
                test_set.id,
                actor=settings().actor,
                target=absolute(target),
                judge=absolute(judge),
                seed=seed,
                options=options,
            )
            if corpus is not None and (fit := gold_fit(store, test_set.id)) and fit.missing:
                tell(f"Warning: {fit.sentence} {IDS}")
            if corpus is not None:
                say_without(cases, database)
        _publish(building / STORE_FILE, out)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        if created:
            _leave(out)
        raise
    shutil.rmtree(building)
    return _ignored({cases_file: [file.ignored]}, target, judge)


def _ignored(by_file: dict[Path, list[Mapping[str, str]]], target: str, judge: str) -> dict[str, str]:
    """The columns that are not read; of a file that is read as several things, those that none of them reads."""
    readers: tuple[tuple[str, Callable[[Path], Recording | VerdictFile]], ...] = (
        (target, read_recording),
        (judge, read_verdicts),
    )
    for spec, read in readers:
        kind, _, path = spec.partition(":")
        if kind == "recorded":
            by_file.setdefault(Path(path), []).append(read(Path(path)).ignored)
    return {
        column: why
        for first, *others in by_file.values()
        for column, why in first.items()
        if all(column in other for other in others)
    }


@contextmanager
def made(
    out: Path, *, cases_file: Path, corpus: Path, done: str, database: str = ""
) -> Iterator[tuple[Store, TestSet]]:
    """The folder's store with the frozen test set and the documents in it, new or of work that was stopped.

    It is there as a whole before the work begins, and stays where the work is stopped, killed or out of budget, so that
    the same command goes on with it. Where the work is refused, what was made for it goes.

    Args:
        out: The folder.
        cases_file: The test set.
        corpus: The documents.
        done: The file in the folder that shows that the work is done.
        database: The address of the database that the questions were made from, or empty.

    Raises:
        Conflict: The folder holds a run, finished work, or work on another test set or other documents.
        InvalidInput: The folder cannot be made, the test set is empty, or the documents cannot be read.
    """
    cases = read_cases(cases_file)
    if not cases:
        raise InvalidInput(f"{cases_file} has no case.", "Write one JSON object with a question on each line.")
    begun = (out / STORE_FILE).is_file() and not (out / done).exists()
    created = False if begun else _make(out)
    if not begun:
        building = Path(tempfile.mkdtemp(prefix=PREPARING, dir=out))
        try:
            with Store.open(_url(building)) as store:
                _stored_cases(store, out, cases_file.name, cases, corpus, database)
            _publish(building / STORE_FILE, out)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            if created:
                _leave(out)
            raise
        shutil.rmtree(building)
    try:
        with Store.open(_url(out)) as store:
            test_set = _begun(store, out, cases, corpus) if begun else _only_test_set(store, out)
            connect_behind(store, test_set.project_id, database)
            yield store, test_set
    except (Stopped, BudgetSpent):
        raise
    except PlumblineError:
        if not begun:
            for ending in ("", "-wal", "-shm"):
                (out / f"{STORE_FILE}{ending}").unlink(missing_ok=True)
            if created:
                _leave(out)
        raise


def _stored_cases(
    store: Store, out: Path, name: str, cases: list[TestCase], corpus: Path | None, database: str
) -> TestSet:
    """A project with the database, the corpus and the frozen test set."""
    actor = settings().actor
    project = create_project(store, visible(out.resolve().name.strip())[:LONGEST_NAME] or "run", actor)
    connect_behind(store, project.id, database)
    if corpus is not None:
        _, loaded = connect_corpus(store, project.id, corpus, actor=actor, progress=progress_line())
        if loaded.skipped:
            tell(
                f"Documents loaded: {len(loaded.documents):,}; files left out: {len(loaded.skipped):,}. "
                f"See why with: {typed(f'corpus {corpus}')}"
            )
    test_set = TestSet(
        id=new_id("ts"),
        project_id=project.id,
        name=name,
        counts={"questions": dict(Counter(case.form for case in cases))},
    )
    with store.write(actor, "test_set.import", project_id=project.id, subject=test_set.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), datetime.now(UTC).isoformat(timespec="seconds"))
    return test_set


def _only_test_set(store: Store, out: Path) -> TestSet:
    with store.read() as connection:
        stored = runs.all(connection, None)
        test_sets = [found for project in projects.all(connection) for found in testsets.all(connection, project.id)]
    if stored or len(test_sets) != 1:
        raise _taken(out)
    return test_sets[0]


def _begun(store: Store, out: Path, cases: list[TestCase], corpus: Path) -> TestSet:
    """The test set of work that was stopped, where it is the one that is asked for, on the same documents."""
    test_set = _only_test_set(store, out)
    with store.read() as connection:
        source = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
    same = source is not None and source.fingerprint == load_corpus(corpus, progress=progress_line()).fingerprint
    if not same or test_set.content_hash != cases_hash(cases):
        raise Conflict(
            f"{out} holds unfinished work on {'other documents' if not same else 'another test set'}.",
            "Choose another --out folder.",
        )
    tell(f"Going on with the unfinished work in {out}.")
    return test_set


def _make(out: Path) -> bool:
    """Makes the folder; whether it was not there before."""
    try:
        if (out / STORE_FILE).exists():
            raise _taken(out)
        created = not out.exists()
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if isinstance(error, FileExistsError) else error.strerror
        raise InvalidInput(f"The folder {out} cannot be created: {reason}.", "Choose another --out folder.") from error
    return created


def _publish(built: Path, out: Path) -> None:
    """Puts a store into its place unless another one is there."""
    try:
        try:
            os.link(built, out / STORE_FILE)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
                raise
            if (out / STORE_FILE).exists():  # a file system without links
                raise FileExistsError from error
            built.rename(out / STORE_FILE)
    except FileExistsError as error:
        raise _taken(out) from error


def _taken(out: Path) -> Conflict:
    return Conflict(
        f"{out} already holds a run.", f"Continue with: {typed(f'resume {out}')}, or choose another --out folder."
    )


def _leave(out: Path) -> None:
    try:
        out.rmdir()
    except OSError:
        return  # somebody put something into it meanwhile


def absolute(spec: str) -> str:
    """A spec that means the same from any folder: a run is resumed from wherever a person is."""
    kind, _, argument = spec.strip().partition(":")
    files = {target.name for target in list_targets() if target.argument.startswith(FILE)}
    files |= {judge.name for judge in list_judges() if judge.argument.startswith(FILE)}
    return f"{kind}:{Path(argument.strip()).expanduser().resolve()}" if argument and kind in files else spec


def _url(folder: Path) -> str:
    return f"sqlite:///{folder.resolve() / STORE_FILE}"
