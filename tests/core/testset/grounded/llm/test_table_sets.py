"""Table sets: connected by foreign keys, with something to ask by and something to ask for."""

import sqlite3
from contextlib import closing

import pytest

from core.domain.errors import InvalidInput, NotFound
from core.sources.database import DatabaseSource
from core.testset.grounded.llm.table_sets import table_sets
from tests.support.shared_data import shared


@pytest.fixture
def schema(tmp_path):
    """Authors and books tied by an association table; a publisher of books; a lonely table and an empty one."""
    file = tmp_path / "books.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            """
            CREATE TABLE author (author_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
            CREATE TABLE publisher (publisher_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
            CREATE TABLE book (book_id INTEGER PRIMARY KEY, title TEXT NOT NULL, language TEXT,
                publisher_id INTEGER REFERENCES publisher(publisher_id));
            CREATE TABLE book_author (book_id INTEGER REFERENCES book(book_id),
                author_id INTEGER REFERENCES author(author_id), PRIMARY KEY (book_id, author_id));
            CREATE TABLE holiday (holiday_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE review (review_id INTEGER PRIMARY KEY, headline TEXT, critic TEXT,
                book_id INTEGER REFERENCES book(book_id));
            INSERT INTO author VALUES (1, 'Ann Lee', 'Norway');
            INSERT INTO publisher VALUES (1, 'North Press', 'Oslo');
            INSERT INTO book VALUES (1, 'The Fjord', 'Norwegian', 1);
            INSERT INTO book_author VALUES (1, 1);
            INSERT INTO holiday VALUES (1, 'New Year');
            """
        )
        connection.commit()
    with DatabaseSource.connect(f"sqlite:///{file}") as source:
        yield source.schema


def test_single_tables_need_two_descriptive_columns_and_a_row(schema):
    # holiday has one descriptive column, book_author none, review no row.
    assert table_sets(schema, sizes=[1]) == (("author",), ("book",), ("publisher",))


def test_pairs_follow_a_foreign_key_and_triples_may_be_tied_by_an_association_table(schema):
    assert table_sets(schema, sizes=[2]) == (("book", "publisher"),)
    # author - book_author - book; book_author - book - publisher has an end that nobody can ask about.
    assert table_sets(schema, sizes=[3]) == (("author", "book", "book_author"),)


def test_only_the_tables_wanted_are_used(schema):
    assert table_sets(schema, tables=["PUBLISHER", "book"]) == (("book",), ("publisher",), ("book", "publisher"))
    with pytest.raises(NotFound, match="no table nowhere"):
        table_sets(schema, tables=["nowhere"])
    with pytest.raises(InvalidInput, match="4 tables"):
        table_sets(schema, sizes=[4])


def test_every_set_of_a_real_schema_is_connected():
    with DatabaseSource.connect(f"sqlite:///{next(shared('chinook').glob('*.sqlite'))}") as source:
        schema = source.schema
    found = table_sets(schema)
    assert ("Album", "Artist") in found
    assert ("Playlist", "PlaylistTrack", "Track") in found
    for tables in found:
        keys = {
            frozenset((name, key.referred_table))
            for name in tables
            for key in schema.table(name).foreign_keys
            if key.referred_table in tables and key.referred_table != name
        }
        assert len(keys) >= len(tables) - 1
    assert len(set(found)) == len(found)
