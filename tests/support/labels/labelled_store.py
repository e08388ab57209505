"""A store with a labelled run, made once and copied for each test that wants it; what such tests do again and again."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.calibration.service.calibrating import calibrate_run
from core.calibration.service.report import CalibrationOptions
from core.domain.results.labels import LabelRound
from core.labelling.labelled_scores import labelled_scores
from core.store.database import Store
from core.store.people import calibrations
from core.store.people.calibrations import CaseColumns, StoredCalibration
from tests.support.labels import labelled_run
from tests.support.labels.labelled_run import Labelled
from tests.support.once import once
from tests.support.small_bank import ACTOR

N, LABELLED = 160, 110
"""Answers of the run, and how many of them have a label."""
LABELS = "labelled.pickle"
"""Beside the store: what is in it."""


@pytest.fixture(scope="session")
def labelled_base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Labelled]:
    """The file of a store with a run of 160 answers of which 110 are labelled, and what is in it."""

    def build(folder: Path) -> None:
        folder.mkdir()
        _, labelled = labelled_run.write_store(folder, n=N, labelled=LABELLED)
        (folder / LABELS).write_bytes(pickle.dumps(labelled))

    base = once(tmp_path_factory, "labelled", build)
    return base / "plumbline.sqlite", pickle.loads((base / LABELS).read_bytes())


@pytest.fixture
def made(labelled_base: tuple[Path, Labelled]) -> Labelled:
    """What is in the store."""
    return labelled_base[1]


@pytest.fixture
def labelled(labelled_base: tuple[Path, Labelled], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A copy of the store that a test may change."""
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    shutil.copy(labelled_base[0], tmp_path / "plumbline.sqlite")
    with Store.open(f"sqlite:///{tmp_path / 'plumbline.sqlite'}") as opened:
        yield opened


def options(made: Labelled, *metrics: str, **given: object) -> CalibrationOptions:
    """Groundedness against the criterion Correct by a logistic model, unless something else is given."""
    chosen = {"metrics": metrics or ("groundedness",), "criterion_id": made.binary.id, "method": "logistic", **given}
    return CalibrationOptions(**chosen)  # type: ignore[arg-type]


def calibrated(store: Store, made: Labelled, *metrics: str, **given: object) -> StoredCalibration:
    """A stored calibration with these options."""
    return calibrate_run(store, made.run.id, options(made, *metrics, **given), actor=ACTOR)


def column(store: Store, calibration: StoredCalibration) -> CaseColumns:
    """What a calibration says of every case."""
    with store.read() as connection:
        return calibrations.columns(connection, calibration.id)


def unlabelled(store: Store, made: Labelled) -> list[str]:
    """Answered cases without a label, in the order of the test set."""
    found = labelled_scores(store, made.run.id, made.binary, ("groundedness",))
    return [
        case_id
        for case_id, has, answered in zip(found.case_ids, found.labelled, found.answered, strict=True)
        if answered and not has
    ]


def more(store: Store, made: Labelled, case_ids: list[str], **given: object) -> LabelRound:
    """A second round under the criterion Correct, labelled at once."""
    return labelled_run.add_labels(
        store,
        made.run,
        (made.binary,),
        case_ids,
        quality=made.quality,
        **given,  # type: ignore[arg-type]
    )
