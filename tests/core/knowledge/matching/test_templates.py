"""Templates of names, as people write them."""

import pytest

from core.domain.errors import InvalidInput
from core.knowledge.matching.templates import compiled


@pytest.mark.parametrize(
    ("template", "name", "key"),
    [
        ("{table}-{key:02}.md", "Product-07.md", "07"),
        ("{table}/{key}", "products/A-17.md", "A-17"),
        ("{key}", "deep/folder/12.txt", "12"),
        ("{table}_{key}_*", "product_5_tea.md", "5"),
        ("*-{key:03}", "any-thing-012.html", "012"),
        ("a.b(c)-{key}", "a.b(c)-9", "9"),
    ],
)
def test_what_a_template_fits(template, name, key):
    assert compiled(template, "products").fullmatch(name)["key"] == key


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("{table}-{key:02}", "product-7.md"),
        ("{table}/{key}", "suppliers/1.md"),
        ("a.b-{key}", "axb-1"),
        ("{key}/x", "1/y"),
    ],
)
def test_what_it_does_not_fit(template, name):
    assert compiled(template, "products").fullmatch(name) is None


@pytest.mark.parametrize("template", ["", "product", "{key}{key}", "*{key}**", "{key}" + "x" * 300])
def test_a_template_without_one_key_is_refused(template):
    with pytest.raises(InvalidInput, match="cannot be used"):
        compiled(template, "products")


def test_a_long_name_takes_no_time():
    assert compiled("*-{key}-*x", "products").fullmatch("-" * 300) is None
