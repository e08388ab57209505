"""Pages as they declare themselves: one folder is a page, a wrong declaration is told with its file."""

import shutil
import sys

import pytest

from pages.kit import navigation, workflow
from pages.kit.page_spec import Mark, PageSpec, done

DECLARATION = """
from pages.kit.page_spec import PageSpec, done

PAGE = PageSpec(
    __file__,
    place={place},
    title="{title}",
    question="What is this?",
    about="A page.",
    url_path="{address}",
    step=lambda has: done("Ready."),
)
"""


@pytest.fixture
def section(tmp_path, monkeypatch):
    """Makes pages in a package of their own."""
    root = tmp_path / "some_pages"
    monkeypatch.syspath_prepend(tmp_path)

    def add(name, text):
        folder = root / "more" / name
        folder.mkdir(parents=True)
        for package in (root, root / "more"):
            (package / "__init__.py").touch()
        (folder / "__init__.py").write_text(text, encoding="utf-8")
        (folder / "page.py").touch()
        return folder

    yield add
    for name in [name for name in sys.modules if name.split(".")[0] == root.name]:
        del sys.modules[name]


def found(tmp_path):
    return navigation.declared(tmp_path / "some_pages", "some_pages")


def test_a_folder_is_a_page(section, tmp_path):
    section("later", DECLARATION.format(place=20, title="Later", address="later"))
    section("first", DECLARATION.format(place=10, title="First", address=""))
    assert [(spec.key, spec.section, spec.title) for spec in found(tmp_path)] == [
        ("first", "More", "First"),
        ("later", "More", "Later"),
    ]


def test_a_folder_without_a_script_is_no_page(section, tmp_path):
    section("first", DECLARATION.format(place=10, title="First", address=""))
    shutil.rmtree(section("gone", ""))
    (tmp_path / "some_pages" / "more" / "helper").mkdir()
    assert [spec.key for spec in found(tmp_path)] == ["first"]


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("", "declares no page"),
        ("PAGE = 'run'", "declares no page"),
        (DECLARATION.format(place=10, title=" ", address=""), "title"),
        (DECLARATION.format(place="'10'", title="A", address=""), "place"),
        (DECLARATION.format(place=10, title="A", address="Not an address"), "url_path"),
    ],
    ids=["nothing", "another thing", "no title", "no number", "no address"],
)
def test_a_wrong_declaration_names_its_file(section, tmp_path, text, lacks):
    folder = section("wrong", text)
    with pytest.raises(ValueError, match=lacks) as refused:
        found(tmp_path)
    assert str(folder / "__init__.py") in str(refused.value)


@pytest.mark.parametrize(("place", "address", "what"), [(10, "b", "place"), (20, "", "url_path")])
def test_two_pages_that_share_something_are_both_named(section, tmp_path, place, address, what):
    section("a", DECLARATION.format(place=10, title="A", address=""))
    section("b", DECLARATION.format(place=place, title="B", address=address))
    with pytest.raises(ValueError, match=f"declare one {what}") as refused:
        found(tmp_path)
    assert "/a/__init__.py" in str(refused.value)
    assert "/b/__init__.py" in str(refused.value)


def test_a_page_that_cannot_say_its_step_leaves_the_others_theirs(bank, finished, monkeypatch):
    def broken(has):
        raise RuntimeError("a mistake in one page")

    run = navigation.spec("run")
    wrong = PageSpec(
        run.declared, place=run.place, title="Run", question="?", about="?", url_path="evaluate", step=broken
    )
    others = tuple(wrong if spec.key == "run" else spec for spec in navigation.PAGES)
    monkeypatch.setattr(navigation, "PAGES", others)
    steps = workflow.steps(finished, bank.id)
    assert steps["run"].mark is Mark.READY
    assert steps["results"].mark is Mark.DONE


def test_streamlit_finds_no_page_of_its_own_making():
    scripts = [path.name for path in navigation.FOLDER.glob("*.py") if path.name != "__init__.py"]
    assert scripts == []
    assert done("Ready.").mark is Mark.DONE
