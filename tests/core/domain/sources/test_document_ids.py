"""Ids: one document, many spellings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.sources.document_ids import GoldTables, KnownDocuments, bare_key, normalise_id, resolve_gold

keys = st.one_of(
    st.integers(0, 10**6).map(str), st.text(st.characters(categories=("L", "Nd")), min_size=1, max_size=12)
)
tables = st.from_regex(r"[A-Za-z_][A-Za-z0-9_ ]{0,8}[a-z]", fullmatch=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "1"),
        (1.0, "1"),
        ("1", "1"),
        ("1.00", "1"),
        ("-3.0", "-3"),
        ("1.5", "1.5"),
        ("01", "01"),
        (" People:1.0 ", "people:1"),
        ("Order Details:7", "order details:7"),
        ("client:Blue Horizon", "client:Blue Horizon"),
        ("Title: a story", "Title: a story"),
        ("https://bank.example/1", "https://bank.example/1"),
        ("C:\\docs\\a.md", "C:\\docs\\a.md"),
        ("branches/hill-road.md", "branches/hill-road.md"),
        ("", ""),
    ],
)
def test_one_spelling(value, expected):
    assert normalise_id(value) == expected


@pytest.mark.slow
@given(st.text(max_size=30))
def test_normalising_twice_changes_nothing(text):
    assert normalise_id(normalise_id(text)) == normalise_id(text)


@pytest.mark.slow
@given(tables, keys)
def test_letter_case_of_a_table_and_decimals_of_a_key_do_not_matter(table, key):
    gold = f"{table.lower()}:{key}"
    for own in (f"{table.upper()}:{key}", gold, f"{table}:{key}.0" if key.isascii() and key.isdigit() else gold):
        assert KnownDocuments([own]).find(gold) == own


@pytest.mark.slow
@given(tables, keys)
def test_a_bare_document_matches_a_gold_key_and_never_the_other_way_round(table, key):
    bare = bare_key(f"{table}:{key}")
    assert KnownDocuments([bare]).find(f"{table}:{key}") == bare
    assert KnownDocuments([f"{table}:{key}"]).find(key) is None


def test_numbers_of_two_tables_do_not_collide():
    assert KnownDocuments(["people:1"]).find("company:1") is None


def test_gold_ids_become_the_documents_own_ids():
    resolved, dangling = resolve_gold(["Client:1.0", "client:1", "client:9"], ["client:1", "1", "people:9"])
    assert resolved == ("client:1",)
    assert dangling == ("client:9",)


def test_a_full_match_goes_before_a_bare_key():
    assert KnownDocuments(["1", "client:1"]).find("client:1") == "client:1"
    assert KnownDocuments(["1"]).find("client:1") == "1"


@pytest.mark.slow
@given(st.lists(keys, max_size=6), st.lists(keys, max_size=6))
def test_every_gold_id_is_resolved_or_dangling(gold, known):
    resolved, dangling = resolve_gold(gold, known)
    assert set(resolved) <= set(known)
    for wanted in gold:
        found = [own for own in resolved if normalise_id(own) in (normalise_id(wanted), bare_key(wanted))]
        assert bool(found) != (wanted in dangling)


def test_what_people_matched_comes_after_the_id_itself_and_before_the_bare_key():
    documents = KnownDocuments(
        ["1", "products:2", "product-01.md", "more.md"],
        {"Products:1": ("product-01.md", "more.md"), "products:2": ("more.md",), "products:3": ("gone.md",)},
    )
    assert documents.find_all("products:1.0") == ("product-01.md", "more.md")
    assert documents.find("products:1") == "product-01.md"
    assert documents.find_all("suppliers:1") == ("1",)
    assert documents.find_all("products:2") == ("products:2",)
    assert documents.find_all("products:3") == ()
    assert documents.resolve(["products:1", "products:3"]) == (("product-01.md", "more.md"), ("products:3",))


def test_only_what_people_matched_is_spelled_anew():
    documents = KnownDocuments(["1", "page.md"], {"products:7": ("page.md",)})
    assert documents.named(("products:7", "products:1", "x")) == ("page.md", "products:1", "x")
    assert KnownDocuments(["1"]).named(("products:1",)) == ("products:1",)


def test_a_table_of_which_no_record_has_a_document_is_not_compared():
    documents = KnownDocuments(["1", "page.md"], {"customers:7": ("page.md",)})
    gold = ("customers:7", "Customers:8", "orders:10", "orders:11", "page.md")
    tables = GoldTables.of(gold, documents)
    assert (tables.fitting, tables.unfit, tables.none_fits) == ({"customers", ""}, {"orders"}, False)
    # a record without a document among others that have one is a gap, which counts
    assert tables.comparable(["customers:8"])
    assert not tables.comparable(["customers:7", "ORDERS:10"])
    assert tables.comparable([])
    assert GoldTables.of(["orders:10"], documents).none_fits
    assert GoldTables.of(gold, None).comparable(["orders:10"])
