"""Answers that an unfinished check of before kept as they were are forgotten, in the file's freed pages as well."""

import pytest
import sqlalchemy as sa
from alembic import command

from core.store.database import Store
from core.store.engines import parse, writer
from tests.core.store.test_migrate import config

BEFORE = "0024"
IBAN = "DE89370400440532013000"
ANSWER = f'{{"answer": "Her account is {IBAN}."}}'


def fill(url):
    engine = writer(parse(url))
    with engine.connect() as connection, connection.begin():
        command.upgrade(config(connection), BEFORE)
        connection.execute(sa.text("INSERT INTO projects (id, name, sample) VALUES ('p', 'Old bank', false)"))
        connection.execute(
            sa.text("INSERT INTO trial_answers VALUES ('p', 'set-up', 'probes', 'c', :answer)"), {"answer": ANSWER}
        )
    engine.dispose()


@pytest.mark.slow
def test_no_row_is_left(url):
    fill(url)
    with Store.open(url) as store, store.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM trial_answers")).scalar() == 0


def test_no_byte_of_the_file_has_them(tmp_path):
    path = tmp_path / "store.sqlite"
    fill(f"sqlite:///{path}")
    held = [file.read_bytes() for file in tmp_path.iterdir()]
    assert any(IBAN.encode() in data for data in held)
    with Store.open(f"sqlite:///{path}"):
        pass
    assert not any(IBAN.encode() in file.read_bytes() for file in tmp_path.iterdir())
