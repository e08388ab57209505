"""Compound files and Outlook messages, written as MS-CFB and MS-OXMSG say, for tests of their readers."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from datetime import UTC, datetime

Tree = Mapping[str, "bytes | Tree"]
SECTOR, MINI, CUTOFF = 512, 64, 4096
END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def compound_file(tree: Tree) -> bytes:
    """A compound file with these streams and folders; small streams lie in the mini stream."""
    entries: list[dict] = [{"name": "Root Entry", "kind": 5, "data": b"", "children": []}]

    def add(parent: int, inner: Tree) -> None:
        for name in sorted(inner, key=lambda name: (len(name), name.upper())):
            content = inner[name]
            number = len(entries)
            entries[parent]["children"].append(number)
            if isinstance(content, bytes):
                entries.append({"name": name, "kind": 2, "data": content, "size": len(content), "children": []})
            else:
                entries.append({"name": name, "kind": 1, "data": b"", "children": []})
                add(number, content)

    add(0, tree)
    sectors: list[bytes] = []
    chains: list[int] = []

    def store(data: bytes) -> int:
        if not data:
            return END
        start = len(sectors)
        pieces = [data[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(data), SECTOR)]
        for place, piece in enumerate(pieces):
            sectors.append(piece)
            chains.append(start + place + 1 if place + 1 < len(pieces) else END)
        return start

    small = b""
    mini_chains: list[int] = []
    for entry in entries:
        entry["start"] = 0
        if entry["kind"] == 2 and 0 < len(entry["data"]) < CUTOFF:
            entry["start"] = len(mini_chains)
            pieces = -(-len(entry["data"]) // MINI)
            mini_chains += [*range(len(mini_chains) + 1, len(mini_chains) + pieces), END]
            small += entry["data"].ljust(pieces * MINI, b"\0")
        elif entry["kind"] == 2:
            entry["start"] = store(entry["data"])
    entries[0] |= {"start": store(small), "size": len(small)}
    mini_table = store(
        struct.pack(f"<{len(mini_chains)}I", *mini_chains).ljust(-(-4 * len(mini_chains) // SECTOR) * SECTOR, b"\xff")
        if small
        else b""
    )
    mini_sectors = -(-4 * len(mini_chains) // SECTOR)
    rows = []
    for entry in entries:
        children = entry["children"]
        entry["child"] = children[0] if children else FREE
        for left, right in zip(children, [*children[1:], FREE], strict=False):
            entries[left]["right"] = right  # a list is a tree, too, and readers take it
    for entry in entries:
        name = entry["name"].encode("utf-16-le") + b"\0\0"
        rows.append(
            name.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(name), entry["kind"], 1, FREE, entry.get("right", FREE), entry["child"])
            + bytes(16 + 4 + 16)
            + struct.pack("<IQ", entry["start"], entry.get("size", 0))
        )
    directory = store(b"".join(rows))
    count = 1
    while (len(chains) + count) > count * (SECTOR // 4):
        count += 1
    first = len(sectors)
    table = [*chains, *[FAT] * count]
    packed = struct.pack(f"<{len(table)}I", *table).ljust(count * SECTOR, b"\xff")
    head = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + bytes(16)
        + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
        + bytes(6)
        + struct.pack("<IIIIIIIII", 0, count, directory, 0, CUTOFF, mini_table, mini_sectors, END, 0)
    )
    places = [*range(first, first + count), *[FREE] * (109 - count)]
    return head + struct.pack("<109I", *places) + b"".join(sectors) + packed


def outlook_file(
    *,
    subject: str = "",
    body: str = "",
    html: bytes = b"",
    rtf: bytes = b"",
    sender: str = "",
    address: str = "",
    to: str = "",
    sent: datetime | None = None,
    page: int = 0,
    attached: tuple[tuple[str, bytes | dict], ...] = (),
    kind: str = "IPM.Note",
) -> bytes:
    """An Outlook message; an attachment is its name and its bytes, or the arguments of a message of its own."""
    return compound_file(_message(locals(), 32))


def _message(given: Mapping[str, object], head: int) -> dict[str, bytes | Tree]:
    page = int(str(given.get("page") or 0))
    texts = {
        0x001A: given.get("kind") or "IPM.Note",
        0x0037: given.get("subject"),
        0x1000: given.get("body"),
        0x0C1A: given.get("sender"),
        0x0C1F: given.get("address"),
        0x0E04: given.get("to"),
    }
    tree: dict[str, bytes | Tree] = {}
    fixed = b""
    for tag, value in texts.items():
        if value:
            tree |= _text(tag, str(value), page)
    for tag, data in ((0x1013, given.get("html")), (0x1009, given.get("rtf"))):
        if isinstance(data, bytes) and data:
            tree[f"__substg1.0_{tag:04X}0102"] = data
    sent = given.get("sent")
    if isinstance(sent, datetime):
        ticks = int((sent - EPOCH).total_seconds()) * 10_000_000
        fixed += struct.pack("<HHIQ", 0x0040, 0x0039, 6, ticks)
    if page:
        fixed += b"".join(struct.pack("<HHIIi", 3, tag, 6, page, 0) for tag in (0x3FFD, 0x3FDE))
    for number, (name, content) in enumerate(given.get("attached") or ()):
        method = 1 if isinstance(content, bytes) else 5
        inner: dict[str, bytes | Tree] = _text(0x3707, name, page)
        if isinstance(content, bytes):
            inner["__substg1.0_37010102"] = content
        else:
            inner["__substg1.0_3701000D"] = _message(content, 24)
        inner["__properties_version1.0"] = bytes(8) + struct.pack("<HHIIi", 3, 0x3705, 6, method, 0)
        tree[f"__attach_version1.0_#{number:08X}"] = inner
    tree["__properties_version1.0"] = bytes(head) + fixed
    return tree


def _text(tag: int, value: str, page: int) -> dict[str, bytes | Tree]:
    if page:
        return {f"__substg1.0_{tag:04X}001E": value.encode(f"cp{page}")}
    return {f"__substg1.0_{tag:04X}001F": value.encode("utf-16-le")}
