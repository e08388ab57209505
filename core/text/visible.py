"""Signs that steer a screen instead of showing, made visible: direction overrides, controls, what has no width."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""The text with every sign that cannot be seen written as its code point, so that it reads as it is stored.

    >>> visible("paid \u202e0001 EUR"), visible("two\nlines")
    ('paid ⟨U+202E⟩0001 EUR', 'two\nlines')
    """
    return _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)
