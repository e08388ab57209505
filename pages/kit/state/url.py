"""The view that the URL names: reading it, changing it, opening another page, and the address to send to somebody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from pages.kit import navigation
from pages.kit.state.links import NAMES, Link
from pages.kit.state.session import remembered


def link() -> Link:
    """The current view.

    Raises:
        InvalidInput: The URL holds something that cannot be; `frame.begin` has shown it already.
    """
    return Link.from_query(st.query_params.to_dict())


def update(**changes: str | int) -> None:
    """Writes parameters into the URL without a rerun; an empty text removes one. Checked like any link."""
    _check(changes)
    for name, value in changes.items():
        if value in ("", None) or (name == "page" and int(value) == 1):
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def go(page: str, **changes: str | int) -> NoReturn:
    """Opens another page with these parameters; the project comes along unless another is given."""
    st.switch_page(navigation.spec(page).path, query_params=query(**changes))


def query(**changes: str | int) -> dict[str, str]:
    """Parameters for a link to another page: the current project and these."""
    _check(changes)
    # `Link` checks the types itself; the signature cannot say which name takes which.
    return Link(**{"project": remembered("project"), **changes}).as_query()  # type: ignore[arg-type]


def address(page: str, **changes: str | int) -> str:
    """A URL that opens a page as seen now, to send to a colleague.

    It begins with what this person's browser calls the server; relative where the browser has not told.
    """
    relative = f"{navigation.spec(page).url_path}?{urlencode(query(**changes))}"
    return f"{server_of(st.context.url)}/{relative}" if st.context.url else f"./{relative}"


def server_of(url: str) -> str:
    """The address of the server without the page, with the path the server may have behind a proxy.

    >>> server_of("https://host.example/plumbline/label"), server_of("https://host.example/plumbline/")
    ('https://host.example/plumbline', 'https://host.example/plumbline')
    """
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    before, _, last = path.rpartition("/")
    own = {spec.url_path for spec in navigation.PAGES}
    return urlunsplit((parts.scheme, parts.netloc, before if last in own else path, "", ""))


def _check(changes: Mapping[str, str | int]) -> None:
    if unknown := set(changes) - NAMES:
        raise KeyError(f"no such parameter of a link: {sorted(unknown)}")
    Link(**changes)  # type: ignore[arg-type]  # checking them is what it is made for


def filter_by(filters: Mapping[str, str]) -> None:
    """Writes the levels that cases are filtered by into the URL; what was open may be gone, so it is closed."""
    update(where=urlencode(filters), a="", b="", cell="", case="", page=1)


def bin_by(bins: Mapping[str, str]) -> None:
    """Writes how numbers become levels into the URL; levels that were open or filtered by may be gone."""
    update(bins=urlencode(bins), where="", a="", b="", cell="", case="", page=1)
