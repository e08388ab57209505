"""Specs of targets and judges (``keyword``, ``http:FILE``, ``llm:MODEL@BASE_URL``) as people read them."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import urlsplit


def short_spec(spec: str) -> str:
    """A spec without the folder of its file or the address of its model.

    >>> short_spec("openai:m-1@https://a.example/v1"), short_spec("http:/data/targets/ask.yaml"), short_spec("match")
    ('openai:m-1', 'http:ask.yaml', 'match')
    >>> short_spec("openai:m-1@https://ann:word@a.example/v1")
    'openai:m-1'
    >>> short_spec("glossary:/data/terms.csv"), short_spec("python:my_rag.service:answer")
    ('glossary:terms.csv', 'python:my_rag.service:answer')
    """
    kind, colon, argument = spec.partition(":")
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
