"""Calibrations of a run's scores: their labels, their reports, and the columns of each case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, RowMapping, func, insert, select

from core.domain.errors import InvalidInput, NotFound
from core.store.codec import from_row, to_row
from core.store.tables import calibrations

MOST_LEVELS = 16
"""Bits of a set; a criterion has far fewer levels."""

_LIGHT = [column for column in calibrations.c if column.name not in ("probabilities", "sets")]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCalibration:
    """One calibration of a run against the labels of one criterion.

    Attributes:
        options: The options of the calibration.
        report: The result, with the labels it rests on; plain JSON.
        created_at: UTC, ISO 8601.
    """

    id: str
    project_id: str
    run_id: str
    criterion_id: str
    options: Mapping[str, object] = field(default_factory=dict)
    report: Mapping[str, object] = field(default_factory=dict)
    created_at: str = ""
    created_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseColumns:
    """The results of a calibration for every included case of the run, in the order of the test set.

    Attributes:
        probabilities: Of acceptance, NaN for a case without a score, shape (n,).
        sets: The levels in the prediction set, bit j for level j, shape (n,); 0 is the empty set, which an unscored
            case has as well.
    """

    probabilities: npt.NDArray[np.float64]
    sets: npt.NDArray[np.uint16]


def put(connection: Connection, calibration: StoredCalibration, columns: CaseColumns) -> None:
    """Stores a calibration with its results for every case; calibrations are never changed.

    Raises:
        InvalidInput: The two columns differ in length.
        Conflict: There is no such run or criterion, or the id is taken.
    """
    if columns.probabilities.shape != columns.sets.shape:
        raise InvalidInput(
            f"{columns.probabilities.size} probabilities come with {columns.sets.size} sets.",
            "Give one probability and one set for each case.",
        )
    blobs = {
        "probabilities": columns.probabilities.astype("<f8").tobytes(),
        "sets": columns.sets.astype("<u2").tobytes(),
    }
    connection.execute(insert(calibrations).values({**to_row(calibration), **blobs}))


def get(connection: Connection, calibration_id: str) -> StoredCalibration:
    """The calibration of that id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select(*_LIGHT).where(calibrations.c.id == calibration_id)).mappings().one_or_none()
    return from_row(StoredCalibration, _existing_row(row, calibration_id))


def of_run(
    connection: Connection, run_id: str, criterion_id: str | None = None, *, limit: int | None = None
) -> list[StoredCalibration]:
    """The calibrations of a run, newest first; of one criterion where it is named."""
    query = select(*_LIGHT).where(calibrations.c.run_id == run_id).order_by(calibrations.c.seq.desc()).limit(limit)
    if criterion_id is not None:
        query = query.where(calibrations.c.criterion_id == criterion_id)
    return [from_row(StoredCalibration, row) for row in connection.execute(query).mappings()]


def columns(connection: Connection, calibration_id: str) -> CaseColumns:
    """The results of a calibration for every case.

    Raises:
        NotFound: There is no such calibration.
    """
    query = select(calibrations.c.probabilities, calibrations.c.sets).where(calibrations.c.id == calibration_id)
    row = _existing_row(connection.execute(query).mappings().one_or_none(), calibration_id)
    return CaseColumns(
        probabilities=np.frombuffer(row["probabilities"], dtype="<f8").astype(np.float64),
        sets=np.frombuffer(row["sets"], dtype="<u2").astype(np.uint16),
    )


def of_project_count(connection: Connection, project_id: str) -> int:
    """How many calibrations a project has."""
    query = select(func.count()).select_from(calibrations).where(calibrations.c.project_id == project_id)
    return int(connection.execute(query).scalar_one())


def _existing_row(row: RowMapping | None, calibration_id: str) -> RowMapping:
    if row is None:
        raise NotFound(f"There is no calibration {calibration_id}.", "Choose one on the Calibrate page.")
    return row
