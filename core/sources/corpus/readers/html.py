"""HTML pages: what a reader of the page sees, tables as rows."""

from __future__ import annotations

import re
import warnings

from bs4 import BeautifulSoup, Comment, Tag, XMLParsedAsHTMLWarning
from bs4.element import NavigableString

from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tables import table_lines

UNSEEN = {"script", "style", "noscript", "template", "svg", "head", "iframe", "object", "nav"}
BLOCKS = {
    "p", "div", "section", "article", "main", "header", "footer", "aside", "ul", "ol", "dl", "blockquote", "pre",
    "figure", "figcaption", "form", "fieldset", "address", "body", "html", "hr",
}  # fmt: skip
HEADINGS = {f"h{level}": level for level in range(1, 7)}


@reads("html", ".html", ".htm", ".xhtml")
def read_html(data: bytes) -> tuple[Parsed, ...]:
    """The visible text; the title is the page's, else its first heading."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)  # XHTML is read well enough as HTML
        soup = BeautifulSoup(data, "lxml")
    title = " ".join((soup.title.get_text() if soup.title else "").split())
    heading = soup.find(list(HEADINGS))
    if not title and heading is not None:
        title = " ".join(heading.get_text(" ").split())
    parts: list[str] = []
    _visible(soup, parts)
    lines = [" ".join(line.split()) for line in "".join(parts).split("\n")]
    return (Parsed(text=re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), title=title),)


def _visible(node: Tag, parts: list[str]) -> None:
    """Appends the text below a node, with line ends where the page breaks."""
    for child in node.children:
        if isinstance(child, NavigableString):
            if type(child) is NavigableString or (not isinstance(child, Comment) and child.PREFIX == ""):
                parts.append(re.sub(r"\s+", " ", str(child)))
        elif isinstance(child, Tag) and child.name not in UNSEEN and not _hidden(child):
            _element(child, parts)


def _element(tag: Tag, parts: list[str]) -> None:
    name = tag.name
    if name in HEADINGS:
        parts.append(f"\n\n{'#' * HEADINGS[name]} {' '.join(tag.get_text(' ').split())}\n\n")
    elif name == "table" and tag.find("table") is None:
        rows = [
            [" ".join(cell.get_text(" ").split()) for cell in row.find_all(["td", "th"])] for row in tag.find_all("tr")
        ]
        first = tag.find("tr")
        headed = first is not None and first.find("th") is not None and first.find("td") is None
        parts.append("\n\n" + "\n".join(table_lines([row for row in rows if row], headed=headed)) + "\n\n")
    elif name == "br":
        parts.append("\n")
    elif name == "dd":
        parts.append(": " + " ".join(tag.get_text(" ").split()))
    else:
        before, after = ("\n- ", "") if name == "li" else ("\n", "") if name == "dt" else ("", "")
        if name in BLOCKS:
            before = after = "\n\n"
        elif name == "tr":
            before = after = "\n"
        parts.append(before)
        _visible(tag, parts)
        parts.append(after)


def _hidden(tag: Tag) -> bool:
    style = str(tag.get("style") or "").replace(" ", "").casefold()
    return tag.has_attr("hidden") or "display:none" in style or "visibility:hidden" in style
