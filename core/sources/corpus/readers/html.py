"""HTML pages: what a reader of the page sees, tables as rows."""

from __future__ import annotations

import codecs
import re
import warnings

from bs4 import BeautifulSoup, Comment, Tag, XMLParsedAsHTMLWarning
from bs4.dammit import EncodingDetector
from bs4.element import NavigableString

from core.sources.corpus.decoding import decode_told
from core.sources.corpus.metadata import fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tabular.html_tables import SILENT, control, html_table

UNSEEN = {"script", "style", "noscript", "template", "svg", "head", "iframe", "object", "nav"}
BLOCKS = {
    "p",
    "div",
    "section",
    "article",
    "main",
    "header",
    "footer",
    "aside",
    "ul",
    "ol",
    "dl",
    "blockquote",
    "pre",
    "figure",
    "figcaption",
    "form",
    "fieldset",
    "address",
    "body",
    "html",
    "hr",
}
ACTIVE = ("script", "iframe", "object", "embed", "applet")
META = {"author": "author", "date": "date", "published": "published_time", "updated": "modified_time"}
ABOVE = 40
"""Pieces of text before a table that may tell its title and units."""
HEADINGS = {f"h{level}": level for level in range(1, 7)}


@reads("html", ".html", ".htm", ".xhtml", version=3)
def read_html(data: bytes) -> tuple[Parsed, ...]:
    """The visible text; the title is the page's, else its first heading."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)  # XHTML is read well enough as HTML
        text, guessed = _decoded(data)
        soup = BeautifulSoup(text, "lxml")
    title = " ".join((soup.title.get_text() if soup.title else "").split())
    heading = soup.find(list(HEADINGS))
    if not title and heading is not None:
        title = " ".join(heading.get_text(" ").split())
    parts: list[str] = []
    _visible(soup, parts)
    lines = [" ".join(line.split()) for line in "".join(parts).split("\n")]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return (Parsed(text=text, title=title, metadata=_metadata(soup), notes=(*guessed, *_notes(soup))),)


def _decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The page in the encoding that it declares, else as any text is decoded; never in one that was guessed."""
    declared = EncodingDetector.find_declared_encoding(data, is_html=True)
    if declared:
        try:
            name = codecs.lookup(declared).name
            if not name.startswith(("utf-16", "utf-32")):  # a page that can be searched for its charset is neither
                return data.decode(name), ()
        except (LookupError, UnicodeDecodeError):
            text, notes = decode_told(data)
            return text, (f"it declares the encoding {declared} and is not in it", *notes)
    return decode_told(data)


def _metadata(soup: BeautifulSoup) -> dict[str, str]:
    """The page's own description of itself: author, day, language."""
    properties = {
        str(tag.get("name") or tag.get("property") or "").casefold().rpartition(":")[2]: str(tag.get("content") or "")
        for tag in soup.find_all("meta")
    }
    root = soup.find("html")
    language = str(root.get("lang") or "") if isinstance(root, Tag) else ""
    values = {name: properties.get(source, "") for name, source in META.items()}
    return fields({**values, "language": language})


def _notes(soup: BeautifulSoup) -> tuple[str, ...]:
    counted = [(len(soup.find_all(name)), f"{name} element") for name in ACTIVE]
    parts = [f"{count} {label}{'' if count == 1 else 's'}" for count, label in counted if count]
    return (f"left out: {', '.join(parts)}; nothing of a page is run",) if parts else ()


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
        parts.append(f"\n\n{'#' * HEADINGS[name]} {_text(tag)}\n\n")
    elif name == "table" and tag.find("table") is None:
        parts.append("\n\n" + "\n".join(html_table(tag, "".join(parts[-ABOVE:]))) + "\n\n")
    elif name == "br":
        parts.append("\n")
    elif name == "dd":
        sibling = tag.find_previous_sibling(["dt", "dd"])
        parts.append(f"{'; ' if sibling is not None and sibling.name == 'dd' else ': '}{_text(tag)}")
    elif name == "dt":
        parts.append("\n" + _text(tag).rstrip(": "))
    elif name in ("input", "select"):
        parts.append(control(tag))
    elif name == "label" and _names_field(tag):
        parts.append(f"\n{_text(tag).rstrip(': ')}:")
    else:
        before, after = ("\n- ", "") if name == "li" else ("", "")
        if name in BLOCKS:
            before = after = "\n\n"
        elif name == "tr":
            before = after = "\n"
        parts.append(before)
        _visible(tag, parts)
        parts.append(after)


def _names_field(label: Tag) -> bool:
    """Whether a label stands before a field that shows a value."""
    field = label.find_next(["input", "select", "textarea"])
    target = label.get("for")
    if not isinstance(field, Tag) or not target or field.get("id") != target:
        return False
    return str(field.get("type") or "text").casefold() not in ("checkbox", "radio", *SILENT)


def _text(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def _hidden(tag: Tag) -> bool:
    style = str(tag.get("style") or "").replace(" ", "").casefold()
    return tag.has_attr("hidden") or "display:none" in style or "visibility:hidden" in style
