"""Database addresses: secrets come from the environment, never from the address itself."""

from __future__ import annotations

import re

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from core.domain.errors import InvalidInput
from core.settings import environment_value

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
SECRET_OPTIONS = frozenset({"password", "passwd", "pwd", "sslpassword", "token", "access_token", "secret"})


def read_address(url: str) -> URL:
    """A database URL with every ``${NAME}`` taken from the environment.

    Args:
        url: SQLAlchemy URL, such as ``sqlite:///data/bank.sqlite`` or
            ``postgresql+psycopg://reader:${BANK_PASSWORD}@host/bank``.

    Raises:
        InvalidInput: It is no URL, carries a literal password, or names a variable that is not set.
    """
    address = _parse(url)
    secrets = [address.password, *(address.query.get(name) for name in address.query if name.lower() in SECRET_OPTIONS)]
    for secret in secrets:
        if secret and not VARIABLE.fullmatch(str(secret)):
            # The message must not repeat the address: it holds the password.
            raise InvalidInput(
                "The database address carries a password in plain text.",
                "Put the password in an environment variable and write ${NAME} in its place.",
            )
    return address.set(
        username=_filled(address.username),
        password=_filled(address.password),
        host=_filled(address.host),
        database=_filled(address.database),
        query={name: _option(value) for name, value in address.query.items()},
    )


def _parse(url: str) -> URL:
    hint = "Write it like sqlite:///folder/file.sqlite, or upload an SQLite file."
    if not url.strip():
        raise InvalidInput("The database address is empty.", hint)
    try:
        return make_url(url.strip())
    except (ArgumentError, ValueError) as error:
        location = url.strip().split("@")[-1]
        raise InvalidInput(f"'{location}' is not a database address.", hint) from error


def _filled(part: str | None) -> str | None:
    return None if part is None else VARIABLE.sub(_value, part)


def _option(value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return VARIABLE.sub(_value, value)
    return tuple(VARIABLE.sub(_value, item) for item in value)


def _value(match: re.Match[str]) -> str:
    value = environment_value(match.group(1))
    if value is None:
        raise InvalidInput(
            f"The database address needs the environment variable {match.group(1)}, which is not set.",
            f"Set {match.group(1)} and start Plumbline again.",
        )
    return value
