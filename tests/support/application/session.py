"""A session of the app without a browser: what the server sends to one that opens a page.

A browser takes some seconds to draw a page; where only what a page says matters, its messages will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from websockets.sync.client import connect

LIMIT_S = 120


@dataclass(frozen=True, slots=True)
class Opened:
    """A page as a session got it.

    Attributes:
        texts: What its elements say in words, by the place where they stand: ``main`` or ``sidebar``.
        errors: The exceptions that were shown.
        not_found: Whether the page was greeted with "Page not found".
    """

    texts: dict[str, list[str]]
    errors: list[str]
    not_found: bool


def open_page(address: str, path: str) -> Opened:
    """Opens a page in a session of its own and waits until it is drawn.

    Args:
        address: Of the server, such as ``http://localhost:20123``.
        path: Of the page, without a slash.
    """
    opened = Opened({"main": [], "sidebar": []}, [], not_found=False)
    ask = BackMsg()
    ask.rerun_script.page_name = path
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(stream, subprotocols=["streamlit"], open_timeout=LIMIT_S, max_size=None) as socket:  # type: ignore[list-item]
        socket.send(ask.SerializeToString())
        while True:
            message = ForwardMsg.FromString(socket.recv(LIMIT_S))
            kind = message.WhichOneof("type")
            if kind == "script_finished":
                return opened
            if kind == "page_not_found":
                opened = Opened(opened.texts, opened.errors, not_found=True)
            if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                _read(message.delta.new_element, list(message.metadata.delta_path), opened)


def _read(element: Element, path: list[int], opened: Opened) -> None:
    kind = element.WhichOneof("type")
    part = getattr(element, kind)
    if kind == "exception":
        opened.errors.append(part.message)
    place = "sidebar" if path[0] == RootContainer.SIDEBAR else "main"
    opened.texts[place].extend(_words(part))


def _words(part: Message) -> Iterator[str]:
    yield from (value for field, value in part.ListFields() if isinstance(value, str) and field.name != "id")
