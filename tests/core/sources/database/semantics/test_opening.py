"""Shortened names are written out, and what nobody can say is not asked for."""

from __future__ import annotations

import pytest

from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.sources.database.semantics.opening import opened_columns
from core.sources.database.semantics.proposing import propose
from core.testset.grounded.words.phrases import column_noun, role_noun, table_noun


def meanings(*tables: Table) -> dict[str, object]:
    return {table.name: table for table in propose(Schema(dialect="sqlite", tables=tables)).tables}


def table(name: str, *columns: str, **more: object) -> Table:
    return Table(
        name=name,
        rows=10,
        columns=tuple(Column(name=column, type="TEXT") for column in columns),
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mat_dt", "maturity date"),
        ("clmd_amt", "claimed amount"),
        ("fltno", "flight no"),
        ("dflt_ccy_cd", "default currency code"),
        ("addr_ln1", "address line"),
        ("forename", "forename"),
    ],
)
def test_a_shortened_name_is_written_out(name, words):
    assert " ".join(opened_columns([name])[name]) == words


def test_a_table_that_nobody_can_name_is_not_asked_about():
    found = meanings(table("hol_cal", "name"), table("orders", "name"))
    assert found["hol_cal"].ask is False
    assert found["orders"].ask is None


def test_letters_of_the_table_glued_to_name_say_nothing():
    (column,) = meanings(table("airports", "apname"))["airports"].columns
    assert column.noun == "name"


def test_a_key_is_called_as_the_table_it_points_to():
    key = ForeignKey(columns=("med_id",), referred_table="medicine", referred_columns=("med_id",))
    found = meanings(table("recall", "med_id", foreign_keys=(key,)), table("medicine", "med_id"))
    assert found["recall"].columns[0].noun == "medicine id"


def test_half_of_a_key_of_two_columns_is_called_as_the_same_column_elsewhere():
    glacier = ForeignKey(columns=("glac_id",), referred_table="glaciers", referred_columns=("glac_id",))
    stake = ForeignKey(
        columns=("glac_id", "stake_no"), referred_table="stakes", referred_columns=("glac_id", "stake_no")
    )
    found = meanings(
        table("glaciers", "glac_id", "elev_min_m", "aspect_cd"),
        table("stakes", "glac_id", "stake_no", "drilled_dt", primary_key=stake.columns, foreign_keys=(glacier,)),
        table("readings", "glac_id", "stake_no", "read_dt", foreign_keys=(stake,)),
    )
    of_stake, of_reading = (found[name].columns[0] for name in ("stakes", "readings"))
    assert (of_reading.noun, of_reading.ask) == (of_stake.noun, of_stake.ask)
    assert of_reading.ask is None


def test_keys_that_point_to_each_other_end():
    there = ForeignKey(columns=("x_id", "n"), referred_table="b", referred_columns=("x_id", "n"))
    back = ForeignKey(columns=("x_id", "n"), referred_table="a", referred_columns=("x_id", "n"))
    found = meanings(table("a", "x_id", "n", foreign_keys=(there,)), table("b", "x_id", "n", foreign_keys=(back,)))
    assert set(found) == {"a", "b"}


@pytest.mark.parametrize(
    ("table_name", "referring", "column", "noun"),
    [
        ("glaciers", "glaciers", "main_glac_id", "main glaciers id"),
        ("glaciers", "huts", "main_glac_id", "main glaciers id"),
        ("harbours", "ships", "home_harb_id", "home harbours id"),
        ("work orders", "jobs", "first_wo_id", "first work order id"),
        # Nobody can read the role: the other table is meant, where it is another one.
        ("glaciers", "huts", "xq_glac_id", "glaciers id"),
        ("glaciers", "glaciers", "xq_glac_id", ""),
    ],
)
def test_a_key_called_by_a_role_and_a_table_cut_short_keeps_the_role(table_name, referring, column, noun):
    key = ForeignKey(columns=(column,), referred_table=table_name, referred_columns=("id",))
    own = table(referring, column, foreign_keys=(key,))
    found = meanings(own) if referring == table_name else meanings(own, table(table_name, "id"))
    (said,) = found[referring].columns
    assert said.noun == noun


def test_roles_leave_out_the_column_they_point_to():
    assert role_noun(["patient hosp no"], "patient", ["hosp no"]) == "patient"
    assert role_noun(["assigned employee id"], "employee", ["employee id"]) == "assigned employee"


def test_units_and_records_read_as_people_say_them():
    assert column_noun("elev_ft", "airport") == "elev in feet"
    assert table_noun("maintenance") == "maintenance record"
    assert table_noun("crew") == "crew member"


def test_a_key_that_only_repeats_the_other_tables_key_has_no_role():
    assert role_noun(["card no"], "member", ["card no"]) == "member"


def test_words_that_end_like_two_stay_whole():
    assert column_noun("CapacityMw", "wind farm") == "capacity in megawatts"
    assert column_noun("FoundedYr", "operator") == "founded yr"


def test_the_first_letters_of_a_table_say_nothing_in_its_columns_and_name_it_in_a_key():
    key = ForeignKey(columns=("rt_code",), referred_table="room_type", referred_columns=("rt_code",))
    found = meanings(table("room", "rt_code", foreign_keys=(key,)), table("room_type", "rt_code", "beds", "size_sqm"))
    assert found["room_type"].columns[0].noun == "code"
    assert found["room"].columns[0].noun == "room type code"
