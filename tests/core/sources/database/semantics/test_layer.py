"""The semantic layer: proposed by rules, said by a person, in files, on a connected database."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning
from core.sources.database import DatabaseSource
from core.sources.database.semantics.applying import layer_of, refuse_unknown
from core.sources.database.semantics.files import layer_csv, layer_yaml, parse_layer, read_layer
from tests.support.databases.sqlite_files import sqlite_file

BROKER = """
    CREATE TABLE sbcustomer (sbcustid TEXT PRIMARY KEY, sbcustname TEXT, sbcustpostalcode TEXT, sbcustjoindate DATE);
    CREATE TABLE sbticker (sbtickerid TEXT PRIMARY KEY, sbtickername TEXT, sbtickerdb2x TEXT, sbtickertype INTEGER);
    CREATE TABLE sbtransaction (sbtxid TEXT PRIMARY KEY, sbtxcustid TEXT, sbtxtickerid TEXT, sbtxccy TEXT);
    INSERT INTO sbcustomer VALUES ('C1', 'Ann Lee', '8000', '2020-01-02'), ('C2', 'Bo Ray', '9000', '2021-01-02');
    INSERT INTO sbticker VALUES ('T1', 'Apple Inc.', 'NQ', 0), ('T2', 'Visa Inc.', 'NY', 1);
    INSERT INTO sbtransaction VALUES ('X1', 'C1', 'T2', 'USD'), ('X2', 'C2', 'T9', 'EUR');
    CREATE VIEW sbpeople AS SELECT sbcustname FROM sbcustomer;
"""


PORT = """
    CREATE TABLE VSL_MASTER (imo_no INTEGER PRIMARY KEY, vsl_nm TEXT, flag_cd TEXT, beam_m REAL, drf_max_m REAL);
    CREATE TABLE BERTHS (brth_cd TEXT PRIMARY KEY, brth_nm TEXT, len_m REAL, dpth_m REAL, sts_cd TEXT);
    CREATE TABLE tblPilots (plt_id INTEGER PRIMARY KEY, LastName TEXT, lic_no TEXT, lang_txt TEXT, join_dt TEXT);
    CREATE TABLE CARGO_LOT (
        lot_id INTEGER PRIMARY KEY, imo_no INTEGER REFERENCES VSL_MASTER, cmdty_txt TEXT, hzd_cls TEXT
    );
    CREATE TABLE INSP_HDR (
        insp_id INTEGER PRIMARY KEY, lot_id INTEGER REFERENCES CARGO_LOT, insp_dt TEXT, max_stay_h REAL
    );
"""
"""Short forms throughout, and units of one letter."""


def test_short_forms_of_the_own_table_units_and_kinds_of_storage_are_read(tmp_path: Path) -> None:
    with DatabaseSource.connect(sqlite_file(tmp_path / "p.sqlite", PORT)) as source:
        nouns = {table.name: table.spoken for table in source.schema.tables}
        columns = {column.name: column.spoken for table in source.schema.tables for column in table.columns}
        lot = source.schema.table("CARGO_LOT")
        lengths = [source.schema.table("BERTHS").column(name) for name in ("len_m", "dpth_m")]
    assert [nouns[name] for name in ("tblPilots", "INSP_HDR", "VSL_MASTER")] == ["pilots", "inspection", "vessel"]
    assert lot.asked
    assert not lot.column("hzd_cls").descriptive  # short forms that nobody can read stay
    assert [columns[name] for name in ("brth_cd", "brth_nm")] == ["code", "name"]
    assert [columns[name] for name in ("lang_txt", "cmdty_txt")] == ["language", "commodity"]
    assert [columns[name] for name in ("len_m", "dpth_m", "beam_m", "max_stay_h")] == [
        *("length m", "depth m", "beam_m", "maximum stay hours"),  # units are spelled out in questions
    ]
    assert all(column.descriptive for column in lengths)


def test_names_are_opened_joins_found_and_views_left_out(tmp_path: Path) -> None:
    with DatabaseSource.connect(sqlite_file(tmp_path / "b.sqlite", BROKER)) as source:
        customer, ticker, transaction = (
            source.schema.table(f"sb{name}") for name in ("customer", "ticker", "transaction")
        )
        assert (customer.noun, transaction.noun) == ("customer", "transaction")
        assert customer.column("sbcustpostalcode").noun == "postal code"
        assert transaction.column("sbtxccy").noun == "currency"
        # Without a description nobody can say what db2x is; ids stay ids under their opened names.
        assert not ticker.column("sbtickerdb2x").descriptive
        assert not transaction.column("sbtxcustid").descriptive
        # Every value of one column is a customer; one of the other is no ticker.
        assert [key.referred_table for key in transaction.foreign_keys] == ["sbcustomer"]
        assert not source.schema.table("sbpeople").asked


def test_a_table_with_a_name_that_nobody_reads_is_asked_about_once_it_is_named(tmp_path: Path) -> None:
    address = sqlite_file(
        tmp_path / "h.sqlite",
        "CREATE TABLE hol_cal (code TEXT PRIMARY KEY, name TEXT); INSERT INTO hol_cal VALUES ('A', 'Easter');"
        "CREATE VIEW hols AS SELECT name FROM hol_cal",
    )
    with DatabaseSource.connect(address) as source:
        assert not source.schema.table("hol_cal").asked
    named = SemanticLayer(tables=(TableMeaning(name="HOL_CAL", noun="holiday"), TableMeaning(name="hols", noun="day")))
    with DatabaseSource.connect(address, layer=named) as source:
        assert source.schema.table("hol_cal").asked
        assert not source.schema.table("hols").asked, "a view is asked about by choice only"
    closed = SemanticLayer(tables=(TableMeaning(name="hol_cal", noun="holiday", ask=False),))
    with DatabaseSource.connect(address, layer=closed) as source:
        assert not source.schema.table("hol_cal").asked


def test_a_number_that_counts_rows_points_to_no_table(tmp_path: Path) -> None:
    script = """
        CREATE TABLE rep (rep_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE lane (lane_no INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE result (sample TEXT, rep_no INTEGER, lane_no INTEGER, value REAL, PRIMARY KEY (sample, rep_no));
        INSERT INTO rep VALUES (1, 'Ann'), (2, 'Bo'); INSERT INTO lane VALUES (1, 'Left'), (2, 'Right');
        INSERT INTO result VALUES ('S1', 1, 1, 2.5), ('S1', 2, 2, 3.5);
    """
    with DatabaseSource.connect(sqlite_file(tmp_path / "r.sqlite", script)) as source:
        # The second repetition is no representative; the lane is one by the name of its key.
        assert [key.referred_table for key in source.schema.table("result").foreign_keys] == ["lane"]


def test_what_is_said_wins_and_comes_back_from_its_files(tmp_path: Path) -> None:
    said = SemanticLayer(
        tables=(
            TableMeaning(
                name="sbticker",
                noun="security",
                label=("sbtickername",),
                columns=(
                    ColumnMeaning(name="sbtickerdb2x", description="2 letter exchange code"),
                    ColumnMeaning(name="sbtickertype", noun="kind", codes=(("0", "stock"), ("1", "fund"))),
                ),
            ),
            TableMeaning(name="sbpeople", ask=True),
        )
    )
    with DatabaseSource.connect(sqlite_file(tmp_path / "b.sqlite", BROKER), layer=said) as source:
        ticker = source.schema.table("sbticker")
        assert (ticker.noun, ticker.label, ticker.column("sbtickertype").noun) == (
            "security",
            ("sbtickername",),
            "kind",
        )
        assert ticker.column("sbtickerdb2x").noun == "2 letter exchange code"
        assert source.schema.table("sbpeople").asked
        whole = layer_of(source.schema)
        refuse_unknown(source.schema, whole)
        with pytest.raises(InvalidInput, match=r"names sbticker\.colour"):
            refuse_unknown(
                source.schema,
                SemanticLayer(tables=(TableMeaning(name="sbticker", columns=(ColumnMeaning(name="colour"),)),)),
            )
    for layer in (said, whole):
        assert parse_layer(layer_yaml(layer), ".yaml", name="f") == layer
    assert parse_layer(layer_csv(said), ".csv", name="f") == said
    glossary = tmp_path / "g.json"
    glossary.write_text(
        '{"table_metadata": {"app.sbticker": [{"column_name": "sbtickerdb2x", "column_description": "exchange code"}]}}'
    )
    ((column,),) = ([*table.columns] for table in read_layer(glossary).tables)
    assert (column.name, column.description) == ("sbtickerdb2x", "exchange code")


def test_a_file_that_is_no_layer_is_refused() -> None:
    with pytest.raises(InvalidInput, match="colour"):
        parse_layer("table,colour\nx,red\n", ".csv", name="f")
    with pytest.raises(InvalidInput, match="tables"):
        parse_layer("x: 1", ".yaml", name="f")
    with pytest.raises(UnreadableFile):
        parse_layer("{", ".json", name="f")
