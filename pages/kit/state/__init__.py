"""What a link holds, what a session remembers: the only folder, with `frame`, that touches Streamlit's state.

Ids and filters live in the URL, so that a link opens the same view for a colleague; the truth lives in the store.

For a page:

- `link()` is the current view (`links`); `link().run`, `.case`, `.search`... are texts, empty when unset.
- `update(case="c1")` changes the URL in place; an empty text removes the parameter.
- `go("results", run=..., verdict="incorrect")` opens another page; the project comes along by itself.
- `choose(...)`, `switch(...)`, `search(...)` are widgets whose value is a parameter of the URL.
- `typed(key)` is the text of a field, so that nobody's words are lost with the thing they were about.
- `say("...")` is told at the top of the page after the next rerun; `keep` and `note` hold a page's passing notes.
"""

from pages.kit.state.bound import choose, number, search, several, slide, switch, turn_page, written
from pages.kit.state.session import (
    clicked,
    drop,
    fresh,
    keep,
    messages,
    note,
    put,
    remember,
    remembered,
    renew,
    retype,
    row,
    say,
    sent,
    spent,
    tick,
    typed,
    visited,
)
from pages.kit.state.url import address, bin_by, filter_by, go, link, query, server_of, update

__all__ = [
    "address",
    "bin_by",
    "choose",
    "clicked",
    "drop",
    "filter_by",
    "fresh",
    "go",
    "keep",
    "link",
    "messages",
    "note",
    "number",
    "put",
    "query",
    "remember",
    "remembered",
    "renew",
    "retype",
    "row",
    "say",
    "search",
    "sent",
    "server_of",
    "several",
    "slide",
    "spent",
    "switch",
    "tick",
    "turn_page",
    "typed",
    "update",
    "visited",
    "written",
]
