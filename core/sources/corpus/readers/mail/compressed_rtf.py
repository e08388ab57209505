"""Outlook's compressed RTF (MS-OXRTFCP), in which it keeps bodies that have no other form."""

from __future__ import annotations

import struct

PACKED, PLAIN = 0x75465A4C, 0x414C454D
MAX_UNPACKED = 50_000_000
WINDOW = 4_096
DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What the window holds before the first byte."""


def unpacked_rtf(data: bytes) -> bytes:
    """The RTF text, as far as it is sound; at most 50 MB.

    Args:
        data: The property, with its head of 16 bytes.
    """
    if len(data) < 16:
        return b""
    _, size, kind, _ = struct.unpack_from("<IIII", data)
    if kind == PLAIN:
        return data[16 : 16 + size]
    if kind != PACKED:
        return b""
    window = bytearray(DICTIONARY + bytes(WINDOW - len(DICTIONARY)))
    at, end, written = 16, len(data), len(DICTIONARY)
    unpacked = bytearray()
    while at < end and len(unpacked) < min(size, MAX_UNPACKED):
        control = data[at]
        at += 1
        for bit in range(8):
            if control >> bit & 1:
                if at + 1 >= end:
                    return bytes(unpacked)
                token = data[at] << 8 | data[at + 1]
                at += 2
                offset, length = token >> 4, (token & 0xF) + 2
                if offset == written % WINDOW:
                    return bytes(unpacked)
                for step in range(length):
                    value = window[(offset + step) % WINDOW]
                    window[written % WINDOW] = value
                    written += 1
                    unpacked.append(value)
            else:
                if at >= end:
                    return bytes(unpacked)
                window[written % WINDOW] = data[at]
                unpacked.append(data[at])
                written += 1
                at += 1
    return bytes(unpacked[:size])
