"""What a project validates and why: the purpose, the system under test, its users and the risks of using it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Materiality(StrEnum):
    """How much harm a risk can do where it comes true, worst first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """What may go wrong when the system is used.

    Attributes:
        name: A few words, such as "Wrong interest rate quoted".
        materiality: How much harm it can do.
        description: How it comes about, and whom it harms.
    """

    name: str
    materiality: Materiality = Materiality.MEDIUM
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemUnderTest:
    """The system that is validated, as its owner describes it.

    Attributes:
        name: What it is called in the bank.
        version: Of the system as it was tested.
        owner: Who answers for it: a person or a unit.
        model: The language model in it, with its version.
        description: How it works, in a few sentences.
    """

    name: str = ""
    version: str = ""
    owner: str = ""
    model: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectProfile:
    """What is validated, for what use, and which risks come with that use; empty texts are not told yet.

    Attributes:
        purpose: What the validation is to decide.
        scope: What it covers, and what it leaves out.
        intended_use: What the system is used for, and what it must not be used for.
        system: The system under test.
        users: Who uses it, and who is affected by its answers.
        risks: In the order they were written.
        changed_at: UTC, ISO 8601, of the last change; empty where nobody wrote anything.
        changed_by: Who changed it last.
    """

    purpose: str = ""
    scope: str = ""
    intended_use: str = ""
    system: SystemUnderTest = field(default_factory=SystemUnderTest)
    users: str = ""
    risks: tuple[Risk, ...] = ()
    changed_at: str = ""
    changed_by: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts that nobody has told yet, in the words of the form.

        >>> ProjectProfile(purpose="Decide on the pilot.").missing
        ('scope', 'intended use', 'system under test', 'users', 'risks')
        """
        told = {
            "purpose": self.purpose,
            "scope": self.scope,
            "intended use": self.intended_use,
            "system under test": self.system.name,
            "users": self.users,
            "risks": self.risks,
        }
        return tuple(name for name, value in told.items() if not value)
