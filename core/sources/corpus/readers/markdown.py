"""Markdown with optional front matter."""

from __future__ import annotations

import re

from core.sources.corpus.decoding import decode_told
from core.sources.corpus.metadata import fields as as_metadata
from core.sources.corpus.parsing import Parsed, reads

FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"^(\w[\w -]*?)[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


@reads("markdown", ".md", ".markdown")
def read_markdown(data: bytes) -> tuple[Parsed, ...]:
    """The text without its front matter; the title is the front matter's, else the first heading."""
    text, notes = decode_told(data)
    fields: dict[str, str] = {}
    if front := FRONT.match(text):
        fields = {key.casefold(): _unquoted(value) for key, value in FIELD.findall(front.group(1))}
        text = text[front.end() :]
    heading = HEADING.search(text)
    title = fields.get("title") or (heading.group(1) if heading else "")
    metadata = as_metadata({name: value for name, value in fields.items() if name not in ("id", "title")})
    return (Parsed(text=text.strip(), title=title, id=fields.get("id", ""), metadata=metadata, notes=notes),)


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
