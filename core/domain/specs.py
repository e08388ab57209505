"""Specs of targets and judges (``keyword``, ``http:FILE``, ``llm:MODEL@BASE_URL``) as people read them."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final
from urllib.parse import urlsplit

HIDDEN: Final = "(not shown)"
"""What stands for a secret."""

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^\s,;\"'<>]+", re.IGNORECASE)
_SAVED: Final = re.compile(r"(?P<host>[^/\\]+?)(?:_(?P<port>\d+))?-[0-9a-f]{16}\.yaml")
_NAMED: Final = re.compile(r"(key|token|secret|passw|credential|authorization|cookie)", re.IGNORECASE)


def settings_file(host: str, port: int | None, digest: str) -> str:
    """The file that the settings of a system over HTTP are stored in: called by its address and what they say.

    >>> settings_file("rag.bank.example", 8443, "b5bc257272a87ad9")
    'rag.bank.example_8443-b5bc257272a87ad9.yaml'
    """
    bare = re.sub(r"[^A-Za-z0-9.-]+", "-", host).strip("-.")[:40] or "host"
    return f"{bare}{f'_{port}' if port else ''}-{digest}.yaml"


def _system(argument: str) -> str:
    """The address of a system whose settings are stored; "" for a file that a person named.

    >>> _system("/data/targets/rag.bank.example_8443-b5bc257272a87ad9.yaml"), _system("/data/ask.yaml")
    ('rag.bank.example:8443', '')
    """
    saved = _SAVED.fullmatch(PurePath(argument).name)
    if saved is None:
        return ""
    return f"{saved['host']}:{saved['port']}" if saved["port"] else saved["host"]


def short_spec(spec: str) -> str:
    """A spec without the folder of its file or the address of its model; a system of stored settings by its address.

    >>> short_spec("openai:m-1@https://a.example/v1"), short_spec("http:/data/targets/ask.yaml"), short_spec("match")
    ('openai:m-1', 'http:ask.yaml', 'match')
    >>> short_spec("openai:m-1@https://ann:word@a.example/v1")
    'openai:m-1'
    >>> short_spec("glossary:/data/terms.csv"), short_spec("python:my_rag.service:answer")
    ('glossary:terms.csv', 'python:my_rag.service:answer')
    >>> short_spec("http:/data/targets/localhost-b5bc257272a87ad9.yaml")
    'localhost'
    """
    kind, colon, argument = spec.partition(":")
    if kind == "http" and (address := _system(argument)):
        return address
    if kind in ("openai", "llm"):
        # The address may hold a further @, with a name and a password before it.
        model = argument.partition("@http")[0] if "@http" in argument else argument.rpartition("@")[0]
        return f"{kind}{colon}{model or argument}"
    return f"{kind}{colon}{PurePath(argument).name}"


def placed_spec(spec: str) -> str:
    """A short spec with the host of its model, which distinguishes judges that use one model.

    >>> placed_spec("llm:m-1@https://a.example:8000/v1"), placed_spec("match")
    ('llm:m-1 at a.example:8000', 'match')
    """
    host = urlsplit(spec.rpartition("@")[2]).netloc
    return f"{short_spec(spec)} at {host}" if host else short_spec(spec)


def bare_spec(spec: str) -> str:
    """A spec as others may read it: no folder of a file, no user, password and query of an address.

    >>> bare_spec("http:/data/targets/localhost_8699-b5bc257272a87ad9.yaml"), bare_spec("http:/home/ann/ask.yaml")
    ('localhost:8699', 'http:ask.yaml')
    >>> bare_spec("openai:m-1@https://ann:pw@a.example/v1?key=x"), bare_spec("bm25")
    ('openai:m-1@https://a.example/v1', 'bm25')
    """
    kind, colon, rest = spec.partition(":")
    if colon and "/" in rest and "://" not in rest and not rest.startswith("//"):
        return short_spec(spec) if kind == "http" else f"{kind}:{PurePath(rest).name}"
    return bare_addresses(spec)


def named_secret(name: str) -> bool:
    """Whether an option is called like a secret.

    >>> named_secret("api_key"), named_secret("k")
    (True, False)
    """
    return _NAMED.search(name) is not None


def bare_addresses(text: str) -> str:
    """A text with every address in it bare; see :func:`bare_address`.

    >>> bare_addresses("openai:m-1@https://ann:pw@llm.bank.example/v1?api_key=abc")
    'openai:m-1@https://llm.bank.example/v1'
    """
    return _ADDRESS.sub(lambda match: bare_address(match[0]), text)


def bare_address(address: str) -> str:
    """An address without user, password, query and fragment.

    >>> bare_address("https://ann:pw@llm.bank.example:8443/v1?api_key=abc#x")
    'https://llm.bank.example:8443/v1'
    >>> bare_address("sqlite:////srv/data/bank.sqlite")
    'sqlite:bank.sqlite'
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return address.partition("://")[0] + "://" + HIDDEN
    if not host:
        return f"{parts.scheme}:{parts.path.rsplit('/', 1)[-1]}"
    return f"{parts.scheme}://{host}{port}{parts.path}"
