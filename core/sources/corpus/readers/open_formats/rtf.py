"""RTF files: paragraphs, headings, lists and tables in their order.

Written here: the library for RTF, striprtf, searches with patterns whose time grows with the square of a hostile file,
and marks neither tables nor headings.
"""

from __future__ import annotations

import re

from core.domain.errors import UnreadableFile
from core.sources.corpus.metadata import fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.readers.open_formats.rtf_words import CHARSETS, DROPPED, INFO, SIGNS
from core.sources.corpus.tabular.tables import table_lines

TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.DOTALL
)
MAX_CHARACTERS = 20_000_000
DEEPEST = 5_000
HEADING = re.compile(r"(?:heading|überschrift|titre) ?(\d)", re.IGNORECASE)


@reads("rtf", ".rtf")
def read_rtf(data: bytes) -> tuple[Parsed, ...]:
    """The text; headings and tables as in Markdown, the title from the file's properties."""
    if not data.lstrip()[:5].startswith(b"{\\rt"):
        raise UnreadableFile("it is no RTF file", "Save it again as RTF, or name it by what it is.")
    text, info, notes = rtf_text(data)
    title = info.pop("title", "")
    return (Parsed(text=text, title=title, metadata=fields(info), notes=notes),)


def rtf_text(data: bytes) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The text of an RTF file, its properties, and lines on what is left out.

    Raises:
        UnreadableFile: Its groups lie in one another without end, or it has too much text.
    """
    machine = _Machine()
    machine.run(data.decode("latin-1"))
    notes = []
    if machine.pictures:
        notes.append(f"left out: {machine.pictures:,} picture{'' if machine.pictures == 1 else 's'}")
    if machine.objects:
        notes.append("left out: files and controls embedded in it")
    return machine.text(), machine.info, tuple(notes)


class _Machine:
    """Reads an RTF file from its first sign to its last; groups save and restore what holds in them."""

    def __init__(self) -> None:
        self.info: dict[str, str] = {}
        self.pictures = self.objects = 0
        self._stack: list[tuple[int, str, str, bool]] = []
        self._skip, self._place, self._page, self._hidden = 1, "body", "cp1252", False
        self._default_page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._styles: dict[int, int] = {}
        self._style = -1
        self._name: list[str] = []
        self._bytes = bytearray()
        self._curskip = 0
        self._buffer: list[str] = []
        self._cells: list[str] = []
        self._blocks: list[str] = []
        self._rows: list[list[str]] = []
        self._in_table = self._item = False
        self._level = 0
        self._size = 0

    def run(self, source: str) -> None:
        at = 0
        while at < len(source):
            match = TOKEN.match(source, at)
            if match is None:  # a lone backslash at the end
                break
            at = match.end()
            word, number, code, sign, brace, text = match.groups()
            if code is None and self._bytes:
                self._flush_bytes()
            if word:
                value = int(number) if number else None
                if word == "bin":
                    at += max(0, value or 0)
                else:
                    self._word(word, value)
            elif code:
                if self._curskip:
                    self._curskip -= 1
                else:
                    self._bytes.append(int(code, 16))
            elif sign:
                self._sign(sign)
            elif brace:
                self._brace(brace)
                if not self._stack and brace == "}":
                    break  # what stands behind the document is none of it
            elif text:
                kept = text[self._curskip :]
                self._curskip = max(0, self._curskip - len(text))
                self._put(kept if kept.isascii() else kept.encode("latin-1").decode(self._codepage(), "replace"))
        self._flush_bytes()
        self._paragraph()
        self._table()

    def text(self) -> str:
        """What was read."""
        joined = re.sub(r"\n{3,}", "\n\n", "\n\n".join(block for block in self._blocks if block.strip()))
        return joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()

    def _brace(self, brace: str) -> None:
        self._curskip = 0
        if brace == "{":
            if len(self._stack) >= DEEPEST:
                raise UnreadableFile(f"its groups lie in one another more than {DEEPEST:,} deep", "Save it again.")
            self._stack.append((self._skip, self._place, self._page, self._hidden))
            if self._place == "stylesheet" or self._place in INFO:
                self._name = []
            if self._place == "stylesheet":
                self._style = 0
            return
        if not self._stack:
            return
        place = self._place
        self._skip, self._place, self._page, self._hidden = self._stack.pop()
        name = "".join(self._name).strip(" ;")
        if place == "stylesheet" and self._place == "stylesheet":
            if match := HEADING.match(name):
                self._styles[self._style] = int(match.group(1))
        elif place in INFO and self._place == "info":
            self.info.setdefault(INFO[place], name)

    def _word(self, word: str, value: int | None) -> None:
        if word == "u":
            self._curskip = self._skip
            if value is not None:
                self._put(chr(value % 0x10000))
            return
        self._curskip = 0
        if word in DROPPED:
            self.pictures += word in ("pict",) and self._place == "body"
            self.objects += word in ("objdata",)
            self._item = self._item or (word in ("listtext", "pntext") and self._place == "body")
            self._place = "dropped"
        elif word in ("stylesheet", "fonttbl", "info"):
            self._place = word
        elif word in INFO and self._place == "info":
            self._place, self._name = word, []
        elif not self._face(word, value) and self._place == "body":
            self._body(word, value)

    def _face(self, word: str, value: int | None) -> bool:
        """What sets encoding, typeface or style; whether the word is one of these."""
        if word == "uc":
            self._skip = min(max(value or 0, 0), 10)
        elif word == "ansicpg":
            self._default_page = _page(f"cp{value}")
        elif word == "f":
            self._font = value or 0
            self._page = self._fonts.get(self._font, self._default_page)
        elif word == "fcharset" and self._place == "fonttbl":
            self._fonts[self._font] = _page(CHARSETS.get(value or 0, self._default_page))
        elif word == "s":
            self._style = value or 0
            if self._place == "body":
                self._level = self._styles.get(self._style, 0)
        else:
            return False
        return True

    def _body(self, word: str, value: int | None) -> None:
        if word in SIGNS:
            self._put(SIGNS[word])
        elif word == "plain":
            self._page, self._hidden = self._default_page, False
        elif word in ("v", "deleted"):
            self._hidden = value != 0
        elif word == "outlinelevel":
            self._level = (value or 0) + 1 if 0 <= (value or 0) < 9 else 0
        elif word == "pard":
            self._in_table, self._level, self._item = False, 0, False
        elif word == "intbl":
            self._in_table = True
        elif word in ("par", "sect", "page"):
            if self._in_table:
                self._buffer.append(" ")
            else:
                self._paragraph()
        else:
            self._table_word(word)

    def _table_word(self, word: str) -> None:
        if word == "cell":
            self._cells.append(" ".join("".join(self._buffer).split()))
            self._buffer = []
        elif word == "row":
            if any(self._cells):
                self._rows.append(self._cells)
            self._cells = []
        elif word in ("nestcell", "nestrow"):
            self._buffer.append(" ")

    def _sign(self, sign: str) -> None:
        self._curskip = 0
        if sign == "*":
            self._place = "dropped"
        elif sign in "\r\n" and self._place == "body":
            self._body("par", None)
        else:
            self._put({"~": "\u00a0", "_": "-", "-": ""}.get(sign, sign if sign in "{}\\" else ""))

    def _put(self, text: str) -> None:
        if self._place == "body":
            if not self._hidden:
                self._buffer.append(text)
                self._size += len(text)
                if self._size > MAX_CHARACTERS:
                    raise UnreadableFile(f"its text has more than {MAX_CHARACTERS:,} characters", "Split it.")
        elif self._place == "stylesheet" or self._place in INFO:
            self._name.append(text[:200])

    def _codepage(self) -> str:
        return self._page if self._page != "cp1252" else self._default_page

    def _flush_bytes(self) -> None:
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            self._put(data.decode(self._codepage(), "replace"))

    def _paragraph(self) -> None:
        lines = [" ".join(line.split()) for line in "".join(self._buffer).split("\n")]
        text = "\n".join(line for line in lines if line)
        self._buffer = []
        if not text:
            return
        self._table()
        if self._level:
            text = f"{'#' * min(self._level, 6)} {' '.join(text.split())}"
        elif self._item:
            text = f"- {text}"
        self._blocks.append(text)

    def _table(self) -> None:
        if self._rows:
            self._blocks.append("\n".join(table_lines(self._rows, headed=True)))
            self._rows = []


def _page(name: str) -> str:
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name
