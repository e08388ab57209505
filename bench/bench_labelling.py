"""Twenty people who label at once, each in a session of their own, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import sqlalchemy as sa

from bench.measure import Line
from core.domain.results.labels import Criterion, Label, LabelRound, ScaleKind
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase, TestSet
from core.project.service import create_project
from core.store.database import Store
from core.store.digests import checking
from core.store.people import labels as label_rows
from core.store.results import runs
from core.store.tables import labels
from core.store.testset import testsets

SESSIONS = 20
SECONDS = float(os.environ.get("PLUMBLINE_BENCH_SECONDS", "60"))
THINK_S = 2.0
"""What a quick person takes to read an answer before the next label."""

FEEL_S = 0.5
SERVER = os.environ.get("PLUMBLINE_BENCH_DATABASE_URL", "")
"""A PostgreSQL store that may be filled; without it only SQLite is measured."""


def lines() -> Iterator[Line]:
    """The time a person waits for a saved label."""
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        urls = {"SQLite": f"sqlite:///{folder / 'bench.sqlite'}", **({"PostgreSQL": SERVER} if SERVER else {})}
        for name, url in urls.items():
            with Store.open(url) as store:
                waits = _label(store)
                yield Line(
                    what=f"{SESSIONS} sessions on {name}, {len(waits):,} labels, none lost: p95 of a save",
                    seconds=float(np.quantile(waits, 0.95)),
                    against="limit: feels immediate",
                    other=FEEL_S,
                )


def _label(store: Store) -> list[float]:
    round_id, criterion_id, project_id = _round(store)
    waits: list[list[float]] = [[] for _ in range(SESSIONS)]
    end = time.monotonic() + SECONDS

    def session(place: int) -> None:
        time.sleep(THINK_S * place / SESSIONS)
        while time.monotonic() < end:
            began = time.perf_counter()
            label = Label(
                round_id=round_id,
                case_id=f"c{len(waits[place])}",
                criterion_id=criterion_id,
                rater=f"rater {place}",
                value=float(len(waits[place]) % 2),
            )
            with store.write(f"rater {place}", "label.save", project_id=project_id, subject=round_id) as connection:
                label_rows.put(connection, [label])
            waits[place].append(time.perf_counter() - began)
            time.sleep(THINK_S)

    threads = [threading.Thread(target=session, args=(place,)) for place in range(SESSIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    saved = [wait for some in waits for wait in some]
    with store.read() as connection:
        stored = connection.execute(
            sa.select(sa.func.count()).select_from(labels).where(labels.c.round_id == round_id)
        ).scalar_one()
        assert stored == len(saved), f"{len(saved) - stored} labels are lost"
        assert not checking.check(connection).counts
    return saved


def _round(store: Store) -> tuple[str, str, str]:
    project = create_project(store, f"bench {time.time()}", "local")
    ids = {name: f"{project.id}_{name}" for name in ("ts", "run", "round", "criterion")}
    with store.write("local", "bench.fill", project_id=project.id) as connection:
        testsets.put(connection, TestSet(id=ids["ts"], project_id=project.id, name="bench"))
        testsets.put_cases(connection, ids["ts"], [TestCase(case_id="c0", question="Q?")])
        runs.put(connection, Run(id=ids["run"], project_id=project.id, test_set_id=ids["ts"], target="keyword"))
        label_rows.put_criterion(
            connection,
            Criterion(
                id=ids["criterion"], project_id=project.id, name="Correct", question="Correct?", kind=ScaleKind.BINARY
            ),
        )
        label_rows.put_round(
            connection,
            LabelRound(
                id=ids["round"],
                project_id=project.id,
                run_id=ids["run"],
                name="Round",
                criteria=(ids["criterion"],),
                raters=tuple(f"rater {place}" for place in range(SESSIONS)),
            ),
        )
    return ids["round"], ids["criterion"], project.id
