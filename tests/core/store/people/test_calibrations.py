"""Calibrations: stored once, found newest first, their columns bit by bit."""

from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import insert

from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.results.labels import Criterion, Level, ScaleKind
from core.store.codec import to_row
from core.store.people import calibrations
from core.store.people.calibrations import CaseColumns, StoredCalibration
from core.store.tables import criteria
from tests.support.stores import with_run


@pytest.fixture
def labelled(store):
    """A run of three cases and two criteria."""
    with_run(store, 3)
    with store.write("anna", "prepare") as connection:
        for number in (1, 2):
            criterion = Criterion(
                id=f"crt_{number}",
                project_id="prj_1",
                name=f"Criterion {number}",
                question="Is it right?",
                kind=ScaleKind.BINARY,
                levels=(Level(value=0, anchor="no"), Level(value=1, anchor="yes")),
                position=number,
            )
            connection.execute(insert(criteria).values(to_row(criterion)))
    return store


def calibration(number, criterion="crt_1", **report):
    return StoredCalibration(
        id=f"cal_{number}",
        project_id="prj_1",
        run_id="run_1",
        criterion_id=criterion,
        options={"alpha": 0.1, "metrics": ("groundedness",)},
        report=report,
        created_at="2026-11-21T05:00:00+00:00",
        created_by="anna",
    )


def two_columns(*values, sets=(1, 2, 3)):
    return CaseColumns(probabilities=np.array(values or (0.25, np.nan, 1.0)), sets=np.array(sets, dtype=np.uint16))


def put(store, stored, columns=None):
    with store.write("anna", "calibration.make", project_id="prj_1", subject=stored.id) as connection:
        calibrations.put(connection, stored, columns or two_columns())


def test_a_calibration_reads_back_as_it_was(labelled):
    stored = calibration(1, ece=0.125, missing=float("inf"), nested=[{"n": 3, "value": None}])
    put(labelled, stored)
    with labelled.read() as connection:
        assert calibrations.get(connection, "cal_1") == stored
        columns = calibrations.columns(connection, "cal_1")
    np.testing.assert_array_equal(columns.probabilities, [0.25, np.nan, 1.0])
    assert columns.probabilities.dtype == np.float64
    np.testing.assert_array_equal(columns.sets, [1, 2, 3])
    assert columns.sets.dtype == np.uint16


def test_every_level_has_its_bit(labelled):
    masks = np.uint16([1 << (calibrations.MOST_LEVELS - 1), 0, (1 << 16) - 1])
    put(labelled, calibration(1), CaseColumns(probabilities=np.array([0.0, 0.5, 1.0]), sets=masks))
    with labelled.read() as connection:
        assert calibrations.columns(connection, "cal_1").sets.tolist() == [32_768, 0, 65_535]


def test_the_newest_of_a_run_comes_first(labelled):
    for number, criterion in ((1, "crt_1"), (2, "crt_2"), (3, "crt_1")):
        put(labelled, calibration(number, criterion))
    with labelled.read() as connection:
        assert [item.id for item in calibrations.of_run(connection, "run_1")] == ["cal_3", "cal_2", "cal_1"]
        assert [item.id for item in calibrations.of_run(connection, "run_1", "crt_1")] == ["cal_3", "cal_1"]
        assert calibrations.of_project_count(connection, "prj_1") == 3


def test_a_run_without_a_calibration_has_none(labelled):
    with labelled.read() as connection:
        assert calibrations.of_run(connection, "run_1") == []
        assert calibrations.of_project_count(connection, "prj_1") == 0
        for read in (calibrations.get, calibrations.columns):
            with pytest.raises(NotFound, match="no calibration cal_9"):
                read(connection, "cal_9")


def test_columns_of_different_length_are_refused(labelled):
    with pytest.raises(InvalidInput, match="3 probabilities come with 2 sets"):
        put(labelled, calibration(1), two_columns(sets=(1, 2)))


@pytest.mark.parametrize("wrong", ["run_id", "criterion_id"])
def test_a_calibration_of_nothing_is_refused(labelled, wrong):
    with pytest.raises(Conflict):
        put(labelled, replace(calibration(1), **{wrong: "nothing"}))
