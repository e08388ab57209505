"""All detectors over one text; where two find the same place the surer one counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.safety.privacy.contacts import REGIONS, find_contacts
from core.safety.privacy.entities import About, Entity, Finding
from core.safety.privacy.names import Detector
from core.safety.privacy.numbers import find_numbers
from core.safety.privacy.patterns import find_patterns
from core.safety.privacy.persons import find_phrases, names_beside
from core.safety.privacy.secrets import find_secrets

SURENESS: Final = (
    Entity.OWN,
    Entity.KEY,
    Entity.IBAN,
    Entity.EMAIL,
    Entity.CARD,
    Entity.ACCOUNT,
    Entity.NATIONAL_ID,
    Entity.BIRTH_DATE,
    Entity.PHONE,
    Entity.HOME_ADDRESS,
    Entity.NAME,
    Entity.FINANCES,
    Entity.HEALTH,
)
"""Which kind counts where two overlap, the surest first."""

LONGEST_TEXT: Final = 200_000
"""Characters of a text that are read at once; a longer one is read in parts that overlap."""
OVERLAP: Final = 1_000
_ONE_WAY: Final = str.maketrans(
    {**dict.fromkeys("\u00a0\u2007\u2009\u202f", " "), **dict.fromkeys("\u2010\u2011\u2012\u2013", "-")}
)
"""Spaces and hyphens that word processors put into numbers, sign for sign as a keyboard has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyRules:
    """What a project adds to the detectors.

    Attributes:
        patterns: Regular expressions by name.
        allowed: Values that are public on purpose, such as the bank's own hotline; compared without spaces and case.
        regions: Countries whose national ways of writing telephone numbers are read.
        names: A model for the names of people, where one is chosen.
    """

    patterns: Mapping[str, str] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()
    regions: tuple[str, ...] = REGIONS
    names: Detector | None = None


USUAL: Final = PrivacyRules()


def find_personal_data(text: str, rules: PrivacyRules = USUAL) -> list[Finding]:
    """Everything that the detectors find in a text, in its order, no two overlapping.

    Args:
        text: Any text.
        rules: The project's patterns, and its model for names where it has one.
    """
    found: dict[tuple[int, int], Finding] = {}
    for start in range(0, max(1, len(text)), LONGEST_TEXT - OVERLAP):
        for finding in _in_part(text[start : start + LONGEST_TEXT], rules):
            moved = _moved(finding, start)
            found.setdefault((moved.start, moved.end), moved)
        if start + LONGEST_TEXT >= len(text):
            break
    return sorted(found.values(), key=lambda finding: finding.start)


def same_value(value: str) -> str:
    """A value without what may differ between two ways of writing it."""
    return "".join(sign for sign in value.casefold() if sign.isalnum() or sign == "@")


def _in_part(text: str, rules: PrivacyRules) -> list[Finding]:
    as_written, text = text, text.translate(_ONE_WAY)
    named = rules.names(text) if rules.names is not None else ()
    chosen = _surest(
        [
            *find_patterns(text, rules.patterns),
            *find_secrets(text),
            *find_numbers(text),
            *find_contacts(text, rules.regions),
            *find_phrases(text, named),
            *named,
        ]
    )
    surest = _surest([*chosen, *names_beside(text, chosen)])
    return [replace(finding, value=as_written[finding.start : finding.end]) for finding in surest]


def _surest(findings: Iterable[Finding]) -> list[Finding]:
    kept: list[Finding] = []
    for finding in sorted(findings, key=_order):
        if not _overlaps(finding, kept):
            kept.append(finding)
    return kept


def _order(finding: Finding) -> tuple[int, bool, int, int]:
    """The surer kind first, and of one kind what is known to be a person's."""
    return SURENESS.index(finding.entity), finding.about is not About.PERSON, finding.start, -finding.end


def _overlaps(finding: Finding, others: Sequence[Finding]) -> bool:
    return any(finding.start < other.end and other.start < finding.end for other in others)


def _moved(finding: Finding, by: int) -> Finding:
    if not by:
        return finding
    return replace(finding, start=finding.start + by, end=finding.end + by)
