"""Signs that steer a screen instead of showing, made visible: direction overrides, controls, what has no width."""

from __future__ import annotations

import re

from core.domain.errors import InvalidInput

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\uffa0\u3164"
    "\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)


_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Those of them that turn the direction of what follows, so that it reads otherwise than it is stored."""
SAME_LENGTH = "\ufffd"


def visible(text: str) -> str:
    r"""The text with every sign that cannot be seen written as its code point, so that it reads as it is stored.

    >>> visible("paid \u202e0001 EUR"), visible("two\nlines")
    ('paid ⟨U+202E⟩0001 EUR', 'two\nlines')
    """
    return _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def unturned(text: str, sign: str = "") -> str:
    r"""The text with the signs that turn the direction of writing made visible; others that are not seen stay.

    For screens, where a soft hyphen or a joiner inside a word belongs to it and only what lies is shown.

    Args:
        text: What somebody else wrote.
        sign: Stands for each of them, such as `SAME_LENGTH` where places in the text are counted; its code point where
            it is empty.

    >>> unturned("paid \u202e0001 EUR"), unturned("co\u00adop"), unturned("a\u202eb", SAME_LENGTH) == "a\ufffdb"
    ('paid ⟨U+202E⟩0001 EUR', 'co\xadop', True)
    """
    return _TURNING.sub(lambda match: sign or f"⟨U+{ord(match[0]):04X}⟩", text)


def require_visible(name: str, of: str) -> None:
    """Refuses a name that people could not tell from another one by looking at it.

    Args:
        name: The name.
        of: Whose it is, for the error: "a project".

    Raises:
        InvalidInput: It holds a sign that cannot be seen, or one that turns the direction of writing.
    """
    if sign := _UNSEEN.search(name):
        raise InvalidInput(
            f"The name of {of} holds a sign that cannot be seen: {visible(name)}.",
            f"Type the name without U+{ord(sign[0]):04X}; it often comes with copied text.",
        )
