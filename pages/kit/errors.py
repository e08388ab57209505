"""How an error reaches a person: what happened, to which thing, and what to do about it."""

from __future__ import annotations

import re
from types import TracebackType

import streamlit as st

from core.domain.errors import PlumblineError
from core.text.display.visible import unturned

JOINER = "\u2060"
"""A sign without width at which no line is broken."""

_LINK = re.compile(
    r"(?<=http\\:)(?=//)|(?<=https\\:)(?=//)|(?<=@)(?=[-\w]+(\\?_[-\w]*)*\.)|(?<=www)(?=\.)", re.IGNORECASE
)
"""Where a web address or a mailbox is parted."""


LONGEST = 600
"""Characters of a message; a longer one repeats what a person gave and would fill the screen."""
LAST = 150
"""Characters of its end that stay, since they say what is wrong with what is repeated before."""


def text(error: PlumblineError) -> str:
    """Message and hint as two lines of Markdown; nothing in them is rendered as markup."""
    hint = f"\n\n{plain(error.hint)}" if error.hint else ""
    message = error.message
    if len(message) > LONGEST:
        message = f"{message[: LONGEST - LAST]} ... {message[-LAST:]}"
    return f"**{plain(message)}**{hint}"


def show(error: PlumblineError) -> None:
    """Draws the error where it happened."""
    st.error(text(error), icon=":material/error:")


class shown:  # noqa: N801 - it reads as the verb it is: with errors.shown()
    """Shows a `PlumblineError` of the block in its place and goes on after it; anything else passes through.

    The block is a person's action: ``with errors.shown(): connect_database(...); state.say(...); st.rerun()``.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, PlumblineError):
            return False
        show(error)
        return True


def plain(value: str) -> str:
    r"""Text that Markdown shows as it is: a value from a file, a database or a model.

    A web address or a mailbox in it is no link: whoever wrote the text would choose where a click leads. Markdown finds
    them behind any escape, so a sign that takes no room and cannot be seen (U+2060) parts them. A sign that turns the
    direction of writing is shown as its code point, so that the text reads as it is stored.

    >>> print(plain("[Artist.Name] costs $5 and *more*"))
    \[Artist.Name\] costs \$5 and \*more\*
    >>> plain("www.evil.example")
    'www\u2060.evil.example'
    """
    escaped = "".join(f"\\{sign}" if sign in "\\`*_{}[]()<>#|$~:" else sign for sign in unturned(value))
    return _LINK.sub(JOINER, escaped)
