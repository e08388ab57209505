"""What can be found in a text: kinds of personal data and of secrets, and one finding."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Entity(StrEnum):
    """A kind of personal data or secret."""

    CARD = "payment_card"
    IBAN = "iban"
    ACCOUNT = "account_number"
    NATIONAL_ID = "national_id"
    PHONE = "phone"
    EMAIL = "email"
    KEY = "key_or_token"
    NAME = "name"
    BIRTH_DATE = "birth_date"
    HOME_ADDRESS = "home_address"
    FINANCES = "finances_of_a_person"
    HEALTH = "health_of_a_person"
    OWN = "own_pattern"


TITLES: Final = {
    Entity.CARD: "Payment card",
    Entity.IBAN: "IBAN",
    Entity.ACCOUNT: "Bank account",
    Entity.NATIONAL_ID: "National identifier",
    Entity.PHONE: "Telephone number",
    Entity.EMAIL: "E-mail address",
    Entity.KEY: "Key or token",
    Entity.NAME: "Name",
    Entity.BIRTH_DATE: "Date of birth",
    Entity.HOME_ADDRESS: "Home address",
    Entity.FINANCES: "Finances of a named person",
    Entity.HEALTH: "Health of a named person",
    Entity.OWN: "Your pattern",
}


class About(StrEnum):
    """Whose data it is, as far as the words around it tell."""

    PERSON = "person"
    ORGANISATION = "organisation"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One place in a text.

    Attributes:
        entity: What it is.
        start: Where it begins, in characters.
        end: Where it ends, exclusive.
        value: The text there. It is for comparing only: nothing but `masked` forms of it is shown, stored or logged.
        rule: What decided, such as "IBAN, check digits right".
        about: Whose it is.
    """

    entity: Entity
    start: int
    end: int
    value: str = field(repr=False)
    rule: str
    about: About = About.PERSON
