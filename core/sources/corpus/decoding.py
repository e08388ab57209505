"""Bytes to text: byte order marks, UTF-8, UTF-16 and UTF-32 without a mark, else Windows-1252."""

from __future__ import annotations

import codecs

from core.domain.errors import UnreadableFile

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""UTF-32 comes first: its little-endian mark begins with that of UTF-16."""

GUESSED = {
    "cp1252": "its encoding is not told and not UTF-8; it was read as Windows-1252",
    "latin-1": "its encoding is not known; it was read byte by byte, so some characters may be wrong",
}
SAMPLE = 4096


def decode(data: bytes) -> str:
    r"""The text of a file, with ``\n`` line ends.

    Raises:
        UnreadableFile: The bytes are not text in any of these encodings.

    >>> decode("Zürich\r\n".encode("cp1252")), decode("Zürich".encode("utf-16"))
    ('Zürich\n', 'Zürich')
    """
    return decode_told(data)[0]


def decode_told(data: bytes) -> tuple[str, tuple[str, ...]]:
    r"""The text of a file as `decode` gives it, and a line where its encoding had to be guessed.

    Raises:
        UnreadableFile: The bytes are not text in any of these encodings.

    >>> decode_told(b"caf\xe9")
    ('café', ('its encoding is not told and not UTF-8; it was read as Windows-1252',))
    """
    text, encoding = _decoded(data)
    if "\x00" in text:
        raise UnreadableFile("it is not text", "Save it as UTF-8 text.")
    guessed = GUESSED.get(encoding, "")
    return text.replace("\r\n", "\n").replace("\r", "\n"), (guessed,) if guessed else ()


def _decoded(data: bytes) -> tuple[str, str]:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), encoding
            except UnicodeDecodeError:
                raise UnreadableFile(f"it is marked as {encoding} and is not", "Save it as UTF-8 text.") from None
    wide = _wide(data[:SAMPLE])
    for encoding in (*([wide] if wide else []), "utf-8", "cp1252"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def _wide(sample: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, recognised by the places of the zero bytes of Western text."""
    zeros = [sum(1 for byte in sample[place::4] if byte == 0) * 4 / max(len(sample), 1) for place in range(4)]
    high = [share > 0.7 for share in zeros]
    return {
        (False, True, True, True): "utf-32-le",
        (True, True, True, False): "utf-32-be",
        (False, True, False, True): "utf-16-le",
        (True, False, True, False): "utf-16-be",
    }.get((high[0], high[1], high[2], high[3]), "")
