"""What Streamlit is told when the server starts: our ``.streamlit/config.toml``, the operator's wishes, the address.

Streamlit by itself reads that file only in the folder it runs in, and takes variables such as
``STREAMLIT_SERVER_MAX_UPLOAD_SIZE`` only under ``streamlit run``. An installed Plumbline runs anywhere, so both are
read here; what the operator sets wins over what we ship.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from core.installation import ROOT

LOCAL: Final = ("localhost", "127.0.0.1")
SHIPPED: Final = ROOT / ".streamlit" / "config.toml"


def options(host: str, port: int) -> dict[str, Any]:
    """Streamlit's options for this server, as ``streamlit run pages/server/application.py`` would take them.

    A server for this machine only accepts this machine's names, which keeps other sites' pages from reaching it by a
    name of their own (DNS rebinding). One for a network takes its names from ``STREAMLIT_SERVER_ALLOWED_HOSTS``, with
    commas between them.

    Args:
        host: The address to listen on.
        port: The port; it is free.
    """
    chosen: dict[str, Any] = {
        **_shipped(),
        **_of_environment(os.environ),
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "logger.hideWelcomeMessage": True,
    }
    return {**chosen, "server.allowedHosts": list(LOCAL)} if host in LOCAL else chosen


def _shipped() -> dict[str, Any]:
    """What our file says where no file of the operator's says otherwise."""
    from streamlit import config

    # Read here and not asked of Streamlit, which warns when options change after it has read its files.
    files = [path for name in config.get_config_files(SHIPPED.name) if (path := Path(name)).is_file()]
    theirs = {name for path in files for name in _read(path)}
    return {name: value for name, value in _read(SHIPPED).items() if name not in theirs}


def _read(path: Path) -> dict[str, Any]:
    """The options in a file; none of one that is no TOML, which Streamlit tells when it reads it."""
    try:
        return dict(_flat(tomllib.loads(path.read_text(encoding="utf-8"))))
    except tomllib.TOMLDecodeError:
        return {}


def _flat(section: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """The options that ``STREAMLIT_*`` variables set; Streamlit reads those that are secret by itself."""
    from streamlit import config

    by_variable = {
        option.env_var: option for option in config._config_options_template.values() if not option.sensitive
    }
    texts = {by_variable[name]: text for name, text in environment.items() if name in by_variable and text.strip()}
    return {option.key: _value(text, several=option.multiple) for option, text in texts.items()}


def _value(text: str, *, several: bool) -> object:
    """A variable's text as TOML has it: a number, true or false, a list in brackets; else the text itself.

    >>> _value("50", several=False), _value("true", several=False), _value("dark", several=False)
    (50, True, 'dark')
    >>> _value("a.example, b.example", several=True)
    ['a.example', 'b.example']
    """
    try:
        value: object = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    if several and not isinstance(value, list):
        return text.replace(",", " ").split()
    return value
