"""What documents may be: the formats that are read, and whether scans are."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.sources.corpus.containers.mailboxes import MAILBOX
from core.sources.corpus.parsing import all_formats
from core.sources.corpus.pdf import ocr
from pages.kit.look import tables

NAMES = {
    "csv": "Tables",
    "doc": "Word 97 to 2003",
    "docx": "Word",
    "e-mail": "E-mails",
    "epub": "EPUB books",
    "html": "Web pages",
    "json": "JSON",
    "jsonl": "JSON lines",
    "markdown": "Markdown",
    "odp": "OpenDocument slides",
    "ods": "OpenDocument sheets",
    "odt": "OpenDocument texts",
    "Outlook e-mail": "Outlook e-mails",
    "pdf": "PDF",
    "ppt": "PowerPoint 97 to 2003",
    "pptx": "PowerPoint",
    "rtf": "RTF",
    "text": "Plain text",
    "xls": "Excel 97 to 2003",
    "xlsx": "Excel",
    "xml": "XML",
}
ABOUT = {
    "csv": "a line for each row",
    "e-mail": "the body; each attachment is a document of its own, quoted text is told once",
    "Outlook e-mail": "as other e-mails",
    "epub": "a page is a chapter; locked books are not read",
    "json": "records with texts, ids and texts, or one record",
    "jsonl": "a record in each line",
    "markdown": "as it is, front matter as fields",
    "text": "as it is",
    "ppt": "a page is a slide, speaker's notes below",
    "pptx": "a page is a slide, speaker's notes below",
    "odp": "a page is a slide, speaker's notes below",
    "pdf": "the text layer; scanned pages by OCR where it is installed",
    "xls": "values, never formulas",
    "xlsx": "values, never formulas",
    "ods": "values, never formulas",
    "xml": "names of elements as headings and labels, equal records as tables",
}


def draw() -> None:
    """A line on how many formats there are, the list a click away, and the state of OCR."""
    formats = all_formats()
    count = sum(map(len, formats.values()))
    with st.expander(f"What is read: {count} kinds of file, mailboxes, and zip archives of them", key="formats_read"):
        rows = [
            (NAMES.get(name, name), ", ".join(endings), ABOUT.get(name, "headings, lists and tables in their order"))
            for name, endings in sorted(formats.items(), key=lambda item: NAMES.get(item[0], item[0]).casefold())
        ]
        rows.append(("Mailboxes", MAILBOX, "each mail by itself, as other e-mails"))
        tables.plain(pd.DataFrame(rows, columns=["Kind", "Endings", "What is read"]), key="formats_table")
        st.caption(
            "Files may have up to 50 MB each. Nothing in a file is run, and what is not read is listed with why."
        )
    st.caption(ocr.state())
