"""XML parsed without entities, networks or files outside, and within bounds."""

from __future__ import annotations

from typing import Any

from core.domain.errors import UnreadableFile

MAX_ELEMENTS = 3_000_000
DEEPEST = 500


def xml_root(data: bytes, kind: str) -> Any:
    """The root element of a document; references to entities of its own stay as they are written.

    Args:
        data: The document.
        kind: Of file, for messages.

    Raises:
        UnreadableFile: It is damaged, or its elements lie in one another without end.
    """
    from lxml import etree

    parser = etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
    )
    depth = count = 0
    root = None
    try:
        for at in range(0, len(data), 1 << 18):
            parser.feed(data[at : at + (1 << 18)])
            for event, element in parser.read_events():
                depth += 1 if event == "start" else -1
                count += event == "start"
                root = element if root is None else root
                if depth > DEEPEST:
                    raise UnreadableFile(f"its elements lie in one another more than {DEEPEST} deep", "Save it again.")
                if count > MAX_ELEMENTS:
                    raise UnreadableFile(f"it has more than {MAX_ELEMENTS:,} elements", "Split it.")
        parser.close()
    except etree.XMLSyntaxError as error:
        reason = " ".join(str(error.msg or error).split())[:120]
        raise UnreadableFile(f"it is damaged or no {kind} ({reason})", "Save it again.") from None
    if root is None:
        raise UnreadableFile(f"it is damaged or no {kind} (it has no element)", "Save it again.")
    return root


def local(element: Any) -> str:
    """An element's name without its namespace; empty for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
