"""What may stand after the ``?`` of a database address; everything else is refused by its name.

Drivers take dozens of options, and many of them name another host, read a file of this machine, run a statement or load
code. These say only how to talk to the server that the address names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from core.domain.errors import InvalidInput

Check = Callable[[str], bool]


def _one_of(*words: str) -> Check:
    return lambda value: value.lower() in words


def _form(pattern: str) -> Check:
    compiled = re.compile(pattern)
    return lambda value: compiled.fullmatch(value) is not None


_WORD = _form(r"[A-Za-z0-9_ .:-]{1,100}")
_SECONDS = _form(r"[1-9][0-9]{0,2}")
_FLAG = _one_of("true", "false", "1", "0", "yes", "no", "on", "off")
_FILE = _form(r"[^\x00-\x1f'\\]{1,1000}")
_SCHEMA = r"[A-Za-z_][A-Za-z0-9_$]*"
_SCHEMAS = _form(rf"{_SCHEMA}(,{_SCHEMA})*")
_SEARCH_PATH = _form(rf"-c ?search_path={_SCHEMA}(,{_SCHEMA})*")

FILES = frozenset({"sslrootcert", "ssl_ca"})
"""Options that name a file of certificates."""

SOCKETS = frozenset({"host", "unix_socket"})
"""Options that name a socket of this machine."""

OURS = frozenset({"schemas"})
"""Options that are read here and never reach a driver: ``schemas=a,b`` says which schemas' tables are read."""

OPTIONS: Mapping[str, Mapping[str, Check]] = MappingProxyType(
    {
        "postgresql": {
            "application_name": _WORD,
            "channel_binding": _one_of("disable", "prefer", "require"),
            "client_encoding": _WORD,
            "connect_timeout": _SECONDS,
            "gssencmode": _one_of("disable", "prefer", "require"),
            "host": _form(r"/[^,\x00-\x1f'\\]{1,200}"),
            "keepalives": _one_of("0", "1"),
            "keepalives_idle": _SECONDS,
            "options": _SEARCH_PATH,
            "schemas": _SCHEMAS,
            "sslmode": _one_of("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
            "sslrootcert": _FILE,
            "target_session_attrs": _form(r"[a-z-]{1,20}"),
        },
        "mysql": {
            "charset": _WORD,
            "collation": _WORD,
            "connect_timeout": _SECONDS,
            "program_name": _WORD,
            "read_timeout": _SECONDS,
            "schemas": _SCHEMAS,
            "ssl_ca": _FILE,
            "ssl_check_hostname": _FLAG,
            "unix_socket": _form(r"/[^,\x00-\x1f'\\]{1,200}"),
            "use_unicode": _FLAG,
            "write_timeout": _SECONDS,
        },
        "sqlite": {},
    }
)


def require_options(kind: str, query: Mapping[str, str | tuple[str, ...]]) -> None:
    """Refuses each option that is not one of `OPTIONS` or has a value that its kind does not have.

    Args:
        kind: ``postgresql``, ``mysql`` or ``sqlite``.
        query: The options; one that is given twice has several values.

    Raises:
        InvalidInput: The message names the option, never its value, which may be a secret.
    """
    known = OPTIONS[kind]
    allowed = f"It takes {', '.join(known)}." if known else "Leave out what stands after the question mark."
    for name, value in query.items():
        if name not in known:
            raise InvalidInput(f"The option {name[:60]} of a database address is not allowed.", allowed)
        if not isinstance(value, str):
            raise InvalidInput(f"The option {name} of the database address is given twice.", "Keep one of them.")
        if not known[name](value):
            raise InvalidInput(
                f"The option {name} of the database address has a value that is not allowed.",
                _REMEDY.get(name, allowed),
            )


_REMEDY = {
    "host": "It takes the folder of a socket on this machine; a server stands before the name of the database.",
    "options": "It takes a search path alone, such as options=-csearch_path=reporting.",
    "unix_socket": "It takes the path of a socket on this machine.",
}
