"""What to watch in use: proposed from what was measured, for the owner of the system to confirm."""

from __future__ import annotations

from core.criteria.service import in_words
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import note
from core.report.collect.sections.summary import is_open
from core.report.content import Block, Cell, Table
from core.text.display.numbers import count


def monitoring(g: Gathered) -> tuple[Block, ...]:
    """Measures with their limits, and events that ask for a new validation."""
    rows: list[tuple[Cell, ...]] = [
        (in_words(item.criterion), "each run on a new version of the test set", "it is no longer met")
        for item in g.outcomes
    ]
    if not g.outcomes and g.summary.accuracy.low:
        rows.append(
            (
                "Accuracy",
                "each run on a new version of the test set",
                f"the estimate falls below {g.summary.accuracy.low:.2f}, the lower end of today's interval (proposed)",
            )
        )
    if g.calibration is not None:
        result = g.calibration.report.result
        rows.append(
            (
                f"Share of prediction sets that hold the label ({1 - result.alpha:.2f} promised)",
                "monthly, on answers drawn at random and labelled by people",
                "the promise is called broken on the Calibrate page",
            )
        )
        rows.append(
            (
                "Share of answers sent to a person",
                "weekly, from the scores",
                "it doubles: the questions or the answers are no longer those that were calibrated",
            )
        )
    opened = [finding for finding in g.findings if is_open(finding)]
    if opened:
        rows.append(
            (
                count(len(opened), "open finding"),
                "each run",
                "a finding is still there after it was reported fixed, or worse",
            )
        )
    rows.append(("Personal data in answers", "each run, and a sample of real answers monthly", "one answer leaks"))
    rows.append(("Documents and database", "when they change", "fingerprints differ from those under Reproduction"))
    rows.append(
        ("Model, prompt, retriever, settings", "when they change", "any change: compare two runs before release")
    )
    return (
        note(
            "Proposed by rule from what this report measured. The owner of the system confirms or changes it "
            "in the commentary."
        ),
        Table(
            id="monitoring",
            title="Measures and what asks for a new validation",
            columns=("What", "When", "A new validation is due when"),
            rows=tuple(rows),
        ),
    )


def sign_off(g: Gathered) -> tuple[Block, ...]:
    """Lines to sign."""
    roles = ("Prepared by", "Reviewed by (independent of development)", "Owner of the system", "Approved by")
    rows: tuple[tuple[Cell, ...], ...] = tuple((role, "", "", "", "") for role in roles)
    return (
        Table(
            id="sign_off",
            title=f"Sign-off for run {g.run.id}",
            columns=("Role", "Name", "Decision", "Date", "Signature"),
            rows=rows,
            note="Decision: approved, approved with conditions, or not approved.",
        ),
    )
