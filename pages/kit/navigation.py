"""The pages in the order of the work: found by looking into the folders, each as it declares itself.

A page is a folder ``pages/<section>/<page>/`` with ``page.py`` and a declaration, see `pages.kit.page_spec`; nothing
else has to know of it. No script may lie in ``pages/`` itself: Streamlit would take it for a page of its own making.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Final

from pages.kit.page_spec import DRAWN, PageSpec

FOLDER: Final = Path(__file__).resolve().parents[1]
"""Where the pages are."""

ICON: Final = Path(__file__).resolve().parent / "static" / "icon.png"
"""The page icon: a local PNG, since a named icon would be fetched from outside."""

_PACKAGE: Final = __name__.rsplit(".", 2)[0]


def declared(folder: Path = FOLDER, package: str = _PACKAGE) -> tuple[PageSpec, ...]:
    """The pages of a folder of sections, in the order of the work.

    Raises:
        ValueError: A page declares nothing or something wrong; it names the file.
    """
    pages = []
    for script in sorted(folder.glob(f"*/*/{DRAWN}")):
        page = script.parent
        spec = getattr(import_module(f"{package}.{page.parent.name}.{page.name}"), "PAGE", None)
        if not isinstance(spec, PageSpec) or spec.path != script.resolve():
            raise ValueError(f"{page / '__init__.py'} declares no page: it needs PAGE = PageSpec(__file__, ...).")
        pages.append(spec)
    return ordered(pages)


def ordered(pages: Iterable[PageSpec]) -> tuple[PageSpec, ...]:
    """Pages by their place.

    Raises:
        ValueError: Two of them share a key, a place or an address, or the app opens with none; it names the files.
    """
    specs = sorted(pages, key=lambda spec: spec.place)
    for name in ("key", "place", "url_path"):
        page_specs: dict[object, PageSpec] = {}
        for spec in specs:
            other = page_specs.setdefault(getattr(spec, name), spec)
            if other is not spec:
                raise ValueError(f"{spec.declared} and {other.declared} declare one {name}: {getattr(spec, name)!r}.")
    if specs and not any(not spec.url_path for spec in specs):
        raise ValueError(
            f"No page of {specs[0].folder.parent.parent} has the empty url_path, so the app opens with none."
        )
    return tuple(specs)


PAGES: Final = declared()
"""Every page, in the order of the work."""


def spec(page: str) -> PageSpec:
    """The page of that key or file.

    Args:
        page: A key ("run") or the page's ``__file__``.

    Raises:
        KeyError: No page has that key or file; a mistake in the code.
    """
    for candidate in PAGES:
        if page == candidate.key or (page.endswith(".py") and Path(page).resolve() == candidate.path):
            return candidate
    raise KeyError(page)


__all__ = ["FOLDER", "ICON", "PAGES", "PageSpec", "declared", "ordered", "spec"]
