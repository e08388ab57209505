"""The table of column names."""

from core.io.exchange.format import list_formats
from core.io.tables.columns import ALIASES, EXCEPTIONS, Field, arrange, plain_name


def test_names_are_written_as_they_are_compared():
    assert all(name == plain_name(name) for names in ALIASES.values() for name in names)


def test_every_exception_is_about_a_name_that_means_something_else_elsewhere():
    for one in EXCEPTIONS:
        assert one.column not in ALIASES[one.becomes]
        assert any(one.column in names for names in ALIASES.values())


def test_formats_repeat_nothing_of_the_table():
    """A format names what the table does not know, and what means something else in its files."""
    for one in list_formats():
        repeated = [name for name, field in one.spec.columns.items() if name in ALIASES.get(field, ())]
        assert not repeated, one.spec.name


def test_the_first_name_of_the_table_is_taken():
    assert arrange(["answer", "response", "gpt_response"])[Field.ANSWER] == ("gpt_response", "response")
    assert arrange(["Response", "ANSWER"])[Field.ANSWER] == ("Response", "ANSWER")


def test_a_name_under_two_fields_fills_both_unless_one_has_a_better_column():
    both = arrange(["retrieved_context_ids"])
    assert both == {Field.DOCUMENT_IDS: ("retrieved_context_ids",), Field.CHUNK_IDS: ("retrieved_context_ids",)}
    assert arrange(["retrieved_context_ids", "document_ids"])[Field.DOCUMENT_IDS][0] == "document_ids"


def test_a_column_called_group_or_cluster_is_no_source_of_rows():
    assert not arrange(["group", "cluster"])
