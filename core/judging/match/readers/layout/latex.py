"""Formulas as assistants write them, in plain characters."""

from __future__ import annotations

import re

_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]{0,200})\}\s*\{([^{}]{0,200})\}")
_INLINE = re.compile(r"(?<![\\$])\$((?:[^$\n\\]|\\.){1,200})(?<!\\)\$(?!\$|\d)")
"""A formula within a line: $15.4\\%$, where the dollars are no money."""
_WRAPPED = re.compile(
    r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname|mbox|"
    r"underline)\s*\{([^{}]{0,300})\}"
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{([^{}]{0,300})\}")
_SYMBOLS = (
    (re.compile(r"\\(?:approx|simeq|sim|cong)(?![a-zA-Z])"), " = "),
    (re.compile(r"\\(?:times|cdot|ast)(?![a-zA-Z])"), " × "),
    (re.compile(r"\\div(?![a-zA-Z])"), " / "),
    (re.compile(r"\\(?:Rightarrow|rightarrow|implies|to)(?![a-zA-Z])"), " = "),
    (re.compile(r"\\(?:left|right|displaystyle|quad|qquad|big|Big)(?![a-zA-Z])"), " "),
    (re.compile(r"\\[,;:! ]"), " "),
    (re.compile(r"\\([%$&#_])"), r"\1"),
    (re.compile(r"\\[()\[\]]|\$\$"), " "),
    (re.compile(r"\\\\"), "\n"),
    (re.compile(r"\{([^{}\n]{0,200})\}"), r"\1"),
)


def plain_formulas(text: str) -> str:
    r"""A text with its LaTeX formulas in plain characters; other text stays as it is.

    >>> plain_formulas(r"\\( \\frac{6489}{267.5} \\approx 24.26 \\%\\)".replace("\\\\", "\\")).split()
    ['(6489)', '/', '(267.5)', '=', '24.26', '%']
    """
    if "\\" not in text and "{,}" not in text:
        return text
    plain = _INLINE.sub(lambda match: f" {match[1]} " if "\\" in match[1] else match[0], text.replace("{,}", ","))
    for _ in range(3):  # one inside the other
        plain = _WRAPPED.sub(r" \1 ", plain)
        plain = _BOXED.sub(r" final answer: \1 ", plain)
        plain = _FRACTION.sub(r" (\1) / (\2) ", plain)
    for pattern, replacement in _SYMBOLS:
        plain = pattern.sub(replacement, plain)
    return plain
