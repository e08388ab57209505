"""The outline of the report: that of guidance on model risk (SR 11-7, SS1/23)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from core.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """A section of the outline.

    Attributes:
        key: Its stable name.
        about: What it holds, one sentence.
        optional: Whether it can be switched off.
    """

    key: str
    title: str
    about: str
    optional: bool = True


SUMMARY: Final = "summary"

SECTIONS: Final = (
    Outlined(key=SUMMARY, title="Summary", about="Verdict, sample, estimates, open findings.", optional=False),
    Outlined(key="purpose", title="Purpose, scope and intended use", about="What the system is for, and for whom."),
    Outlined(key="risks", title="Risks", about="The risks that were named before the tests."),
    Outlined(key="system", title="System under test", about="What was asked, over which documents, as it was set."),
    Outlined(key="data", title="Data and test design", about="The questions, how they were made, what they cover."),
    Outlined(
        key="soundness",
        title="Conceptual soundness of the measures",
        about="What each score means, where it comes from, and whether its judge was tested.",
    ),
    Outlined(key="results", title="Results", about="Every estimate with its interval, and what has none."),
    Outlined(key="calibration", title="Calibration against people", about="Labels, agreement, what a score promises."),
    Outlined(key="diagnosis", title="Diagnosis", about="Which module is broken, with evidence."),
    Outlined(
        key="change",
        title="Change since an earlier run",
        about="Whether the answers became better or worse, and in which module.",
    ),
    Outlined(key="robustness", title="Robustness", about="How answers hold under altered input."),
    Outlined(key="safety", title="Safety", about="Personal data, toxicity, probes, equal treatment, the documents."),
    Outlined(key="weaknesses", title="Weaknesses and findings", about="Where the system is weak, and who sees to it."),
    Outlined(
        key="limitations",
        title="Limitations",
        about="What was not judged, not decided, not scored and not tested.",
        optional=False,
    ),
    Outlined(key="monitoring", title="Monitoring plan", about="What to watch in use, and what ends the approval."),
    Outlined(
        key="reproduction",
        title="Reproduction",
        about="Versions, seeds, prompts, hashes, counts, cost, who did what.",
    ),
    Outlined(key="sign_off", title="Sign-off", about="Who prepared, reviewed and approved it."),
)

TITLES: Final = {section.key: section.title for section in SECTIONS}
OPTIONAL: Final = tuple(section.key for section in SECTIONS if section.optional)


def check_sections(off: Collection[str]) -> frozenset[str]:
    """The sections to leave out, where they can be.

    Raises:
        InvalidInput: There is no such section, or it cannot be switched off.
    """
    for key in off:
        if key not in TITLES:
            raise InvalidInput(f"The report has no section {key!r}.", f"Its sections are: {', '.join(TITLES)}.")
        if key not in OPTIONAL:
            raise InvalidInput(
                f"The section {TITLES[key]} cannot be switched off.", "A report without it would mislead its reader."
            )
    return frozenset(off)
