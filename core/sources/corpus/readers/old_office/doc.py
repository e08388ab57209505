"""Word 97 to 2003 (MS-DOC): the piece table gives the text, the paragraph properties its headings and tables.

Written here on olefile: no kept library under a free licence reads the format.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.readers.old_office.compound import compound, left_out, properties, stream
from core.sources.corpus.readers.old_office.paragraphs import Style, paragraph_styles
from core.sources.corpus.tabular.tables import table_lines

KIND, ENDING = "Word document", "DOCX"
WORD_97 = 0x00C1
ENCRYPTED, WHICH_TABLE = 0x0100, 0x0200
CLX = 33
"""Place of the piece table among the file's pairs of place and length."""
MAX_CHARACTERS = 20_000_000
CELL, FIELD_BEGIN, FIELD_PART, FIELD_END = "\x07", "\x13", "\x14", "\x15"
DROPPED = re.compile(r"[\x00-\x06\x08\x0e-\x1d\x1f]")
BEYOND = re.compile("[\U00010000-\U0010ffff]")
WINDOWS = {code: bytes([code]).decode("cp1252", "replace") for code in range(0x80, 0xA0)}


@reads("doc", ".doc")
def read_doc(data: bytes) -> tuple[Parsed, ...]:
    """The text with its foot- and endnotes; headings and tables as in Markdown, running heads left out."""
    with compound(data, KIND, ENDING) as opened:
        head = stream(opened, "WordDocument")
        if len(head) < 34:
            raise UnreadableFile(f"it is a compound file but no {KIND}", "Name it by what it is.")
        version, flags = struct.unpack_from("<H", head, 2)[0], struct.unpack_from("<H", head, 10)[0]
        if flags & ENCRYPTED:
            raise UnreadableFile("it needs a password", f"Save it as {ENDING} without a password.")
        if version < WORD_97:
            raise UnreadableFile("it is of Word 95 or older", f"Save it as {ENDING}.")
        table = stream(opened, "1Table" if flags & WHICH_TABLE else "0Table")
        text, places = _text(head, table)
        styles = paragraph_styles(head, table)
        title, metadata = properties(opened)
        notes = left_out(opened)
    body, foot_notes = _stories(head, text)
    blocks = _blocks(body, places, styles)
    extra = [" ".join(_plain(part).split()) for part in re.split(r"[\r\x07]", foot_notes)]
    blocks += [f"Note: {part}" for part in extra if part]
    return (Parsed(text="\n\n".join(blocks).strip(), title=title, metadata=metadata, notes=notes),)


def _pairs(head: bytes) -> tuple[int, list[int]]:
    """Where the pairs of place and length begin in the head, and the lengths of the stories."""
    words = struct.unpack_from("<H", head, 32)[0]
    at = 34 + 2 * words
    longs = struct.unpack_from("<H", head, at)[0]
    sizes = [int(value) for value in struct.unpack_from(f"<{min(longs, 22)}i", head, at + 2)]
    return at + 2 + 4 * longs + 2, sizes


def _text(head: bytes, table: bytes) -> tuple[str, list[tuple[int, int, int]]]:
    """All characters, and for each piece its first character, its place in the file and its bytes a character."""
    pairs, _ = _pairs(head)
    place, length = struct.unpack_from("<II", head, pairs + 8 * CLX)
    clx = table[place : place + length]
    at = 0
    while at < len(clx) and clx[at] == 1:
        at += 3 + struct.unpack_from("<H", clx, at + 1)[0]
    if at >= len(clx) or clx[at] != 2:
        raise UnreadableFile(f"it is damaged or no {KIND} (it has no piece table)", f"Save it again as {ENDING}.")
    size = struct.unpack_from("<I", clx, at + 1)[0]
    plc = clx[at + 5 : at + 5 + size]
    count = (len(plc) - 4) // 12
    starts = struct.unpack_from(f"<{count + 1}I", plc)
    parts: list[str] = []
    places: list[tuple[int, int, int]] = []
    total = 0
    for number in range(count):
        characters = starts[number + 1] - starts[number]
        where = struct.unpack_from("<I", plc, 4 * (count + 1) + 8 * number + 2)[0]
        narrow = bool(where & 0x40000000)
        where = (where & 0x3FFFFFFF) // 2 if narrow else where & 0x3FFFFFFF
        width = 1 if narrow else 2
        if characters < 0 or total + characters > MAX_CHARACTERS:
            raise UnreadableFile(f"its text has more than {MAX_CHARACTERS:,} characters", "Split it.")
        raw = head[where : where + characters * width]
        piece = raw.decode("latin-1").translate(WINDOWS) if narrow else _units(raw)
        places.append((total, where, width))
        parts.append(piece.ljust(characters, "\x00")[:characters])
        total += characters
    return "".join(parts), places


def _units(raw: bytes) -> str:
    """UTF-16 with a sign for each of its units, since the file counts those."""
    text = raw.decode("utf-16-le", "surrogatepass")
    return BEYOND.sub(lambda match: _halves(ord(match.group())), text)


def _halves(code: int) -> str:
    return chr(0xD800 + (code - 0x10000 >> 10)) + chr(0xDC00 + (code - 0x10000 & 0x3FF))


def _stories(head: bytes, text: str) -> tuple[str, str]:
    """The body, and its foot- and endnotes; heads, comments and text boxes lie between and behind them."""
    _, sizes = _pairs(head)
    body, foot, heads, macros, remarks, end, boxes = (max(0, size) for size in (sizes[3:10] + [0] * 7)[:7])
    behind = body + foot + heads + macros + remarks
    boxed = text[behind + end : behind + end + boxes]
    return text[:body], text[body : body + foot] + "\r" + text[behind : behind + end] + "\r" + boxed


def _blocks(body: str, places: list[tuple[int, int, int]], styles: Any) -> list[str]:
    firsts = [first for first, _, _ in places]
    blocks: list[str] = []
    rows: list[list[str]] = []
    cells: list[str] = []
    open_cell: list[str] = []
    at = 0
    for match in re.finditer(r"[\r\x07\x0c]", body):
        words, end = _plain(body[at : match.start()]), match.start()
        at = match.end()
        piece = bisect_right(firsts, end) - 1
        style: Style = styles.at(places[piece][1] + (end - firsts[piece]) * places[piece][2]) if piece >= 0 else Style()
        if style.row_end:
            if any(cells):
                rows.append(cells)
            cells, open_cell = [], []
        elif style.in_table:
            open_cell.append(words)
            if match.group() == CELL:
                cells.append(" ".join(" ".join(open_cell).split()))
                open_cell = []
        else:
            if rows:
                blocks.append("\n".join(table_lines(rows, headed=True)))
                rows = []
            if block := _block(words, style):
                blocks.append(block)
    if rows:
        blocks.append("\n".join(table_lines(rows, headed=True)))
    if rest := _block(_plain(body[at:]), Style()):
        blocks.append(rest)
    return blocks


def _block(words: str, style: Style) -> str:
    lines = [" ".join(line.split()) for line in words.split("\n")]
    text = "\n".join(line for line in lines if line)
    if not text:
        return ""
    if style.level:
        return f"{'#' * min(style.level, 6)} {' '.join(text.split())}"
    return f"- {text}" if style.item else text


def _plain(text: str) -> str:
    """Text without the instructions of fields and the marks of pictures and notes."""
    if FIELD_BEGIN in text:
        kept: list[str] = []
        depth: list[bool] = []
        for part in re.split(r"([\x13\x14\x15])", text):
            if part == FIELD_BEGIN:
                depth.append(False)
            elif part == FIELD_PART and depth:
                depth[-1] = True
            elif part == FIELD_END and depth:
                depth.pop()
            elif all(depth):
                kept.append(part)
        text = "".join(kept)
    text = text.replace("\x0b", "\n").replace("\x1e", "-").replace("\xa0", " ").replace("\t", " ")
    return DROPPED.sub("", text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
