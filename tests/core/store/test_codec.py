"""Every record reads back equal."""

import json
from datetime import date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import Run, RunState
from core.domain.sources.documents import Document, SkippedFile
from core.domain.sources.projects import Project, Source, SourceKind
from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.domain.testset.cases import TestCase, TestSet
from core.domain.testset.templates import Check, SqlTemplate, TextTemplate
from core.store.codec import decode, encode, from_row, to_row

words = st.text(max_size=12)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | words
    | st.binary(max_size=6)
    | st.dates()
    | st.datetimes()
    | st.times()
    | st.decimals(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(words | st.sampled_from(["$tuple", "$dict"]), inner, max_size=3)
    ),
    max_leaves=8,
)
mappings = st.dictionaries(words, plain, max_size=3)
texts = st.lists(words, max_size=3).map(tuple)
columns = st.builds(Column, name=words, type=words, nullable=st.booleans(), reason=words)
tables = st.builds(
    Table,
    name=words,
    rows=st.integers(0),
    columns=st.lists(columns, max_size=2).map(tuple),
    primary_key=texts,
    foreign_keys=st.lists(
        st.builds(ForeignKey, columns=texts, referred_table=words, referred_columns=texts), max_size=2
    ).map(tuple),
)
schemas = st.builds(Schema, dialect=words, tables=st.lists(tables, max_size=2).map(tuple))
checks = st.lists(st.builds(Check, name=words, passed=st.booleans(), message=words), max_size=2).map(tuple)
floats = st.none() | st.floats(allow_nan=False)
records = st.one_of(
    st.builds(Project, id=words, name=words, sample=st.booleans()),
    st.builds(
        Source,
        id=words,
        project_id=words,
        kind=st.sampled_from(SourceKind),
        name=words,
        location=words,
        schema=st.none() | schemas,
        overrides=st.dictionaries(words, st.booleans(), max_size=2),
    ),
    st.builds(Document, id=words, title=words, text=words),
    st.builds(SkippedFile, path=words, reason=words),
    st.builds(SqlTemplate, id=words, sql=words, tables=texts, checks=checks),
    st.builds(TextTemplate, id=words, sql_template_id=words, form=words, text=words, checks=checks),
    st.builds(TestSet, id=words, project_id=words, name=words, options=mappings, counts=mappings),
    st.builds(
        TestCase,
        case_id=words,
        question=words,
        reference_answers=texts,
        sql_params=mappings,
        attributes=st.dictionaries(words, words, max_size=2),
    ),
    st.builds(Run, id=words, project_id=words, test_set_id=words, target=words, options=mappings),
    st.builds(
        Response,
        case_id=words,
        answer=st.none() | words,
        contexts=st.lists(st.builds(Context, document_id=words, score=floats), max_size=2).map(tuple),
        abstained=st.none() | st.booleans(),
        latency_s=floats,
    ),
    st.builds(Score, case_id=words, metric=words, value=floats, detail=mappings),
)


@pytest.mark.slow
@given(records)
@settings(max_examples=300, deadline=None)
def test_records_read_back_equal(record):
    row = to_row(record)
    through_json = {
        name: json.loads(json.dumps(value, allow_nan=False)) if isinstance(value, (list, dict)) else value
        for name, value in row.items()
    }
    assert from_row(type(record), through_json) == record


@pytest.mark.slow
@given(plain)
@settings(max_examples=300, deadline=None)
def test_values_read_back_equal_and_of_the_same_type(value):
    again = decode(json.loads(json.dumps(encode(value), allow_nan=False)))
    assert again == value
    assert type(again) is type(value)


def test_marks():
    value = {"at": datetime(2026, 1, 2, 3, 4), "day": date(2026, 1, 2), "hour": time(3, 4), "sum": Decimal("1.10")}
    assert encode(value) == {
        "at": {"$datetime": "2026-01-02T03:04:00"},
        "day": {"$date": "2026-01-02"},
        "hour": {"$time": "03:04:00"},
        "sum": {"$decimal": "1.10"},
    }
    assert encode({"$tuple": [1]}) == {"$dict": [("$tuple", [1])]}  # a key of that name is no mark
    assert encode(RunState.PLANNED) == "planned"
    assert type(encode(RunState.PLANNED)) is str
    assert encode({3}) == [3]


def test_what_json_has_no_word_for_is_refused():
    with pytest.raises(TypeError, match="object cannot be stored as JSON"):
        encode({"x": object()})


def test_a_nested_field_added_later_takes_its_default():
    row = to_row(SqlTemplate(id="t", sql="SELECT 1", checks=(Check(name="one_answer", passed=True, value=0.5),)))
    del row["checks"][0]["value"]
    assert from_row(SqlTemplate, row).checks == (Check(name="one_answer", passed=True, value=None),)
