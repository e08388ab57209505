"""Documents about four subjects, a folder each, so that topics are known before they are found."""

from __future__ import annotations

from pathlib import Path

SUBJECTS = {
    "accounts": "The {name} savings account pays an interest rate of {n} percent on its deposit balance.",
    "cards": "The {name} debit card has a contactless limit of {n} pounds, and a lost card is replaced in days.",
    "loans": "A {name} mortgage loan runs for {n} years, and the borrower may repay the loan early for a fee.",
    "branches": "The {name} branch opens its counter at {n} o'clock in the morning and closes it in the evening.",
}
NAMES = ("Juniper", "Saffron", "Pewter", "Caraway", "Basalt", "Kestrel", "Marram", "Lantern")


def write_subjects(folder: Path) -> Path:
    """Eight documents a subject, all with one chunk."""
    for subject, sentence in SUBJECTS.items():
        (folder / subject).mkdir(parents=True)
        for number, name in enumerate(NAMES):
            ending = "md" if number % 2 else "txt"
            text = f"---\ndate: {2025 + number % 2}-03-01\n---\n" if ending == "md" else ""
            (folder / subject / f"{name.lower()}.{ending}").write_text(text + sentence.format(name=name, n=number + 2))
    return folder
