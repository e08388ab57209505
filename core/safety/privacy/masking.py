"""The one way in which personal data and secrets are masked; whatever leaves this package has gone through it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.safety.privacy.entities import Entity, Finding

DOT = "•"
PHRASES = frozenset({Entity.FINANCES, Entity.HEALTH, Entity.HOME_ADDRESS, Entity.NAME, Entity.BIRTH_DATE})
KEPT = 2
"""Signs at the end of a long number that stay, so that two findings can be told apart."""
LONG = 9
AROUND = 60
_SIGN = re.compile(r"[^\W_]")


def masked(value: str, entity: Entity) -> str:
    """A value with nearly every letter and digit hidden; its shape stays.

    >>> masked("GB73XLMB00710018715544", Entity.IBAN)
    '••••••••••••••••••••44'
    >>> masked("ann.lee@example.org", Entity.EMAIL)
    '•••.•••@•••••••.•••'
    >>> masked("Ann Lee", Entity.NAME)
    '••• •••'
    """
    signs = [match.start() for match in _SIGN.finditer(value)]
    numeric = entity not in PHRASES and entity not in (Entity.EMAIL, Entity.KEY, Entity.OWN)
    shown = set(signs[-KEPT:]) if numeric and len(signs) >= LONG else set[int]()
    hidden = set(signs) - shown
    return "".join(DOT if place in hidden else sign for place, sign in enumerate(value))


def masked_text(text: str, findings: Sequence[Finding]) -> str:
    """The text with every finding masked; findings may overlap.

    A value that is found in one place is masked wherever the text repeats it.
    """
    spans = {(finding.start, finding.end): finding.entity for finding in findings}
    for finding in findings:
        if finding.entity not in PHRASES or finding.entity is Entity.NAME:
            at = text.find(finding.value)
            while finding.value and at >= 0:
                spans.setdefault((at, at + len(finding.value)), finding.entity)
                at = text.find(finding.value, at + 1)
    result = list(text)
    for (start, end), entity in spans.items():
        for place, sign in enumerate(masked(text[start:end], entity), start):
            if sign == DOT:
                result[place] = DOT
    return "".join(result)


def masked_part(part: str, whole: Sequence[Finding], own: Sequence[Finding]) -> str:
    """A part of a text, such as a sentence, with what is found in it and what is found in the whole text masked.

    A name by itself is nobody's to the rules; that it is a person's is seen where the whole text is read.

    Args:
        part: The part, whose words may be spaced otherwise than in the whole.
        whole: What is found in the whole text.
        own: What is found in the part.
    """
    repeated = [
        replace(finding, start=at, end=at + len(finding.value))
        for finding in whole
        if finding.value and (at := part.find(finding.value)) >= 0
    ]
    return masked_text(part, [*own, *repeated])


def excerpt(text: str, finding: Finding, findings: Sequence[Finding], around: int = AROUND) -> str:
    """The finding with the words around it, everything found in it masked; cut at words."""
    safe = masked_text(text, findings)
    start, end = max(0, finding.start - around), min(len(text), finding.end + around)
    before, after = safe[start : finding.start], safe[finding.end : end]
    if start and " " in before:
        before = "… " + before.split(" ", 1)[1]
    if end < len(text) and " " in after:
        after = after.rsplit(" ", 1)[0] + " …"
    return " ".join((before + safe[finding.start : finding.end] + after).split())
