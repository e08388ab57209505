"""All detectors over one text; where two find the same place the surer one counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.safety.privacy.contacts import REGIONS, find_contacts
from core.safety.privacy.entities import Entity, Finding
from core.safety.privacy.numbers import find_numbers
from core.safety.privacy.patterns import find_patterns
from core.safety.privacy.persons import find_phrases, names_beside
from core.safety.privacy.secrets import find_secrets

Detector = Callable[[str], Iterable[Finding]]
"""Something that finds names in a text, such as a model for named entities."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyRules:
    """What a project adds to the detectors.

    Attributes:
        patterns: Regular expressions by name.
        allowed: Values that are public on purpose, such as the bank's own hotline; compared without spaces and case.
        regions: Countries whose national ways of writing telephone numbers are read.
    """

    patterns: Mapping[str, str] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()
    regions: tuple[str, ...] = REGIONS


USUAL: Final = PrivacyRules()


def find_personal_data(text: str, rules: PrivacyRules = USUAL, names: Detector | None = None) -> list[Finding]:
    """Everything that the detectors find in a text, in its order, no two overlapping.

    Args:
        text: Any text.
        rules: The project's patterns.
        names: A model for names, where one is present; rules find only names that other words give away.
    """
    found: dict[tuple[int, int], Finding] = {}
    for start in range(0, max(1, len(text)), LONGEST_TEXT - OVERLAP):
        for finding in _in_part(text[start : start + LONGEST_TEXT], rules, names):
            moved = _moved(finding, start)
            found.setdefault((moved.start, moved.end), moved)
        if start + LONGEST_TEXT >= len(text):
            break
    return sorted(found.values(), key=lambda finding: finding.start)


def same_value(value: str) -> str:
    """A value without what may differ between two ways of writing it."""
    return "".join(sign for sign in value.casefold() if sign.isalnum() or sign == "@")


def _in_part(text: str, rules: PrivacyRules, names: Detector | None) -> list[Finding]:
    findings = [
        *find_patterns(text, rules.patterns),
        *find_secrets(text),
        *find_numbers(text),
        *find_contacts(text, rules.regions),
        *find_phrases(text),
    ]
    if names is not None:
        findings += names(text)
    chosen = _surest(findings)
    return _surest([*chosen, *names_beside(text, chosen)])


def _surest(findings: Iterable[Finding]) -> list[Finding]:
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (SURENESS.index(one.entity), one.start, -one.end)):
        if not _overlaps(finding, kept):
            kept.append(finding)
    return kept


def _overlaps(finding: Finding, others: Sequence[Finding]) -> bool:
    return any(finding.start < other.end and other.start < finding.end for other in others)


def _moved(finding: Finding, by: int) -> Finding:
    if not by:
        return finding
    return replace(finding, start=finding.start + by, end=finding.end + by)
