"""Which variables of the environment may go to which host; the operator says so, a person only asks."""

from __future__ import annotations

from core.domain.errors import DestinationRefused, InvalidInput
from core.net.gate.destinations import Destination
from core.net.gate.listed import entries
from core.net.gate.policy import strict
from core.settings import PREFIX, settings

HOST_VARIABLES = f"{PREFIX}HOST_VARIABLES"
"""The variables that may go to a host, such as ``db.bank.example=BANK_PASSWORD; llm.bank.example=LLM_KEY,TEAM_KEY``."""

KEY_VARIABLE = f"{PREFIX}LLM_KEY"
"""Where the key of an endpoint is that a person named by its address alone, where its host may have it."""

KEY_HOSTS_VARIABLE = f"{KEY_VARIABLE}_HOSTS"
"""The hosts that get that key; without it no host does, since anybody can write an address."""

TARGET_PREFIX = f"{PREFIX}TARGET_"
"""Variables of this prefix, and the keys of models, are made for references; all others of Plumbline are its own."""

OPENAI_HOST, OPENAI_KEY_VARIABLE = "api.openai.com", "OPENAI_API_KEY"
"""The usual variable goes to its own host and to no other."""


def is_setting(name: str) -> bool:
    """Whether a variable is Plumbline's own, such as the address of its database, which no other service is to see."""
    upper = name.upper()
    made_for_references = upper.startswith((TARGET_PREFIX, KEY_VARIABLE)) and upper != KEY_HOSTS_VARIABLE
    return upper.startswith(PREFIX) and not made_for_references


def allowed_variable(name: str, destination: Destination) -> bool:
    """Whether a variable may go to a destination; whether it is set does not matter.

    On a person's own machine (no sign-in, PLUMBLINE_HOST_VARIABLES not set) each variable may go where that person
    sends it, but Plumbline's own to nobody.
    """
    if is_setting(name):
        return False
    return not strict() or name in granted(destination)


def granted(destination: Destination) -> frozenset[str]:
    """The variables that the operator has named for a destination.

    Raises:
        InvalidInput: The setting names a host that cannot be read.
    """
    config = settings()
    names = {
        name
        for host, variables in config.host_variables
        if any(entry.names(destination) for entry in entries((host,), HOST_VARIABLES))
        for name in variables
    }
    if any(entry.names(destination) for entry in entries(config.llm_key_hosts, KEY_HOSTS_VARIABLE)):
        names.add(KEY_VARIABLE)
    if destination.host == OPENAI_HOST and destination.port in (None, 443):
        names.add(OPENAI_KEY_VARIABLE)
    return frozenset(names)


def require_variable(name: str, destination: Destination) -> None:
    """Refuses to send a variable to a destination that it is not named for; its value is not looked at.

    Raises:
        InvalidInput: It is a setting of Plumbline.
        DestinationRefused: The operator has not named it for that host.
    """
    if is_setting(name):
        raise InvalidInput(
            f"{name} is a setting of Plumbline, which is sent to no endpoint.",
            f"Give a variable of another name; {KEY_VARIABLE} may be one.",
        )
    if not allowed_variable(name, destination):
        raise DestinationRefused(
            f"The environment variable {name} is not named for {destination}.",
            f"The operator can name it there: {HOST_VARIABLES}={destination}={name}.",
            host=str(destination),
        )
