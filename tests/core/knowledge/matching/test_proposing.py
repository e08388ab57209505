"""Every way of finding documents for records, on files that are named in several styles, with what is not clear."""

import pytest

from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.document_mappings import Way
from core.domain.sources.documents import Document, Heading
from core.knowledge.matching.proposing import follow, propose
from core.knowledge.matching.records import Records, of_ids, read
from core.sources.database import DatabaseSource
from tests.support.documents.named_documents import PRODUCTS, SUPPLIERS, text_of, write_shop

ALL = {f"products:{number}" for number in range(1, 13)}


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    file = write_shop(tmp_path_factory.mktemp("shop") / "shop.sqlite")
    with DatabaseSource.connect(f"sqlite:///{file}") as database:
        return read(database)


def page(path, number=0, text="", **fields):
    return Document(id=path, title="", text=text or (text_of(number) if number else "x"), path=path, metadata=fields)


def numbered(template):
    return [page(template.format(n=number, name=PRODUCTS[number - 1]), number) for number in range(1, 13)]


@pytest.mark.parametrize(
    ("template", "rule"),
    [
        ("product-{n:02}.md", "{table}-{key:02}"),
        ("Products_{n}.MD", "{table}_{key}"),
        ("product {n:04}.txt", "{table} {key:04}"),
        ("{n}-product.md", "{key}-{table}"),
        ("kb/products/{n}.md", "kb/{table}/{key}"),
        ("PRD{n:03}.html", "prd{key:03}"),
        ("{n:02}-{name}.md", "{key:02}-*"),
    ],
)
def test_names_that_hold_the_key(records, template, rule):
    best = propose(records, numbered(template)).best
    assert (best.way, dict(best.rules)) == (Way.PATTERN, {"products": rule})
    assert set(best.matches) == ALL
    assert best.matches["products:7"] == (template.format(n=7, name=PRODUCTS[6]),)
    assert not best.ambiguous
    assert not best.unmatched


def test_a_field_holds_the_key_and_another_one_what_documents_share(records):
    documents = [page(f"x{90 - n}.md", n, sku=str(n), supplier=str(n % 5 + 1)) for n in range(1, 13)]
    best = propose(records, documents).best
    assert (best.way, dict(best.rules)) == (Way.FRONT_MATTER, {"products": "sku"})
    assert best.matches["products:1"] == ("x89.md",)
    assert best.matched == 12


def test_a_field_holds_a_columns_value(records):
    documents = [page(f"x{90 - n}.md", text="A page.", called=PRODUCTS[n - 1].upper()) for n in range(1, 13)]
    best = propose(records, documents).of(Way.FRONT_MATTER)
    assert dict(best.rules) == {"products": "called = product_name"}
    assert best.matched == 12


def test_a_field_may_name_several_records_and_a_record_have_several_documents(records):
    documents = [*(page(f"x{n}.md", n, sku=str(n)) for n in range(1, 10)), page("more.md", 9, sku="9")]
    documents.append(page("last.md", text="Ikura, Geitost and Tunnbröd.", sku="10, 11; 12"))
    found = propose(records, documents).of(Way.FRONT_MATTER)
    assert found.matches["products:9"] == ("x9.md", "more.md")
    assert found.matches["products:11"] == ("last.md",)
    assert found.matched == 12


@pytest.mark.parametrize("template", ["{name}.md", "goods/{name}.txt", "product {name}.md"])
def test_files_are_named_by_a_column(records, template):
    best = propose(records, numbered(template)).best
    assert (best.way, dict(best.rules), best.matched) == (Way.COLUMN, {"products": "product_name"}, 12)


def test_slugs_without_accents_and_signs(records):
    names = ["gumbar-gummibarchen.md", "uncle-bobs-pears.md", "queso_cabrales.md", "tunnbrod.md"]
    found = propose(records, [page(name, text="A page.") for name in names]).of(Way.COLUMN)
    assert {gold: ids[0] for gold, ids in found.matches.items()} == {
        "products:3": "queso_cabrales.md",
        "products:4": "gumbar-gummibarchen.md",
        "products:5": "uncle-bobs-pears.md",
        "products:12": "tunnbrod.md",
    }


def test_a_title_a_heading_or_an_outline_is_the_rows_name(records):
    documents = [
        page("a1.md", text="# Chai\n\nIt costs 11."),
        page("a2.md", text="## Product: Aniseed Syrup\n\nIt costs 12."),
        Document(id="a3.pdf", title="a3", text="Tofu\nIt costs 16.", outline=(Heading(start=0, end=4, level=1),)),
        Document(id="a4.md", title="Pavlova (product)", text="It costs 18."),
        page("a5.md", text="# Deliveries\n\nChai comes on Mondays."),
    ]
    best = propose(records, documents, ["products"]).best
    assert best.way is Way.CONTENT
    assert {gold: ids[0] for gold, ids in best.matches.items()} == {
        "products:1": "a1.md",
        "products:2": "a2.md",
        "products:6": "a3.pdf",
        "products:8": "a4.md",
    }


def test_the_same_ids_need_nothing_else(records):
    documents = [Document(id=f"products:{n}", title="", text=text_of(n)) for n in range(1, 12)]
    proposals = propose(records, documents)
    assert proposals.tables == ("products",)
    assert proposals.best.way is Way.EXACT
    assert (proposals.best.matched, dict(proposals.best.matches)) == (11, {})
    assert list(proposals.best.unmatched) == ["products:12"]


def test_a_bare_key_is_clear_only_where_one_table_is_asked(records):
    documents = [Document(id=str(n), title="", text="A page.") for n in range(1, 13)]
    asked = propose(records, documents, ["products"]).of(Way.EXACT)
    assert (asked.matched, len(asked.ambiguous)) == (12, 0)
    open_to_all = propose(records, documents).of(Way.EXACT)
    assert "products:1" in open_to_all.ambiguous
    assert "has the key of 2 records" in open_to_all.ambiguous["products:1"]
    assert open_to_all.matched == 7  # the keys 6 to 12, which no supplier has


def test_two_documents_of_one_record_are_told_not_guessed(records):
    documents = [*numbered("product-{n:02}.md"), page("old/product-03.md", 3)]
    found = propose(records, documents).of(Way.PATTERN)
    assert found.ambiguous == {"products:3": "2 documents fit: product-03.md, old/product-03.md"}
    assert found.matched == 11


def test_two_records_of_one_name_are_told_not_guessed(tmp_path):
    names = ("Smith", "Smith", *(f"Name {n}" for n in range(3, 13)))
    people = Records(
        table="people",
        ids=tuple(f"people:{n}" for n in range(1, 13)),
        keys=tuple(map(str, range(1, 13))),
        columns={"name": names},
        labels=names,
    )
    found = propose([people], [page(f"{name}.md", text="A page.") for name in dict.fromkeys(names)]).of(Way.COLUMN)
    assert set(found.ambiguous) == {"people:1", "people:2"}
    assert found.ambiguous["people:1"] == "Smith.md could be any of 2 records"
    assert found.matched == 10


def test_tables_that_fit_equally_well_are_both_told(tmp_path):
    tables = [
        Records(table=name, ids=tuple(f"{name}:{n}" for n in range(1, 6)), keys=tuple("abcde"), labels=())
        for name in ("cats", "dogs")
    ]
    found = propose(tables, [page(f"{key}.md") for key in "abcde"]).of(Way.PATTERN)
    assert found.matched == 0
    assert found.ambiguous["cats:1"] == "its document fits table dogs as well"
    assert found.ambiguous["dogs:1"] == "its document fits table cats as well"


def test_numbers_that_say_nothing_of_the_records_are_no_pattern(records):
    documents = [page(f"policy-{n}.md", text=f"Rule {n}: be on time.") for n in range(1, 13)]
    assert propose(records, documents).best.way is Way.EXACT
    assert propose(records, documents).best.matched == 0
    assert propose(records, documents, ["products"]).of(Way.PATTERN).matched == 0


def test_numbers_of_models_are_no_keys_where_hardly_a_record_has_them(records):
    documents = [page(f"products/kestrel-k{n}.md", text=f"The Kestrel K{n} is light.") for n in (3, 7)]
    assert propose(records, documents, ["products"]).of(Way.PATTERN).matched == 0


def test_every_table_has_a_rule_of_its_own_and_no_document_belongs_to_two(records):
    documents = numbered("product-{n:02}.md")
    documents += [page(f"vendors/{n}.md", text=f"{name} delivers.") for n, name in enumerate(SUPPLIERS, start=1)]
    found = propose(records, documents).of(Way.PATTERN)
    assert dict(found.rules) == {"products": "{table}-{key:02}", "suppliers": "vendors/{key}"}
    assert found.matched == 17
    used = [name for names in found.matches.values() for name in names]
    assert len(used) == len(set(used))


HOSTILE = [
    "{key}.md",
    "{table}-{key:02}.md",
    "product-(1+)+$.md",
    "product-01*.md",
    "a" * 5000 + ".md",
    "-" * 400 + "1.md",
    "../../product-1",
    "product-\u0661.md",
    "product-１.md",
    "\u202eproduct-02.md",
    "product-\n03.md",
    "'; DROP TABLE products; --.md",
    "#1",
    "",
]


def test_hostile_names_break_nothing(records):
    documents = [page(name, text=f"{name[:50]} is a page.") for name in HOSTILE]
    first, again = (propose(records, documents) for _ in range(2))
    assert first == again
    for proposal in first.ways:
        assert proposal.matched + len(proposal.ambiguous) + len(proposal.unmatched) == proposal.records


def test_a_persons_own_template_is_followed(records):
    documents = [page(f"item {n} of 12.md", text="A page.") for n in range(1, 13)]
    assert propose(records, documents).best.matched == 0
    own = follow(Way.PATTERN, {"products": "item {key} of *"}, records, documents, ["products"])
    assert own.matched == 12
    with pytest.raises(InvalidInput, match="cannot be used"):
        follow(Way.PATTERN, {"products": "item"}, records, documents)
    with pytest.raises(NotFound, match="no records of a table orders"):
        follow(Way.PATTERN, {"orders": "{key}"}, records, documents)


def test_following_what_was_proposed_gives_the_same(records):
    documents = numbered("product-{n:02}.md")
    proposals = propose(records, documents)
    for proposal in proposals.ways:
        again = follow(proposal.way, proposal.rules, records, documents, proposals.tables)
        assert (again.matches, again.ambiguous) == (proposal.matches, proposal.ambiguous)


def test_without_a_database_ids_alone_are_compared():
    tables = of_ids(["products:1", "Products:2", "products:3", "no table"])
    assert [(table.table, table.ids) for table in tables] == [("products", ("products:1", "products:2", "products:3"))]
    found = propose(tables, [page(f"product-{n:02}.md") for n in range(1, 4)]).of(Way.PATTERN)
    assert found.matched == 3


def test_parts_of_a_key_stand_in_a_name():
    keys = ("10048-11", "10048-42")
    lines = Records(table="order_lines", ids=tuple(f"order_lines:{key}" for key in keys), keys=keys)
    documents = [page("order line 10048_11.md"), page("order line 10048_42.md")]
    found = propose([lines], documents).of(Way.PATTERN)
    assert dict(found.matches) == {
        "order_lines:10048-11": ("order line 10048_11.md",),
        "order_lines:10048-42": ("order line 10048_42.md",),
    }
